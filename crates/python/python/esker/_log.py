"""Messages go to the logger `esker`."""

from collections.abc import Iterable

NAME = "esker"


def warn(messages: Iterable[str]) -> None:
    """Logs warnings. `logging` is imported only if there is one: it takes milliseconds."""
    messages = list(messages)
    if messages:
        import logging

        for message in messages:
            logging.getLogger(NAME).warning(message)


def info(message: str) -> None:
    """Logs a message."""
    import logging

    logging.getLogger(NAME).info(message)
