"""The first lesson."""

from svmlab.lab.lessons.start import LESSON
from svmlab.lab.teach import lesson

lesson.run(LESSON)
