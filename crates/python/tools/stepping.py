"""Processor time of the same run by the program and from Python, alternately.

    python tools/stepping.py PATH-OF-THE-PROGRAM [PAIRS]

Prints the ratio of each pair and the median."""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import esker

CHANGES = {"particles[0].insert.count": 1500, "stages[1].end.after": 0.2}


def seconds(folder: Path) -> float:
    return float(json.loads((folder / "summary.json").read_text())["processor_time"])


def main(program: str, pairs: int = 7) -> None:
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        scene = esker.Scene.open("pile", CHANGES)
        scene.save(place / "pile.toml")
        for pair in range(pairs):
            theirs, ours = place / f"program-{pair}", place / f"python-{pair}"
            command = [program, "run", place / "pile.toml", "--quiet", "--threads", "1", "--out", theirs]
            subprocess.run(command, check=True, capture_output=True)
            run = esker.run(place / "pile.toml", out=ours, threads=1)
            assert (run.path / "final.csv").read_bytes() == (theirs / "final.csv").read_bytes()
            ratios.append(seconds(ours) / seconds(theirs))
            print(f"{seconds(theirs):.2f} s by the program, ratio {ratios[-1]:.3f}", flush=True)
    print(f"median of the ratio: {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main(sys.argv[1], *(int(count) for count in sys.argv[2:]))
