"""Every statement of the notes, checked on the board."""

from svmlab.ui import catalogue, frame

catalogue.show(frame.enter())
