"""The lecture notes from which the statements come."""

from svmlab.lab import frame
from svmlab.lab.cards import sources_page

frame.keep_link(frame.enter_page("sources"))
sources_page.show()
