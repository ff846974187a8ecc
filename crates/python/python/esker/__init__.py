"""Esker: a discrete element method (DEM) simulator for granular materials.

    import esker

    scene = esker.Scene.open("pile")     # a file, a built-in scene, TOML text or a dict
    sim = scene.build()                  # every check of the input happens here
    sim.run(until=0.1)
    print(sim.particles.position[:, 2].max())

    run = esker.run("pile")              # the same as `esker run pile`: a folder with all outputs
    print(run.summary["steps"])

All quantities are in SI units.
"""

from . import errors
from ._native import VERSION as __version__
from ._native import InPlace, builtin_scenes
from ._frames import Frame, Frames
from ._page import Page
from ._particles import Particles
from ._picture import Picture
from ._run import Run, open_run, run
from ._scene import Check, Scene
from ._simulation import Counts, Domain, Energy, Simulation
from ._sweep import Sweep, sweep
from ._table import Table
from ._walls import Wall, Walls
from .errors import EskerError, FolderInUseError, OutputError, Problem, SceneError, UnphysicalError
from .fields import Bodies

__all__ = [
    "Bodies",
    "Check",
    "Counts",
    "Domain",
    "Energy",
    "EskerError",
    "FolderInUseError",
    "Frame",
    "Frames",
    "InPlace",
    "OutputError",
    "Page",
    "Particles",
    "Picture",
    "Problem",
    "Run",
    "Scene",
    "SceneError",
    "Simulation",
    "Sweep",
    "Table",
    "UnphysicalError",
    "Wall",
    "Walls",
    "__version__",
    "builtin_scenes",
    "errors",
    "open_run",
    "run",
    "sweep",
]
