"""What a lesson is: its steps, each with a question, an answer and a check, and the page that runs them."""
