"""One product after the other: each term of the sum at the new point, without forming w in the dual form."""


def answer(question):
    given = question.given
    f = given["b"]
    if "alpha1" not in given:
        for j in ("1", "2"):
            f += given["w" + j] * given["u" + j]
    else:
        for i in ("1", "2", "3"):
            similarity = given["p" + i] * given["u1"] + given["q" + i] * given["u2"]
            f += given["alpha" + i] * given["y" + i] * similarity
    return f, 1 if f > 0 else -1
