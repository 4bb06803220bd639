"""The lesson on duality."""

from svmlab.ui import lesson
from svmlab.ui.lessons.duality import LESSON

lesson.run(LESSON)
