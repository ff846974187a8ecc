"""Writes `python/esker/tables.py`: the tables of a scene file as types, from the JSON schema of the program.

    esker schema | python3 crates/python/tools/tables.py

A test compares the file with the schema.
"""

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "python" / "esker" / "tables.py"

HEAD = '''"""The tables of a scene as types, for completion and for type checkers. Written by `tools/tables.py` from the JSON
schema of scene files (`esker schema`); do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
"""A number, of Python or NumPy."""
Count: TypeAlias = int | np.integer[Any]
"""A whole number."""
Vector: TypeAlias = Sequence[Number] | NDArray[Any]
"""Numbers in a list, a tuple or an array."""

'''

ROOT = "SceneTables"

# Types with a better name than that of the key where they occur first.
NAMES = {
    "A scene of Esker": ROOT,
    "A material": "Material",
    "Contact laws": "Contact",
    "Parameters of the contact between two materials": "Pair",
    "A pair of materials": "PairChange",
    "A group of particles": "ParticleGroup",
    "Position and time of the insertion": "Insert",
    "A rigid surface": "Wall",
    "A force on each particle": "FieldTable",
    "A stage of a run": "Stage",
    "Outputs of a run": "Outputs",
    "One measure": "Measure",
    "A table of chosen quantities": "Probe",
}


def camel(words: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", words) if part)


def literals(schema: dict[str, Any]) -> list[str]:
    """The strings that a value may be, as Python literals."""
    words = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return [json.dumps(word) for word in words]


class Writer:
    """Collects the types that a schema needs, each once."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.used: set[str] = set()
        self.parts: list[str] = []

    def kind(self, schema: dict[str, Any], path: str) -> str:
        """The type of a value."""
        if words := literals(schema):
            return f"Literal[{', '.join(words)}]"
        for key in ("anyOf", "oneOf"):
            if key in schema and "properties" not in schema:
                words = [word for one in schema[key] for word in literals(one)]
                kinds = [f"Literal[{', '.join(words)}]"] if words else []
                kinds += [self.kind(one, path) for one in schema[key] if not literals(one)]
                return " | ".join(dict.fromkeys(kinds))
        found = schema.get("type")
        kinds = found if isinstance(found, list) else [found]
        return " | ".join(dict.fromkeys(self.plain(schema, kind, path) for kind in kinds))

    def plain(self, schema: dict[str, Any], kind: str | None, path: str) -> str:
        match kind:
            case "null":
                return "None"
            case "number":
                return "Number"
            case "integer":
                return "Count"
            case "boolean":
                return "bool"
            case "string":
                return "str"
            case "array":
                items = schema.get("items")
                if isinstance(items, dict) and items.get("type") in ("number", "integer"):
                    return "Vector"
                return f"Sequence[{self.kind(items, path)}]" if isinstance(items, dict) else "Sequence[Any]"
            case "object" if "properties" in schema:
                return self.table(schema, path)
            case "object" if isinstance(schema.get("additionalProperties"), dict):
                return f"Mapping[str, {self.kind(schema['additionalProperties'], path)}]"
        return "Any"

    def table(self, schema: dict[str, Any], path: str) -> str:
        """The name of a type for a table with these keys."""
        content = json.dumps(schema, sort_keys=True)
        if content in self.known:
            return self.known[content]
        properties = schema["properties"]
        # A table whose only key names a law, a motion or the like.
        choice = f" {next(iter(properties))} choice" if len(properties) == 1 else ""
        name = NAMES.get(schema.get("description", ""), camel(path + choice))
        while name in self.used:
            name += "_"
        self.used.add(name)
        self.known[content] = name
        # Python adds the version of the format.
        required = set(schema.get("required", ())) - {"format"}
        keys = {}
        for key, value in properties.items():
            before = "" if name == ROOT else name if name in NAMES.values() else path
            inner = f"{before} {key}"
            kind = self.kind(value, inner)
            keys[key] = (kind if key in required else f"NotRequired[{kind}]", value.get("description", ""))
        self.parts.append(self.written(name, keys, schema.get("description", "")))
        return name

    def written(self, name: str, keys: dict[str, tuple[str, str]], about: str) -> str:
        about = about or "Options"
        about = about.strip().replace("\\", "\\\\")
        if all(key.isidentifier() and not keyword.iskeyword(key) for key in keys):
            lines = [f"class {name}(TypedDict):", f'    """{sentence(about, 4)}"""', ""]
            for key, (kind, text) in keys.items():
                lines += [f"    {key}: {kind}", *([f'    """{sentence(text, 4)}"""'] if text else [])]
            return "\n".join(lines)
        lines = [f"{name} = TypedDict(", f'    "{name}",', "    {"]
        lines += [f'        "{key}": {kind},' for key, (kind, _) in keys.items()]
        return "\n".join([*lines, "    },", ")", f'"""{sentence(about, 0)}"""'])


def sentence(text: str, indent: int) -> str:
    text = text.strip().replace("\n", " ")
    text = text if text.endswith(".") else f"{text}."
    return textwrap.fill(text, 110 - indent, subsequent_indent=" " * indent, break_long_words=False)


def generate(schema: str) -> str:
    """The text of the module."""
    writer = Writer()
    writer.kind(json.loads(schema), ROOT)
    return HEAD + "\n" + "\n\n\n".join(writer.parts) + "\n"


if __name__ == "__main__":
    TARGET.write_text(generate(sys.stdin.read()), encoding="utf-8")
