"""`lastcard site`: the page as a folder of files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lastcard.cli.serve import needs_web_extra


def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to write: new, empty, or an earlier site.")],
    docs: Annotated[
        Path | None,
        typer.Option("--docs", metavar="FOLDER", help="Built documentation, such as build/site; wheels contain it."),
    ] = None,
) -> None:
    """Write the page as a static site: games run in the visitor's browser, also offline.

    Any web server can serve the folder, below any path.

    Example: lastcard site public
    """
    with needs_web_extra("site"):
        from lastcard.web.site import has_docs, write_site
    count = write_site(folder, docs)
    typer.echo(f"{count} files in {folder}; serve them with any web server")
    if docs is None and not has_docs():
        typer.echo("The documentation is missing: run `make site` in a clone and add --docs build/site.")
