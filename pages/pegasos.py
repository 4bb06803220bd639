"""The lesson on Pegasos."""

from svmlab.ui import lesson
from svmlab.ui.lessons.pegasos import LESSON

lesson.run(LESSON)
