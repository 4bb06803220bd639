"""The lesson on the margin."""

from svmlab.lab.lessons.margin import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
