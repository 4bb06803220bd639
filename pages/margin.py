"""The lesson on the margin."""

from svmlab.ui import lesson
from svmlab.ui.lessons.margin import LESSON

lesson.run(LESSON)
