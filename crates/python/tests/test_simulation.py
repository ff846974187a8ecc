"""Steps, and what is read and changed between them."""

import copy
import gc
import math
import pickle
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from conftest import ball

import esker


def one_ball(height: float = 0.1, **tables: Any) -> esker.Scene:
    scene = ball(**tables)
    scene.add_particles("ball", material="glass", position=[[0, 0, height]], radius=2.5e-3)
    return scene


def bits(simulation: esker.Simulation) -> bytes:
    particles = simulation.particles
    arrays = [particles.position, particles.velocity, particles.spin, particles.orientation]
    return b"".join(array.tobytes() for array in [*arrays, particles.force, particles.torque])


def test_a_ball_falls_as_gravity_says() -> None:
    simulation = one_ball().build()
    simulation.run(until=0.1)
    t = simulation.time
    height = simulation.particles.position[0, 2]
    # Velocity Verlet is exact for a constant acceleration, up to rounding.
    assert height == pytest.approx(0.1 - 0.5 * 9.81 * t * t, rel=1e-12)
    assert simulation.energy.kinetic == pytest.approx(
        0.5 * simulation.particles.mass[0] * (9.81 * t) ** 2, rel=1e-12
    )


def test_a_run_ends_at_the_first_step_at_or_after_its_time(pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.run(until=0.001)
    assert simulation.time >= 0.001 - 1e-6 * simulation.dt
    assert simulation.time - simulation.dt < 0.001
    before = simulation.steps
    simulation.run(until=0.0005)
    assert simulation.steps == before
    end = simulation.time + 0.001
    simulation.run(seconds=0.001)
    assert end - 1e-6 * simulation.dt <= simulation.time < end + simulation.dt
    simulation.run()
    assert simulation.finished and simulation.progress == pytest.approx(1)


def test_a_scene_without_stages_needs_an_end() -> None:
    simulation = one_ball().build()
    with pytest.raises(ValueError, match="no stages"):
        simulation.run()
    with pytest.raises(ValueError, match="not both"):
        simulation.run(until=1, seconds=1)


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_changes_no_bit(pile: esker.Scene, threads: int) -> None:
    one, other = pile.build(1), pile.build(threads)
    for simulation in (one, other):
        simulation.step(400)
    assert bits(one) == bits(other)


def test_an_array_outlives_its_simulation(pile: esker.Scene) -> None:
    simulation = pile.build()
    position = simulation.particles.position
    kept = position.copy()
    assert position.flags.owndata or position.base is not None
    assert position.flags.c_contiguous and position.dtype == np.float64
    position += 1  # the caller's own copy
    assert (simulation.particles.position == kept).all()
    del simulation
    gc.collect()
    np.ones(100_000)
    assert (position == kept + 1).all()


def test_columns_are_in_order_of_id(pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.step(500)
    particles = simulation.particles
    assert (particles.id == np.arange(300)).all()
    with simulation.in_place() as view:
        order = np.argsort(view.id)
        for name in ["position", "velocity", "spin", "orientation", "force", "torque", "mass"]:
            kept = getattr(view, name)[order]
            locals()[name] = kept
        values = {name: getattr(view, name)[order] for name in ["position", "force", "radius"]}
    for name, value in values.items():
        assert (getattr(particles, name) == value).all(), name


def test_a_slice_kept_from_in_place_keeps_its_values_while_the_simulation_continues(
    pile: esker.Scene,
) -> None:
    simulation, twin = pile.build(), pile.build()
    for one in (simulation, twin):
        one.step(100)
    with simulation.in_place() as view:
        kept = view.position[3:7]
        base = view.velocity
        values = (kept.copy(), base.copy())
    for _ in range(20):
        simulation.step(20)
        twin.step(20)
    assert (kept == values[0]).all() and (base == values[1]).all()
    assert not base.flags.writeable
    assert bits(simulation) == bits(twin)
    del simulation
    gc.collect()
    assert (kept == values[0]).all()


def test_inside_the_block_every_other_call_is_refused(pile: esker.Scene) -> None:
    simulation = pile.build()
    with simulation.in_place() as view:
        for call in [
            simulation.step,
            lambda: simulation.time,
            lambda: simulation.particles.position,
            simulation.save,
            lambda: simulation.in_place().__enter__(),
            lambda: simulation.run(until=1),
        ]:
            with pytest.raises(RuntimeError, match="in_place"):
                call()
        with pytest.raises(ValueError, match="read-only"):
            view.position[0] = 0
    with pytest.raises(RuntimeError, match="inside the block"):
        view.position  # noqa: B018
    simulation.step()


def test_another_thread_cannot_advance_the_simulation_while_views_are_handed_out(pile: esker.Scene) -> None:
    simulation = pile.build()
    refused: list[str] = []

    def advance() -> None:
        try:
            simulation.step(100)
        except RuntimeError as error:
            refused.append(str(error))

    with simulation.in_place() as view:
        before = view.position.copy()
        threads = [threading.Thread(target=advance) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (view.position == before).all()
    assert len(refused) == 3 and all("in_place" in text or "another call" in text for text in refused)
    simulation.step()
    assert simulation.steps == 1


def test_views_cannot_be_made_writable_after_the_block(pile: esker.Scene) -> None:
    simulation = pile.build()
    with simulation.in_place(write=True) as view:
        kept = view.velocity
    with pytest.raises(ValueError):
        kept[0] = 1.0
    with pytest.raises(ValueError):
        kept.setflags(write=True)
    simulation.step(5)


def test_reading_in_place_changes_no_bit(pile: esker.Scene) -> None:
    simulation, twin = pile.build(), pile.build()
    for _ in range(10):
        simulation.step(20)
        twin.step(20)
        with simulation.in_place() as view:
            assert view.velocity.max() >= 0 and view.id.max() == 299
    assert bits(simulation) == bits(twin)


def test_writing_in_place_changes_the_state() -> None:
    simulation = one_ball(ledger=None).build(ledger=True)
    simulation.run(until=0.05)
    with simulation.in_place(write=True) as view:
        view.velocity[...] = [1.0, 0.0, 0.0]
        for name in ["radius", "mass", "force", "torque", "id"]:
            assert not getattr(view, name).flags.writeable
    start, since = simulation.particles.position[0], simulation.time
    simulation.run(seconds=0.01)
    moved = simulation.particles.position[0] - start
    assert moved[0] == pytest.approx(simulation.time - since, rel=1e-12)
    assert abs(simulation.energy.closure_error) < 1e-9 * simulation.energy.kinetic


def test_a_nan_written_in_place_is_reported_with_the_id(pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.step(10)
    with simulation.in_place(write=True) as view:
        wrong = int(view.id[5])
        view.velocity[5, 1] = math.nan
    with pytest.raises(esker.UnphysicalError) as raised:
        simulation.step()
    assert raised.value.particle == wrong and "finite" in raised.value.cause
    assert raised.value.advice and raised.value.folder is None
    assert len(simulation.particles.position) == 300  # it stays readable
    with pytest.raises(RuntimeError):
        simulation.step()


def test_other_threads_go_on_while_steps_are_made(pile: esker.Scene) -> None:
    simulation = pile.build()
    counter = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counter
        while not done.is_set():
            counter += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    started = time.monotonic()
    while time.monotonic() - started < 0.5:
        simulation.step(200)
    done.set()
    thread.join()
    assert counter > 50


def test_threads_use_a_simulation_one_after_the_other(pile: esker.Scene) -> None:
    simulation = pile.build()
    errors: list[BaseException] = []
    refused = 0

    def use() -> None:
        nonlocal refused
        for _ in range(20):
            try:
                simulation.step(5)
            except RuntimeError as error:
                if "another call" not in str(error):
                    errors.append(error)
                refused += 1
            assert simulation.particles.position.shape == (300, 3)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert simulation.steps == 5 * (80 - refused)


def test_a_callback_is_called_at_the_first_step_at_or_after_each_multiple(
    pile: esker.Scene,
) -> None:
    simulation, twin = pile.build(), pile.build()
    times: list[float] = []
    steps: list[int] = []
    call = simulation.every(0.001, lambda sim: times.append(sim.time))
    simulation.every_steps(100, lambda sim: steps.append(sim.steps))
    simulation.run(until=0.0105)
    dt = simulation.dt
    assert len(times) == 10
    for index, t in enumerate(times):
        assert (index + 1) * 0.001 - 1e-6 * dt <= t < (index + 1) * 0.001 + dt
    assert steps == list(range(100, simulation.steps + 1, 100))
    call.cancel()
    simulation.step(100)
    assert len(times) == 10
    twin.step(simulation.steps)
    assert bits(simulation) == bits(twin)


def test_an_exception_in_a_callback_ends_the_run_and_is_passed_on(pile: esker.Scene) -> None:
    simulation = pile.build()

    class Mine(Exception):
        pass

    def fail(sim: esker.Simulation) -> None:
        raise Mine(sim.steps)

    call = simulation.every_steps(7, fail)
    with pytest.raises(Mine, match="7"):
        simulation.run(until=1)
    assert simulation.steps == 7
    call.cancel()
    simulation.step(3)
    assert simulation.steps == 10


def test_a_callback_can_stop_the_run_but_not_advance_it(pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.every_steps(5, lambda sim: sim.stop())
    simulation.run(until=1)
    assert simulation.steps == 5
    other = pile.build()
    other.every_steps(5, lambda sim: sim.step())
    with pytest.raises(RuntimeError, match="another call"):
        other.run(until=1)
    other.every_steps(5, lambda sim: sim.step())


def test_copies_continue_with_the_same_bits(pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.step(300)
    copies = [
        simulation.copy(),
        copy.deepcopy(simulation),
        pickle.loads(pickle.dumps(simulation)),
    ]
    state = simulation.save("state.esk")
    simulation.step(200)
    for twin in copies:
        twin.step(200)
        assert bits(twin) == bits(simulation)
    after = bits(simulation)
    simulation.restore(state)
    assert simulation.steps == 300
    simulation.restore("state.esk")
    simulation.step(200)
    assert bits(simulation) == after


def test_a_state_of_another_scene_is_refused(pile: esker.Scene) -> None:
    simulation = one_ball().build()
    state = pile.build().save()
    before = bits(simulation)
    with pytest.raises(ValueError, match="does not fit"):
        simulation.restore(state)
    with pytest.raises(ValueError, match="not a checkpoint"):
        simulation.restore(b"nonsense")
    assert bits(simulation) == before


def test_walls_have_forces_and_take_another_motion() -> None:
    simulation = one_ball(0.0025).build()
    simulation.run(until=0.2)
    weight = simulation.particles.mass[0] * 9.81
    assert simulation.walls["floor"].force[2] == pytest.approx(-weight, rel=1e-3)
    simulation.walls["floor"].set_motion({"velocity": [0, 0, 0.5]})
    start = simulation.time
    twin = simulation.copy()
    again = pickle.loads(pickle.dumps(simulation))
    simulation.run(seconds=0.02)
    for one in (twin, again):
        one.step(simulation.steps - one.steps)
        assert bits(one) == bits(simulation)
    moved = simulation.walls["floor"].position[2]
    assert moved == pytest.approx(0.5 * (simulation.time - start), rel=1e-12)
    with pytest.raises(KeyError, match="walls: floor"):
        simulation.walls["flor"]
    with pytest.raises(esker.SceneError, match="velocity"):
        simulation.walls["floor"].set_motion({"velocty": [0, 0, 1]})


def test_a_state_from_before_a_change_is_restored_without_it() -> None:
    simulation = one_ball(0.05).build()
    state = simulation.save()
    simulation.walls["floor"].set_motion({"velocity": [0, 0, 0.5]})
    simulation.gravity = [0, 0, -1.0]
    simulation.step(10)
    simulation.restore(state)
    simulation.step(10)
    assert simulation.walls["floor"].position[2] == 0
    assert simulation.gravity.tolist() == [0, 0, -9.81]


def test_gravity_can_be_set() -> None:
    simulation = one_ball().build()
    simulation.run(until=0.01)
    simulation.gravity = [3.0, 0, 0]
    start, speed = simulation.time, simulation.particles.velocity[0, 0]
    twin = pickle.loads(pickle.dumps(simulation))
    simulation.run(seconds=0.01)
    gained = simulation.particles.velocity[0, 0] - speed
    assert gained == pytest.approx(3.0 * (simulation.time - start), rel=1e-9)
    twin.step(simulation.steps - twin.steps)
    assert bits(twin) == bits(simulation)


def test_an_assignment_to_a_column_says_how_it_is_written(pile: esker.Scene) -> None:
    particles: Any = pile.build().particles
    with pytest.raises(AttributeError, match=r"in_place\(write=True\)"):
        particles.velocity = 0
    with pytest.raises(AttributeError, match="set_radius"):
        particles.radius = 1
    with pytest.raises(AttributeError, match="cannot be set"):
        particles.force = 0


def test_a_new_radius_keeps_the_density_and_a_new_mass_the_radius() -> None:
    scene = ball(time={"step": 5e-6})  # short, for the energy ledger
    scene.add_particles("balls", material="glass", position=[[0, 0, 0.1], [0.1, 0, 0.1], [0.2, 0, 0.1]], radius=5e-3)
    simulation = scene.build(ledger=True)
    particles = simulation.particles
    before = particles.mass
    particles.set_radius([1e-2, 4e-3], id=[0, 2])
    particles.set_mass(1e-3, id=1)
    assert particles.radius.tolist() == [1e-2, 5e-3, 4e-3]
    assert particles.mass == pytest.approx([8 * before[0], 1e-3, 0.512 * before[2]], rel=1e-14)
    copies = [pickle.loads(pickle.dumps(simulation)), simulation.copy()]
    simulation.run(until=0.2)  # the balls fall and bounce
    assert abs(simulation.energy.closure_error) < 1e-3 * abs(simulation.energy.inserted)
    for twin in copies:
        twin.step(simulation.steps)
        assert bits(twin) == bits(simulation)
    with pytest.raises(ValueError, match="there is no particle 7"):
        particles.set_mass([1.0, 1.0], id=[0, 7])
    with pytest.raises(ValueError, match="must be positive"):
        particles.set_radius([1e-3, -1.0, 1e-3])
    with pytest.raises(ValueError, match="2 entries for 3 particles"):
        particles.set_radius([1e-3, 1e-3])
    with pytest.raises(ValueError, match="whole number"):
        particles.set_radius(1e-3, id=[0.5])
    assert particles.radius.tolist() == [1e-2, 5e-3, 4e-3]


def push_sideways(bodies: esker.Bodies, time: float) -> tuple[np.ndarray, np.ndarray]:
    return np.tile([1e-3, 0, 0], (len(bodies.id), 1)), np.tile([0, 0, 1e-6], (len(bodies.id), 1))


def test_inverse_mass_and_inertia_follow_from_a_new_radius_or_mass() -> None:
    scene = ball(gravity=[0, 0, 0], time={"step": 1e-5})
    scene.add_particles("balls", material="glass", position=[[0, 0, 0.1], [0.1, 0, 0.1]], radius=5e-3)
    simulation = scene.build()
    simulation.particles.set_radius(6e-3, id=0)
    simulation.particles.set_mass(2e-3, id=1)
    simulation.add_field("push", push_sideways)
    simulation.step(100)
    particles = simulation.particles
    inertia = 0.4 * particles.mass * particles.radius**2
    assert particles.velocity[:, 0] == pytest.approx(1e-3 * simulation.time / particles.mass, rel=1e-12)
    assert particles.spin[:, 2] == pytest.approx(1e-6 * simulation.time / inertia, rel=1e-12)


def test_a_grown_particle_touches_its_neighbour() -> None:
    scene = ball(gravity=[0, 0, 0])
    scene.add_particles("balls", material="glass", position=[[0, 0, 0.1], [0.03, 0, 0.1]], radius=5e-3)
    simulation = scene.build()
    simulation.step(10)
    assert simulation.contacts().rows == 0
    simulation.particles.set_radius(0.0251, id=1)
    simulation.step(10)
    # Without attraction the two can only be pushed apart.
    assert simulation.particles.velocity[0, 0] < 0 < simulation.particles.velocity[1, 0]


def test_a_radius_beyond_the_range_of_an_attraction_and_the_mass_of_a_fixed_particle_are_refused() -> None:
    contact = {
        "normal": "hertz",
        "cohesion": ["liquid-bridge"],
        "pairs": [{"between": ["glass", "glass"], "surface_tension": 0.07, "bridge_volume": 0.01}],
    }
    scene = ball(contact=contact)
    scene.add_particles("a", material="glass", position=[[0, 0, 0.1]], radius=5e-3)
    scene.add_particles("b", material="glass", position=[[0.1, 0, 0.1]], radius=8e-3, fixed=True)
    simulation = scene.build()
    simulation.particles.set_radius(7e-3, id=0)
    with pytest.raises(ValueError, match="interaction range"):
        simulation.particles.set_radius(9e-3, id=0)
    with pytest.raises(ValueError, match="fixed"):
        simulation.particles.set_mass(1.0, id=1)


def test_charges_of_each_particle_act_in_a_field() -> None:
    scene = ball(gravity=[0, 0, 0], time={"step": 1e-5}, fields=[{"electric": [1e5, 0, 0]}])
    charge = np.array([1e-9, -2e-9, 0.0])
    position = [[0, 0, 0.1], [0.1, 0, 0.1], [0.2, 0, 0.1]]
    scene.add_particles("balls", material="glass", position=position, radius=5e-3, charge=charge)
    simulation = scene.build()
    assert (simulation.particles.charge == charge).all()
    assert (pickle.loads(pickle.dumps(scene)).build().particles.charge == charge).all()
    simulation.step(100)
    particles = simulation.particles
    gained = charge * 1e5 / particles.mass * simulation.time
    assert particles.velocity[:, 0] == pytest.approx(gained, rel=1e-12)
    particles.set_charge(0.0)
    before = particles.velocity
    simulation.step(10)
    assert (particles.velocity == before).all()


def gravity(bodies: esker.Bodies, time: float) -> np.ndarray:
    return bodies.mass[:, None] * np.array([0.0, 0.0, -9.81])


def test_a_gravity_written_in_python_equals_the_built_in_one_to_the_last_bit() -> None:
    step = {"step": 2e-5}  # the automatic step depends on gravity
    simulation = one_ball(0.1, gravity=[0, 0, 0], time=step).build()
    simulation.add_field("mine", gravity)
    twin = one_ball(0.1, time=step).build()
    for one in (simulation, twin):
        one.step(200)
    assert bits(simulation) == bits(twin)
    assert simulation.particles.velocity[0, 2] < 0


def test_a_force_written_in_python_gives_the_same_bits_with_any_number_of_threads(
    pile: esker.Scene,
) -> None:
    def wind(bodies: esker.Bodies, time: float) -> tuple[np.ndarray, np.ndarray]:
        assert (np.diff(bodies.id) > 0).all()
        force = 0.1 * np.sin(40 * bodies.position) * bodies.radius[:, None]
        return force, 1e-6 * np.cos(time + bodies.spin)

    found = []
    for threads in (1, 2, 3):
        simulation = pile.build(threads)
        simulation.add_field("wind", wind)
        simulation.step(150)
        twin = simulation.copy()
        simulation.step(50)
        twin.step(50)
        assert bits(simulation) == bits(twin)
        found.append(bits(simulation))
    assert found[0] == found[1] == found[2]
    assert pickle.loads(pickle.dumps(one_with_gravity())).particles.force[0, 2] < 0


def one_with_gravity() -> esker.Simulation:
    simulation = one_ball(0.1, gravity=[0, 0, 0]).build()
    simulation.add_field("mine", gravity)
    return simulation


def test_an_exception_in_a_force_is_passed_on_and_the_state_can_be_restored() -> None:
    simulation = one_ball().build()
    calls = 0

    def fail(bodies: esker.Bodies, time: float) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyError("mine")
        return np.zeros((1, 3))

    simulation.add_field("wind", fail)
    state = simulation.save()
    with pytest.raises(KeyError, match="mine"):
        simulation.step(100)
    with pytest.raises(RuntimeError, match="restore"):
        simulation.step()
    simulation.restore(state)
    simulation.step(3)


def test_a_force_of_the_wrong_shape_is_refused() -> None:
    simulation = one_ball().build()
    with pytest.raises(ValueError, match="2 rows for 1 particles"):
        simulation.add_field("wind", lambda bodies, time: np.zeros((2, 3)))


def test_a_force_must_not_use_the_simulation() -> None:
    simulation = one_ball().build()
    with pytest.raises(RuntimeError, match="must not use the simulation"):
        simulation.add_field("wind", lambda bodies, time: simulation.particles.position)


def test_any_measure_can_be_taken_at_any_moment(pile: esker.Scene) -> None:
    simulation = pile.build()
    simulation.step(500)
    mean = simulation.measure("coordination")["mean"]
    contacts = simulation.contacts()
    touching = contacts["overlap"] > 0
    ends = 2 * (touching & (contacts["second"] >= 0)).sum() + (touching & (contacts["wall"] >= 0)).sum()
    assert mean == pytest.approx(ends / 300, rel=1e-12)
    assert mean == pytest.approx(simulation.particles.coordination.mean(), rel=1e-12)
    momentum = simulation.measure("center_of_mass", particles="grains")
    particles = simulation.particles
    expected = (particles.mass[:, None] * particles.position).sum(0) / particles.mass.sum()
    assert momentum["z"] == pytest.approx(expected[2], rel=1e-12)
    with pytest.raises(esker.SceneError, match="did you mean `coordination`"):
        simulation.measure("cordination")
    with pytest.raises(esker.SceneError, match="grains"):
        simulation.measure("coordination", particles="grain")


def test_contacts_balance_the_forces_on_particles(pile: esker.Scene) -> None:
    simulation = pile.set({"time.step": 1e-5}).build()
    simulation.run(until=0.04)
    contacts = simulation.contacts()
    particles = simulation.particles
    force = particles.mass[:, None] * simulation.gravity
    np.add.at(force, contacts["first"], contacts["force"])
    pairs = contacts["second"] >= 0
    np.add.at(force, contacts["second"][pairs], -contacts["force"][pairs])
    scale = np.abs(particles.force).max()
    # The forces of the step were evaluated with the predicted velocities: damping differs slightly.
    assert np.abs(force - particles.force).max() < 1e-3 * scale


def test_energies_without_a_ledger_are_not_a_number() -> None:
    energy = one_ball().build().energy
    assert energy.potential > 0 and math.isnan(energy.damping_loss)
    assert one_ball().build(ledger=True).energy.damping_loss == 0


def test_simulations_show_themselves(pile: esker.Scene) -> None:
    simulation = pile.build()
    assert "300 particles" in repr(simulation)
    assert "<img" in simulation._repr_html_() and "time step" in pile._repr_html_()
    picture = simulation.picture("radius", width=120, height=80, towards_camera=[0, -1, 0])
    assert picture._repr_png_().startswith(b"\x89PNG") and "radius" in picture.caption
    with pytest.raises(ValueError, match="speed"):
        simulation.picture("colour")


def test_no_reference_is_leaked(pile: esker.Scene) -> None:
    simulation = pile.build()
    names = ["position", "id", "force"]
    for name in names:
        array = getattr(simulation.particles, name)
        assert sys.getrefcount(array) == 2
    with simulation.in_place() as view:
        kept = view.position
        base: Any = kept.base
        assert type(base).__name__ == "Owner"
    del kept, base
    simulation.step()
