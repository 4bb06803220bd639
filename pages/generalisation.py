"""The lesson on generalisation."""

from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.teach import lesson

lesson.run(LESSON)
