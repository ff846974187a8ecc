"""Random calls of the interface: no crash, no hang, no leak, no value that changes behind the user's back."""

import functools
import gc
import math
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ball
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import esker

MANY = bool(os.environ.get("ESKER_MANY_CALLS"))
NAMES = ["position", "velocity", "spin", "orientation", "force", "torque", "radius", "mass", "id"]


def small(seed: int, count: int, threads: int) -> esker.Simulation:
    scene = ball(stages=[{"name": "a", "end": {"after": 0.02}}, {"name": "b", "end": {"after": 0.02}}])
    place = np.arange(count)
    position = 2.1e-3 * np.stack([place % 3, place // 3 % 3, place // 9], axis=1) + [0, 0, 1e-3]
    velocity = np.random.default_rng(seed).uniform(-0.1, 0.1, (count, 3))
    scene.add_particles(
        "balls", material="glass", position=position, radius=1e-3, velocity=velocity
    )
    return scene.build(threads)


def push(strength: float, bodies: esker.Bodies, time: float) -> Any:
    """A constant acceleration."""
    return strength * bodies.mass[:, None] * np.ones(3)


class Calls(RuleBasedStateMachine):
    """Any call in any order."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple[Any, Any]] = []
        self.states: list[tuple[bytes, bytes]] = []
        self.seen = 0

    @initialize(seed=st.integers(0, 99), count=st.integers(1, 12), threads=st.integers(1, 2))
    def build(self, seed: int, count: int, threads: int) -> None:
        self.simulation = small(seed, count, threads)

    def bits(self, simulation: esker.Simulation) -> bytes:
        particles = simulation.particles
        return particles.position.tobytes() + particles.velocity.tobytes() + particles.id.tobytes()

    @rule(count=st.integers(0, 40))
    def step(self, count: int) -> None:
        before = self.simulation.steps
        self.simulation.step(count)
        assert self.simulation.steps == before + count

    @rule(seconds=st.floats(0, 2e-3))
    def run(self, seconds: float) -> None:
        before = self.simulation.time
        self.simulation.run(seconds=seconds)
        reached = self.simulation.time >= before + seconds - 1e-6 * self.simulation.dt
        assert reached or self.simulation.finished

    @rule(name=st.sampled_from(NAMES))
    def read(self, name: str) -> None:
        array = getattr(self.simulation.particles, name)
        assert len(array) == len(self.simulation.particles)
        self.kept.append((array, array.copy()))

    @rule(name=st.sampled_from(NAMES), write=st.booleans(), part=st.integers(0, 3))
    def keep_a_view(self, name: str, write: bool, part: int) -> None:
        with self.simulation.in_place(write=write) as view:
            array = getattr(view, name)[part:]
            with pytest.raises(RuntimeError):
                self.simulation.step()
            copy = array.copy()
        self.kept.append((array, copy))

    @rule(factor=st.floats(-2, 2))
    def write(self, factor: float) -> None:
        with self.simulation.in_place(write=True) as view:
            view.velocity[...] *= factor
            view.spin[...] += factor

    @rule()
    def measure_and_look(self) -> None:
        self.simulation.measure("coordination")
        self.simulation.measure("kinetic_energy", particles="balls")
        contacts = self.simulation.contacts()
        assert contacts.rows == len(contacts["overlap"])
        assert self.simulation.walls["floor"].force.shape == (3,)
        assert not math.isnan(self.simulation.energy.kinetic)
        repr(self.simulation)

    @rule(factor=st.floats(0.8, 1.25), which=st.integers(0, 20))
    def resize(self, factor: float, which: int) -> None:
        particles = self.simulation.particles
        mass = particles.mass
        if which >= len(particles):
            with pytest.raises(ValueError, match="no particle"):
                particles.set_radius(1e-3, id=which)
            return
        particles.set_mass(factor * mass[which], id=which)
        particles.set_charge(factor * 1e-12, id=[which])
        assert particles.mass[which] == factor * mass[which]

    @rule()
    def show(self) -> None:
        assert "<iframe" in self.simulation.page()._repr_html_()

    @rule(speed=st.floats(-0.1, 0.1))
    def move_the_floor(self, speed: float) -> None:
        self.simulation.walls["floor"].set_motion({"velocity": [speed, 0, 0]})

    @rule(pull=st.floats(-20, 1))
    def set_gravity(self, pull: float) -> None:
        self.simulation.gravity = [0, 0, pull]

    @rule()
    def save(self) -> None:
        self.states.append((self.simulation.save(), self.bits(self.simulation)))

    @precondition(lambda self: self.states)
    @rule(index=st.integers(0, 100))
    def restore(self, index: int) -> None:
        state, bits = self.states[index % len(self.states)]
        self.simulation.restore(state)
        assert self.bits(self.simulation) == bits

    @rule(way=st.integers(0, 1))
    def copy(self, way: int) -> None:
        twin = self.simulation.copy() if way else pickle.loads(pickle.dumps(self.simulation))
        twin.step(5)
        state = self.simulation.save()
        self.simulation.step(5)
        assert self.bits(twin) == self.bits(self.simulation)
        self.simulation.restore(state)

    @rule(steps=st.integers(1, 9))
    def call_back(self, steps: int) -> None:
        seen: list[int] = []
        call = self.simulation.every_steps(steps, lambda sim: seen.append(sim.steps))
        self.simulation.step(20)
        call.cancel()
        assert all(step % steps == 0 for step in seen) and len(seen) >= 20 // steps

    @rule(strength=st.floats(-1e-3, 1e-3))
    def add_a_force(self, strength: float) -> None:
        self.simulation.add_field("wind", functools.partial(push, strength))

    @rule(value=st.one_of(st.none(), st.text(max_size=3), st.integers(-5, 5), st.floats()))
    def call_with_nonsense(self, value: object) -> None:
        before = self.bits(self.simulation)
        for call in [
            lambda: self.simulation.every(value, lambda sim: None),  # type: ignore[arg-type]
            lambda: self.simulation.measure(value),  # type: ignore[arg-type]
            lambda: self.simulation.walls[value],  # type: ignore[index]
            lambda: self.simulation.restore(b"nonsense"),
            lambda: self.simulation.walls["floor"].set_motion({"velocity": value}),
        ]:
            try:
                found = call()
            except (ValueError, TypeError, KeyError, RuntimeError, OverflowError):
                pass
            else:
                if hasattr(found, "cancel"):
                    found.cancel()
        assert self.bits(self.simulation) == before

    @invariant()
    def arrays_keep_their_values(self) -> None:
        Calls.made += 1
        for array, copy in self.kept[-20:]:
            assert np.array_equal(array, copy)


Calls.TestCase.settings = settings(
    max_examples=1750 if MANY else 12,
    stateful_step_count=60 if MANY else 25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestCalls = Calls.TestCase


def test_this_many_calls_were_made() -> None:
    if Calls.made == 0:
        pytest.skip("the calls were not selected")
    print(f"{Calls.made} calls")
    assert Calls.made >= (100_000 if MANY else 250)


def resident() -> int:
    """Bytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_stays_flat_over_simulations_built_and_dropped() -> None:
    def round_of(count: int) -> int:
        for seed in range(count):
            simulation = small(seed, 20, 1)
            simulation.step(2)
            with simulation.in_place() as view:
                kept = view.position[2:]
            simulation.every(0.1, lambda sim: None)
            simulation.step(2)
            del simulation, view, kept
        gc.collect()
        return resident()

    count = 2500 if MANY else 75
    round_of(count)
    second = round_of(count)
    last = round_of(2 * count)
    print(f"{4 * count} simulations: {second / 1e6:.1f} MB after half of them, {last / 1e6:.1f} MB at the end")
    # A leak of 10 kB a simulation, about its size, would be 50 MB of 5000 and 1.5 MB of 150.
    assert last - second < 1_000_000 + 1000 * count, (second, last)
