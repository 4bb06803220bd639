"""The glossary: the meaning of the words and letters of the app."""

from svmlab.lab import frame
from svmlab.lab.bench import glossary_page
from svmlab.lab.lessons import titles

glossary_page.show(frame.enter_page("glossary"), titles())
