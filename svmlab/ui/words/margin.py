"""Words of the lesson on the margin."""

INTRO = "How wide is the street between the classes, and who decides?"
HAND = {
    "title": "Place a line yourself",
    "question": "Drag the two handles so that the line separates the classes with as much room as you can. "
    "How close do you think you will get to the best possible margin?",
    "choices": ("I will find the best line", "Within a tenth of it", "Well below it"),
    "reveal": "The best line keeps **{best}** from the nearest points of both classes, yours **{own}**.",
    "numbers": "Your margin: {own}",
    "try": ("Separable classes, hard margin",),
}
