"""The lab."""

from svmlab.lab import frame
from svmlab.lab.bench import page

page.show(frame.enter("lab"))
