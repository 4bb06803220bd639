"""Every statement of the notes, checked on the board."""

from svmlab.lab import frame
from svmlab.lab.cards import statements_page
from svmlab.lab.lessons import steps_by_statement

statements_page.show(frame.enter_page("statements"), steps_by_statement())
