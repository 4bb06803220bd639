"""The lesson on the soft margin."""

from svmlab.lab.lessons.soft import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
