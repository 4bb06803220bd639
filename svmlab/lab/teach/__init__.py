"""What a lesson is: steps that ask, show and check, and the page that runs them."""
