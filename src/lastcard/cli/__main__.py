"""`python -m lastcard.cli`."""

from lastcard.cli.app import main

if __name__ == "__main__":
    main()
