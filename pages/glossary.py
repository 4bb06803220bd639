"""What the words and letters of the app mean."""

from svmlab.lab import frame
from svmlab.lab.bench import glossary
from svmlab.lab.lessons import titles

glossary.show(frame.enter("glossary"), titles())
