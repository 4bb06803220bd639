"""The lesson on the soft margin."""

from svmlab.ui import lesson
from svmlab.ui.lessons.soft import LESSON

lesson.run(LESSON)
