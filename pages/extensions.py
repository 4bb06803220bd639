"""The lesson on several classes and on values."""

from svmlab.lab.lessons.extensions import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
