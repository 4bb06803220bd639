"""Every statement of the notes, checked on the board."""

from svmlab.lab import frame
from svmlab.lab.cards import catalogue

catalogue.show(frame.enter("statements"))
