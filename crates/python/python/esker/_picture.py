"""Pictures."""

import os


class Picture:
    """A picture, which a notebook displays."""

    def __init__(self, png: bytes, caption: str) -> None:
        self.png = png
        """The bytes of a PNG file."""
        self.caption = caption
        """Time, and description of the colours."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file."""
        with open(path, "wb") as file:
            file.write(self.png)

    def __repr__(self) -> str:
        return f"<esker.Picture {self.caption}>"

    def _repr_png_(self) -> bytes:
        return self.png
