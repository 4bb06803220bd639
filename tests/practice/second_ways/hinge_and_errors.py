"""Losses as counts of half steps between y f and 1, and errors as points whose predicted label is not their own."""


def answer(question):
    given = question.given
    half_steps = errors = 0
    for i in "12345":
        y = given["y" + i]
        f = given["f" + i] if "f" + i in given else given["w"] * given["x" + i] + given["b"]
        half_steps += sum(k / 2 >= y * f for k in range(-20, 2))  # the values k/2 from y f to 1/2
        predicted = "+" if f > 0 else "-" if f < 0 else "none"
        errors += predicted != ("+" if y == 1 else "-")
    total = half_steps / 2
    if "w" in given:
        return (total - errors,)
    return (errors, total) if "errors and" in question.ask else (total,)
