"""The first screen."""

from svmlab.lab.home import page

page.run()
