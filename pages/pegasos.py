"""The lesson on Pegasos."""

from svmlab.lab.lessons.pegasos import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
