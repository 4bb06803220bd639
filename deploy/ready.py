"""Wait until a server of svmlab is ready. Exit with 1 if it never is.

python deploy/ready.py http://127.0.0.1:8501 [seconds]
"""

import sys
import time
import urllib.request


def ready(url: str) -> bool:
    """Whether it answers, and all its loops are machine code."""
    try:
        with urllib.request.urlopen(f"{url}/ready", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def main(url: str, seconds: str = "120") -> int:
    """Ask four times a second."""
    end = time.monotonic() + float(seconds)
    while not ready(url):
        if time.monotonic() > end:
            print(f"{url} was not ready within {seconds} s.", file=sys.stderr)
            return 1
        time.sleep(0.25)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
