"""The lesson on kernels."""

from svmlab.lab.lessons.kernels import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
