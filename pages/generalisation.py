"""The lesson on generalisation."""

from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
