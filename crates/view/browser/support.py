"""A browser, servers of the program, and a ray caster to compare with."""
import os
import subprocess
import time
from pathlib import Path

import numpy as np

PROGRAM = os.environ["ESKER"]
OUT = Path(os.environ["ESKER_VIEW_OUT"])
HERE = Path(__file__).parent
# Software rendering, nothing of the network, no sandbox: tests run as root on machines of CI.
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
         "--disable-default-apps", "--disable-extensions"]
PATIENCE = 120
TESTS = []


def test(function):
    """Registers a test."""
    TESTS.append(function)
    return function


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=OUT, capture_output=True, text=True)


class Serving:
    """`esker view` or `esker run --view` as a process of its own; its first line is the address."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments), "--no-browser"], cwd=OUT, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)


class Page:
    """A page that fails the test on any error and on any request to another host."""

    def __init__(self, browser, width=640, height=420, **options):
        self.page = browser.new_page(viewport={"width": width, "height": height}, **options)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("request", self.check)

    def check(self, request):
        if not request.url.startswith(("http://127.0.0.1:", "blob:", "file:", "data:", "about:")):
            self.errors.append(f"request to {request.url}")

    def open(self, address):
        self.page.goto(address)
        return self.settle()

    def run(self, script):
        return self.page.evaluate(script)

    def wait(self, condition, patience=PATIENCE):
        end = time.time() + patience
        while time.time() < end:
            if self.run(condition):
                return self
            time.sleep(0.1)
        notice = self.run("document.getElementById('notice')?.textContent")
        raise AssertionError(f"not true in {patience} s: {condition} ({notice}) {self.errors}")

    def settle(self):
        return self.wait("!!(globalThis.view && view.settled)")

    def change(self, script):
        """Changes the state, and waits until the picture is complete."""
        self.run(f"(async () => {{ {script} }})()")
        return self.settle()

    def shot(self, name):
        self.page.screenshot(path=OUT / f"{name}.png", timeout=60_000)
        return self

    def done(self):
        assert not self.errors, self.errors
        self.page.close()


OBJECTS = """(() => { const v = view.main, r = v.renderer, gl = r.context.gl; v.drawQuickly();
  const out = new Uint32Array(r.width * r.height); gl.bindFramebuffer(gl.FRAMEBUFFER, r.geometry.frame);
  gl.readPixels(0, 0, r.width, r.height, gl.RED_INTEGER, gl.UNSIGNED_INT, out);
  const m = v.matrices(); return { width: r.width, height: r.height, objects: [...out], view: [...m.view],
    projection: [...m.projection], position: [...r.position], count: r.count }; })()"""


def objects(page):
    """The object at each pixel, and the same by casting a ray through each pixel: row + 1 of the nearest sphere."""
    data = page.run(OBJECTS)
    width, height = data["width"], data["height"]
    view = np.array(data["view"], float).reshape(4, 4).T
    projection = np.array(data["projection"], float).reshape(4, 4).T
    spheres = np.array(data["position"], float).reshape(-1, 4)[: data["count"]]
    centers = spheres[:, :3] @ view[:3, :3].T + view[:3, 3]
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * 2 - 1, (np.arange(height) + 0.5) / height * 2 - 1)
    is_perspective = projection[3, 2] != 0
    x, y = x / projection[0, 0], y / projection[1, 1]
    nearest, row = np.full(x.shape, np.inf), np.zeros(x.shape, int)
    for index, (center, radius) in enumerate(zip(centers, spheres[:, 3])):
        if is_perspective:
            length = np.sqrt(x * x + y * y + 1)
            along = (x * center[0] + y * center[1] - center[2]) / length
            rest = radius**2 - (center @ center - along**2)
            distance = (along - np.sqrt(np.maximum(rest, 0))) / length
        else:
            rest = radius**2 - (x - center[0]) ** 2 - (y - center[1]) ** 2
            distance = -center[2] - np.sqrt(np.maximum(rest, 0))
        hit = (rest > 0) & (distance < nearest)
        nearest[hit], row[hit] = distance[hit], index + 1
    found = np.array(data["objects"], np.int64).reshape(height, width)
    return np.where(found < 2**30, found, 0), row
