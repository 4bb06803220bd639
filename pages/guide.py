"""The guide: the meaning of the marks and figures."""

from svmlab.lab import frame
from svmlab.lab.bench import guide_page

guide_page.show(frame.enter_page("guide"))
