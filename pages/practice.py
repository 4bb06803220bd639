"""Exam questions from seeds, and goals that are judged on the board."""

from svmlab.lab.practice import practice_page

practice_page.run()
