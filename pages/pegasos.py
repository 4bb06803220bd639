"""The lesson on Pegasos."""

from svmlab.lab.lessons.pegasos import LESSON
from svmlab.lab.teach import lesson

lesson.run(LESSON)
