"""`python -m lastcard.cli`."""

from lastcard.cli.commands import main

if __name__ == "__main__":
    main()
