"""The viewer in a real browser. Each function is a test; its name is a sentence."""
import json
import sys
import time
import traceback

import numpy as np
from playwright.sync_api import sync_playwright

import test_pages
import test_scale
from support import FLAGS, HERE, OUT, TESTS, Page, Serving, objects, run, test


@test
def a_page_opens_a_finished_run_without_errors(browser):
    with Serving("view", "run") as serving:
        page = Page(browser, 1280, 800).open(serving.address).shot("finished")
        assert "token" not in page.run("location.href")
        assert page.run("document.getElementById('title').textContent") == "Test of the viewer <b>&amp;</b>"
        assert page.run("view.main.info.times.length") == 16
        assert page.run("view.frame") == 15
        page.done()


@test
def every_pixel_shows_the_sphere_that_a_ray_meets_first(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        page.change("view.isSoftware = false; view.main.isSoftware = false; view.state.walls = 'hidden'; await view.changed();")
        for name, script in [("perspective", ""), ("orthographic", "view.state.ortho = true; await view.changed();"),
                             ("wide", "view.state.ortho = false; await view.changed(); view.camera.distance *= 0.42; view.cameraChanged();")]:
            page.change(script)
            found, expected = objects(page)
            covered = (found > 0) | (expected > 0)
            # Pixels on a silhouette may differ by rounding to single precision.
            assert np.mean(found[covered] == expected[covered]) > 0.995, name
            assert abs(np.sum(found > 0) / np.sum(expected > 0) - 1) < 0.002, name
            page.shot(name)
        page.done()


@test
def culling_changes_no_pixel(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        for script in ["", "view.state.ortho = true; await view.changed();", "view.state.clip = 'plane'; await view.changed();"]:
            page.change(script)
            kept = []
            for culls in ["true", "false"]:
                page.run(f"view.main.renderer.culls = {culls}")
                kept.append(objects(page)[0])
            assert (kept[0] == kept[1]).all()
        page.done()


@test
def a_click_on_a_particle_shows_its_data(browser):
    with Serving("view", "run") as serving:
        page = Page(browser, 1280, 800).open(serving.address)
        # The visible particle that is nearest to the camera among those at their own centre.
        x, y, wanted = page.run("""(() => { const v = view.main, box = v.canvas.getBoundingClientRect();
          for (let row = 0; row < v.bundle.id.length; row++) { const [x, y] = v.project(v.positionOf(row)), hit = v.at(x, y);
            if (hit && hit.kind === 'particle' && hit.row === row) return [x + box.left, y + box.top, v.bundle.id[row]]; } })()""")
        page.page.mouse.click(x, y)
        page.wait(f"view.state.selected === {wanted}")
        page.wait(f"document.getElementById('panel').textContent.includes('Particle {wanted}')")
        page.wait("view.inspector.plots.length === 1").settle().shot("picked")
        # The numbers are those of the program.
        shown = page.run(f"view.main.source.particle(15, {wanted})")
        assert shown["id"] == wanted and len(shown["data"]["velocity"]) == 3
        page.done()


@test
def time_line_colours_filters_and_contacts_change_the_picture(browser):
    with Serving("view", "run") as serving:
        page = Page(browser, 1000, 640).open(serving.address)
        page.run("view.timeline.slider.value = 3; view.timeline.slider.dispatchEvent(new Event('input'))")
        page.wait("Math.abs(view.time - 0.06) < 1e-3").settle()
        page.change("await view.goTo(15)")
        for color in ["group", "velocity.z", "coordination", "displacement@0", "radius"]:
            page.change(f"view.state.color = '{color}'; await view.changed(true); view.panel.rebuild()")
        visible = "(() => { const r = view.main.renderer; return r.hidden ? r.hidden.reduce((n, h) => n - h, r.count) : r.count; })()"
        page.change("view.state.hiddenGroups = [0]; await view.changed()")
        assert page.run(visible) == 60
        page.change("view.state.hiddenGroups = []; view.state.threshold = 'radius'; view.state.thresholdLow = 0.018; view.state.thresholdHigh = 1; await view.changed(true)")
        assert page.run(visible) == 40
        page.change("view.state.threshold = ''; view.state.clip = 'plane'; view.state.clipAxis = 'y'; view.state.clipFlip = true; view.state.contacts = 'all'; await view.changed(true)")
        touching = page.run("view.main.source.contacts(15).then(c => [...c.sections.force].filter(f => f > 0).length)")
        assert page.run("view.main.renderer.tubeCount") == touching > 10, touching
        page.shot("contacts")
        page.change("view.state.contacts = 'off'; view.state.clip = 'off'; view.state.marks = true; view.state.glyphs = true; await view.changed(true); await view.groupTrajectories(0)")
        page.shot("marks")
        page.done()


@test
def the_keyboard_alone_is_enough(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        press = page.page.keyboard.press
        press("Tab")
        assert page.run("document.activeElement.tagName") != "BODY"
        page.run("document.activeElement.blur()")
        for key, condition in [(",", "view.frame === 14"), (".", "view.frame === 15"), ("Home", "view.frame === 0"), ("End", "view.frame === 15"),
                               ("x", "view.camera.azimuth === 0"), ("o", "view.camera.ortho"), ("c", "view.state.contacts === 'all'"),
                               ("w", "view.state.walls === 'glass'"), ("n", "view.state.color !== 'velocity'"), ("k", "view.state.clip === 'plane'")]:
            press(key)
            page.wait(condition)
        press("?")
        page.wait("document.getElementById('help').open").shot("help")
        press("Escape")
        press("/")
        page.page.keyboard.type("17\n")
        page.wait("view.state.selected === 17").settle()
        page.done()


@test
def a_link_keeps_the_view_and_never_the_token(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        page.change("view.state.color = 'group'; await view.changed(true); view.look('iso'); await view.goTo(4)")
        time.sleep(0.6)
        link = page.run("location.href")
        token = serving.address.split("token=")[1]
        assert token not in link
        page.page.goto("about:blank")
        page.open(link.replace("#", f"#token={token}&"))
        assert page.run("[view.frame, view.state.color]") == [4, "group"]
        page.done()


@test
def a_narrow_screen_has_the_panel_as_a_sheet(browser):
    with Serving("view", "run") as serving:
        page = Page(browser, 360, 640, has_touch=True, color_scheme="dark").open(serving.address)
        page.run("document.getElementById('panel-button').click()")
        page.settle().shot("narrow-dark")
        assert page.run("document.documentElement.scrollWidth") <= 360
        assert page.run("view.main.size[1]") > 120
        page.done()


@test
def plots_show_the_tables_and_lead_to_times(browser):
    with Serving("view", "run") as serving:
        page = Page(browser, 1280, 900).open(serving.address)
        page.run("view.panel.open.Plots = true; view.panel.rebuild()")
        page.wait("view.plots.shown.length >= 2")
        assert page.run("document.getElementById('panel').textContent.includes('Energy by kind')")
        page.run("view.goToTime(0.1)")
        page.wait("view.frame === 5").settle().shot("plots")
        page.run("view.plots.chosen = 'walls'; view.plots.show()")
        page.wait("document.getElementById('panel').textContent.includes('on walls')")
        page.done()


@test
def a_picture_has_the_requested_size_and_a_video_has_every_frame(browser):
    import av
    with Serving("view", "run") as serving:
        page = Page(browser, 480, 320).open(serving.address)
        with page.page.expect_download() as saved:
            page.run("view.recorder.savePicture()")
        path = OUT / "saved.png"
        saved.value.save_as(path)
        size = page.run("view.main.size")
        frame = next(av.open(str(path)).decode(video=0))
        assert abs(frame.width - 2 * size[0]) <= 2 and abs(frame.height - 2 * size[1]) <= 2, (frame, size)
        page.settle()
        data = page.run("""view.recorder.video(() => {}, 1).then(b => { let s = ''; const u = new Uint8Array(b); for (let i = 0; i < u.length; i += 4096) s += String.fromCharCode(...u.subarray(i, i + 4096)); return btoa(s); })""")
        import base64
        video = OUT / "video.mp4"
        video.write_bytes(base64.b64decode(data))
        assert sum(1 for _ in av.open(str(video)).decode(video=0)) == 16
        page.done()


@test
def a_lost_context_comes_back(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        page.run("globalThis.lose = view.main.renderer.context.gl.getExtension('WEBGL_lose_context'); lose.loseContext()")
        page.wait("view.main.isLost === true")
        page.run("lose.restoreContext()")
        page.wait("view.main.isLost === false").settle()
        found, _ = objects(page)
        assert np.sum(found > 0) > 1000
        page.page.close()


@test
def a_failed_run_opens_at_its_particle(browser):
    with Serving("view", "failed") as serving:
        page = Page(browser, 1000, 640).open(serving.address).shot("failed")
        failure = json.loads((OUT / "failed" / "postmortem.json").read_text())
        assert page.run("view.state.selected") == failure["id"]
        assert page.run("view.frame") == page.run("view.main.info.times.length") - 1
        assert "This run failed" in page.run("document.getElementById('panel').textContent")
        page.done()


@test
def a_run_is_seen_while_it_computes(browser):
    # The run is stopped by the test: on a fast machine it must not end before the second page opens.
    slow = ["--set", "time.step=2e-6", "--set", "outputs.frames.every=0.005", "--set", "stages[1].end.after=1000", "--quiet"]
    with Serving("run", HERE / "scene.toml", "--out", "live", "--force", "--view", *slow) as serving:
        page = Page(browser)
        page.page.goto(serving.address)
        page.wait("globalThis.view && view.main.bundle && view.isLive")
        first = page.run("view.time")
        page.wait(f"view.time > {first} + 0.002")
        # The same run from its folder, by another process.
        with Serving("view", "live") as other:
            watching = Page(browser)
            watching.page.goto(other.address)
            watching.wait("globalThis.view && view.main.bundle")
            count = watching.run("view.main.info.times.length")
            assert watching.run("view.main.info.state") == "running"
            watching.wait(f"view.main.info.times.length > {count}")
            watching.page.close()
        page.shot("live")
        page.page.close()


@test
def two_runs_share_camera_time_and_colours(browser):
    with Serving("view", "run", "other") as serving:
        page = Page(browser, 1000, 480).open(serving.address)
        assert page.run("view.views.length") == 2
        page.change("await view.goTo(7)")
        assert page.run("view.views.every(v => Math.abs(v.bundle.particles.time - 0.14) < 1e-3)")
        assert page.run("view.views[0].renderer.style.range.join() === view.views[1].renderer.style.range.join()")
        page.shot("two")
        page.done()


@test
def plots_of_two_runs_have_the_lines_of_both(browser):
    with Serving("view", "run", "other") as serving:
        page = Page(browser, 1280, 800).open(serving.address)
        page.run("view.panel.open.Plots = true; view.panel.rebuild()")
        page.wait("view.plots.shown.length >= 2")
        text = page.run("view.plots.element.textContent")
        assert "run: kinetic" in text and "other: kinetic" in text, text
        page.run("view.state.wallColor = 'force'; view.loadWallValues()")
        page.wait("view.views.every(v => v.wallLevels?.some(x => x > 0))").settle().shot("two-plots")
        page.done()


@test
def walls_have_their_own_styles_and_checkpoints_are_on_the_time_line(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        wall = "(() => { const h = new Set(); const v = view.main, r = v.renderer; for (let x = 2; x < v.size[0]; x += 3) for (let y = 2; y < v.size[1]; y += 3) { const f = v.at(x, y); if (f?.kind === 'wall') h.add(v.bundle.walls.sections.wall[f.row]); } return [...h].sort(); })()"
        page.change("view.state.walls = 'solid'; await view.changed(); view.look('iso')")
        assert 1 in page.run(wall)
        page.change("view.state.wallModes = [4 * 1 + 3]; await view.changed()")
        assert page.run(wall) == [0]
        assert page.run("view.main.info.checkpoints") == [json.loads((OUT / "run" / "summary.json").read_text())["time"]]
        page.done()


@test
def a_scene_is_shown_before_it_runs(browser):
    with Serving("view", HERE / "scene.toml") as serving:
        page = Page(browser).open(serving.address).shot("scene")
        assert page.run("view.main.info.state") == "scene" and page.run("view.main.bundle.particles.count") == 100
        page.done()


def prepare():
    OUT.mkdir(parents=True, exist_ok=True)
    scene, soft = HERE / "scene.toml", "materials.grain.young_modulus=2e5"
    for folder, changes, code in [("run", [], 0), ("other", ["--set", "seed=2"], 0), ("failed", ["--set", soft], 1)]:
        made = run("run", scene, "--out", folder, "--force", "--quiet", *changes)
        assert made.returncode == code, made.stderr
    test_scale.prepare()


def main():
    prepare()
    only, failed, clock = sys.argv[1:], 0, time.time()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        cases = [(one.__name__, lambda one=one: one(browser)) for one in TESTS]
        cases.append(("without_webgl_the_program_draws_the_pictures", lambda: test_pages.without_webgl(playwright)))
        for name, act in cases:
            if only and not any(word in name for word in only):
                continue
            start = time.time()
            try:
                act()
                print(f"ok    {name.replace('_', ' ')} ({time.time() - start:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED {name.replace('_', ' ')}\n{traceback.format_exc()}", flush=True)
        browser.close()
    print(f"{failed} failed, {time.time() - clock:.0f} s, pictures in {OUT}")
    sys.exit(failed > 0)


main()
