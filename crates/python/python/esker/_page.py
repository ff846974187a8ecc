"""The viewer as a self-contained page."""

import os
from collections.abc import Callable
from html import escape

from . import _native

_HEIGHT = 560


class Page:
    """The viewer with its data in one page: it needs no server and no connection. A notebook displays it, also
    after it was saved; `save` writes a file for a browser."""

    def __init__(self, html: str, title: str, height: int = _HEIGHT) -> None:
        self.html = html
        """The text of the page."""
        self.title = title
        """Title."""
        self.height = height
        """Height in a notebook [pixels]."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an HTML file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def show(self) -> None:
        """Displays the page: in the notebook that runs this, otherwise in the browser of the system."""
        if _in_notebook():
            from IPython.display import display

            show: Callable[[Page], object] = display
            show(self)
        else:
            _open_in_browser(self)

    def __repr__(self) -> str:
        return f"<esker.Page {self.title}: {len(self.html) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        # A separate frame, so that several pages in one notebook do not share names, styles or scripts.
        style = f"width:100%;height:{self.height}px;border:1px solid #ccc"
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" style="{style}" title="{escape(self.title)}" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )


def _in_notebook() -> bool:
    import sys

    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    shell = get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


def _open_in_browser(page: Page) -> None:
    import tempfile
    import webbrowser
    from pathlib import Path

    path = Path(tempfile.mkdtemp(prefix="esker-")) / "view.html"
    page.save(path)
    if not webbrowser.open(path.as_uri()):
        print(f"open this page in a browser: {path}")


# Servers of `show(live=True)` live as long as the process.
_servers: list[_native.ViewServer] = []


def show_live(server: _native.ViewServer) -> None:
    """Opens the page of a server in the browser, and prints its address."""
    import webbrowser

    _servers.append(server)
    address = server.address
    if _in_notebook():
        from IPython.display import HTML, display

        link = f'<a href="{escape(address)}" target="_blank">The viewer, while it computes</a>'
        show: Callable[[object], object] = display
        html: Callable[[str], object] = HTML
        show(html(link))
    elif not webbrowser.open(address):
        print(f"the viewer is at {address}")
