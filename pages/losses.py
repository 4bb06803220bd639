"""The lesson on losses and descent."""

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson

lesson.run(LESSON, CheckYourself)
