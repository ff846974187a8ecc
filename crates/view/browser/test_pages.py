"""Self-contained pages, notebooks, the report, and browsers without WebGL2."""
import html
import time

import numpy as np

from support import OUT, Page, Serving, objects, run, test


@test
def an_exported_page_works_from_a_file_and_in_a_notebook_cell(browser):
    assert run("view", "run", "--export", "one.html").returncode == 0
    page = Page(browser).open((OUT / "one.html").as_uri()).shot("exported")
    assert page.run("view.main.bundle.particles.count") == 100
    page.change("view.state.contacts = 'all'; await view.changed(true)")
    page.change("await view.goTo(2); view.select(17)")
    page.wait("view.inspector.plots.length === 1")
    # Orientations and velocities are in the page, to within what bytes can hold.
    page.change("view.state.marks = true; view.state.glyphs = true; await view.changed(true)").shot("exported-marks")
    with Serving("view", "run") as serving:
        served = Page(browser).open(serving.address)
        served.change("view.state.marks = true; view.state.glyphs = true; await view.changed(true); await view.goTo(2)")
        for section, tolerance in [("orientation", 300), ("vector", 0.02)]:
            read = f"[...view.main.bundle.particles.sections.{section}]"
            given, expected = np.array(page.run(read), float), np.array(served.run(read), float)
            assert given.shape == expected.shape and np.abs(given - expected).max() < tolerance, section
        served.done()
    page.done()
    whole = html.escape((OUT / "one.html").read_text(), quote=True)
    (OUT / "cell.html").write_text(f'<!doctype html><iframe sandbox="allow-scripts allow-downloads" width="600" height="400" srcdoc="{whole}"></iframe>')
    cell = Page(browser)
    cell.page.goto((OUT / "cell.html").as_uri())
    end = time.time() + 120
    while time.time() < end and not cell.page.frames[-1].evaluate("!!(globalThis.view && view.settled)"):
        time.sleep(0.2)
    assert cell.page.frames[-1].evaluate("view.main.bundle.particles.count") == 100
    cell.shot("cell").done()


@test
def the_report_embeds_the_viewer(browser):
    page = Page(browser, 900, 900)
    page.page.goto((OUT / "run" / "report.html").as_uri())
    page.page.locator("iframe.viewer").scroll_into_view_if_needed()
    end = time.time() + 120
    while time.time() < end and not page.page.frames[-1].evaluate("!!(globalThis.view && view.settled)"):
        time.sleep(0.2)
    assert page.page.frames[-1].evaluate("view.main.bundle.particles.count") == 100
    assert page.page.frames[-1].evaluate("view.main.info.state") == "finished"
    assert page.run("document.body.textContent.includes('Energy by kind')")
    page.page.screenshot(path=OUT / "report.png", full_page=True, timeout=60_000)
    page.done()


@test
def a_page_out_of_view_frees_its_context_and_draws_again(browser):
    # Browsers keep about sixteen contexts: a notebook with more pages would lose the oldest.
    report = (OUT / "run" / "report.html").read_text()
    cell = report[report.index("<iframe"):report.index("</iframe>")].replace("<iframe", '<iframe width="600" height="400"')
    (OUT / "cells.html").write_text("<!doctype html>" + f'<div style="margin-bottom: 2000px">{cell}</iframe></div>' * 2)
    page = Page(browser)
    page.page.goto((OUT / "cells.html").as_uri())
    cells = page.page.query_selector_all("iframe")

    def look_at(index, other):
        cells[index].scroll_into_view_if_needed()
        end = time.time() + 120
        inside = [cell.content_frame() for cell in cells]
        drawn, freed = "!!(globalThis.view && view.settled && !view.main.isLost)", "!globalThis.view || view.main.isLost"
        while time.time() < end:
            if inside[index].evaluate(drawn) and inside[other].evaluate(freed):
                return
            time.sleep(0.2)
        raise AssertionError(f"page {index} is not drawn, or page {other} keeps its context")

    look_at(0, 1)
    look_at(1, 0)
    look_at(0, 1)
    page.done()


def without_webgl(playwright):
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-3d-apis"])
    with Serving("view", "run") as serving:
        page = Page(browser)
        page.page.goto(serving.address)
        page.wait("!!document.querySelector('.view img')?.naturalWidth").shot("no-webgl")
        assert "WebGL2" in page.run("document.querySelector('.banner').textContent")
        page.done()
    browser.close()


def becomes(frame, script, value):
    """Whether a script has a value within two minutes."""
    end = time.time() + 120
    while time.time() < end:
        if frame.evaluate(script) == value:
            return True
        time.sleep(0.2)
    return False


@test
def many_views_on_one_page_share_the_contexts(browser):
    """A browser keeps about 16 contexts: cells of a notebook that are out of view release theirs."""
    assert run("view", "run", "--export", "small.html", "--frames", "2").returncode == 0
    whole = html.escape((OUT / "small.html").read_text(), quote=True)
    cell = f'<iframe sandbox="allow-scripts" width="420" height="300" style="display: block" srcdoc="{whole}"></iframe>'
    (OUT / "notebook.html").write_text(f"<!doctype html><title>cells</title>{cell * 20}")
    page = Page(browser, 460, 640)
    page.page.goto((OUT / "notebook.html").as_uri())
    state = "globalThis.view && view.main.bundle ? (view.main.isLost ? 'released' : view.settled ? 'shown' : 'busy') : 'starting'"
    for number, cell in enumerate(page.page.locator("iframe").all()):
        cell.scroll_into_view_if_needed()
        frame = cell.element_handle().content_frame()
        assert becomes(frame, state, "shown"), number
    # All others show a picture without a context.
    assert "2 of 16 frames" in page.page.frames[1].evaluate("document.getElementById('panel').textContent")
    states = [frame.evaluate(state) for frame in page.page.frames[1:]]
    assert len(states) - states.count("released") <= 8 and states.count("released") >= 12, states
    page.page.locator("iframe").first.scroll_into_view_if_needed()
    first = page.page.frames[1]
    assert first.evaluate("document.querySelector('canvas.still').width") > 100
    assert becomes(first, state, "shown")
    page.shot("notebook").done()


@test
def the_copied_command_draws_the_same_silhouette(browser):
    import av
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        page.change("""view.state.ortho = true; view.state.color = 'group'; view.state.walls = 'hidden'; view.state.hiddenGroups = [1];
          view.state.clip = 'plane'; view.state.clipAxis = 'z'; view.state.clipAt = 0.3; await view.changed(true)""")
        page.change("view.camera.zoom(0.7, 0.1, -0.2, 1.5); view.cameraChanged()")
        found, _ = objects(page)
        command = page.run("view.command()").split()
    assert command[:2] == ["esker", "view"]
    command[command.index("--picture") + 1] = "command.png"
    made = run(*command[1:])
    assert made.returncode == 0, made.stderr
    pixels = next(av.open(str(OUT / "command.png")).decode(video=0)).to_ndarray(format="rgb24").astype(int)
    colored = pixels.max(axis=2) - pixels.min(axis=2) > 35
    # The same camera, other resolutions: compare areas as fractions of the picture.
    drawn, shown = colored.mean(), (found > 0).mean()
    assert abs(drawn / shown - 1) < 0.02, (drawn, shown)
    page.done()
