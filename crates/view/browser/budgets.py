"""Measures the viewer: `cargo xtask view budgets`. Prints a table; nothing is compared, since machines differ.

Scenes are lattices of spheres of two sizes with jitter in a box, shown at time 0: no file is read, all else is the
path of a run.
"""
import os
import resource
import subprocess
import sys
import time

from playwright.sync_api import sync_playwright

from support import FLAGS, HERE, OUT, PROGRAM, Page, Serving

SCENE = """format = 1
title = "{count} spheres"
gravity = [0, 0, -9.81]
[domain]
min = [-1, -1, -1]
max = [{side}, {side}, {side}]
[materials]
grain = {{ density = 2500.0, young_modulus = 1.0e7, poisson_ratio = 0.25 }}
[contact]
normal = "hertz"
pairs = [{{ between = ["grain", "grain"] }}]
[[particles]]
name = "a"
material = "grain"
radius = {{ uniform = {{ min = 0.003, max = 0.0045 }} }}
velocity = [0.1, 0, 0]
insert = {{ lattice = {{ min = [0, 0, 0], max = [{size}, {size}, {size}], spacing = 0.01, jitter = 0.0005 }} }}
[[walls]]
name = "floor"
material = "grain"
half-space = {{ point = [0, 0, -0.006], normal = [0, 0, 1] }}
"""

ROTATE = """(async () => {{
  const v = view.main; let frames = 0, script = 0; const start = performance.now();
  while (performance.now() - start < {milliseconds} || frames < 3) {{
    const before = performance.now();
    view.camera.orbit(0.05, 0); v.isDirty = true; v.settled = false; v.tick(performance.now() + 1e6);
    while (v.isCulling) await new Promise((done) => setTimeout(done));
    script += performance.now() - before;
    v.renderer.context.finish(); frames++;
    await new Promise((done) => setTimeout(done));
  }}
  return [frames, performance.now() - start, script, v.renderer.drawn, v.renderer.count, performance.memory.usedJSHeapSize]; }})()"""

FIRST = """(() => { const t = performance.getEntriesByName('first picture')[0]; return t ? t.startTime : null; })()"""


def processor_time(browser_process):
    """Processor time of all processes of the browser so far [s]."""
    total = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                text = open(f"/proc/{entry}/stat").read()
                if "(chromium" in text or "(chrome" in text:
                    fields = text.rsplit(")", 1)[1].split()
                    total += int(fields[11]) + int(fields[12])
            except OSError:
                pass
    return total / os.sysconf("SC_CLK_TCK")


def rotating(browser, cells, milliseconds):
    count, size = cells**3, (cells - 1) * 0.01
    scene = OUT / f"budget-{count}.toml"
    scene.write_text(SCENE.format(count=count, size=size, side=size + 1))
    with Serving("view", scene) as serving:
        page = Page(browser, 1280, 800)
        page.page.goto(serving.address)
        page.wait(f"({FIRST}) !== null", 300)
        first = page.run(FIRST)
        page.wait("view.settled", 600)
        before = processor_time(browser)
        frames, wall, script, drawn, total, heap = page.run(ROTATE.format(milliseconds=milliseconds))
        used = processor_time(browser) - before
        print(f"{total} spheres: first picture after {first / 1000:.2f} s; rotating: {1000 * frames / wall:.1f} frames/s by the clock, "
              f"{1000 * used / frames:.0f} ms of processor time per frame ({script / frames:.0f} ms until drawn commands are issued), "
              f"{drawn} spheres drawn, heap {heap / 1e6:.0f} MB", flush=True)
        page.done()


def children_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_once(browser, watched):
    """Processor time of a run, with or without a page attached [s]."""
    scene = ["run", HERE / "scene.toml", "--out", "timed", "--force", "--quiet", "--threads", "1", "--set", "time.step=1e-6",
             "--set", "outputs.frames.every=1"]
    before = children_time()
    if not watched:
        subprocess.run([PROGRAM, *map(str, scene)], cwd=OUT, check=True, stdout=subprocess.DEVNULL)
        return children_time() - before
    process = subprocess.Popen([PROGRAM, *map(str, scene), "--view", "--no-browser"], cwd=OUT, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    page = Page(browser, 480, 320)
    page.page.goto(process.stdout.readline().strip())
    page.wait("globalThis.view && view.main.bundle")
    process.communicate()
    page.page.close()
    return children_time() - before


def slowdown(browser, pairs):
    plain, watched = [], []
    for _ in range(pairs):
        plain.append(run_once(browser, False))
        watched.append(run_once(browser, True))
    ratios = sorted(w / p for w, p in zip(watched, plain))
    print(f"run --view: processor time with a page / without, {pairs} interleaved pairs: median {ratios[pairs // 2]:.4f}, "
          f"all {', '.join(f'{r:.3f}' for r in ratios)}; a run takes {min(plain):.1f} s")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*FLAGS, "--enable-precise-memory-info"])
        print("Chromium", browser.version, "with SwiftShader, 1280 x 800")
        for cells, milliseconds in [(22, 4000), (47, 6000), (100, 10000)]:
            if len(sys.argv) < 2 or str(cells**3) in sys.argv[1:]:
                rotating(browser, cells, milliseconds)
        if len(sys.argv) < 2 or "run" in sys.argv[1:]:
            slowdown(browser, 5)
        browser.close()


main()
