"""The page Lab."""

from svmlab.lab import frame
from svmlab.lab.bench import lab_page

lab_page.show(frame.enter_page("lab"))
