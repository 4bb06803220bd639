"""Which lecture notes the statements come from."""

from svmlab.lab import frame
from svmlab.lab.cards import sources

frame.keep_link(frame.enter("sources"))
sources.show()
