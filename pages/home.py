"""The first screen."""

from svmlab.lab.home import home_page

home_page.run()
