"""Runs with thousands of frames, culling in a worker, contrast of texts."""
import os
import shutil
import time

from support import OUT, Page, Serving, test

FRAMES = 5000


def prepare():
    """A run with thousands of frames: the files of the small run under many names."""
    many, run = OUT / "many", OUT / "run"
    shutil.rmtree(many, ignore_errors=True)
    shutil.copytree(run, many)
    lines = ['<?xml version="1.0"?>', '<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">', "<Collection>"]
    for frame in range(FRAMES):
        for part in ["particles", "contacts"]:
            name = f"frames/{part}_{frame:06}.vtp"
            if frame >= 16:
                os.link(run / f"frames/{part}_{frame % 16:06}.vtp", many / name)
            lines.append(f'<DataSet timestep="{frame * 0.0001:.6}" part="0" name="{part}" file="{name}"/>')
        lines.append(f'<DataSet timestep="{frame * 0.0001:.6}" part="2" name="walls" file="frames/walls_000000.vtp"/>')
    (many / "frames.pvd").write_text("\n".join([*lines, "</Collection>", "</VTKFile>", ""]))


def peak_memory(process):
    """Largest resident memory so far [MB]."""
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024


@test
def a_run_with_thousands_of_frames_opens_at_once_in_bounded_memory(browser):
    with Serving("view", "many") as serving:
        start = time.time()
        page = Page(browser)
        page.page.goto(serving.address)
        page.wait("globalThis.view && view.main.bundle")
        opened = time.time() - start
        assert page.run("view.main.info.times.length") == FRAMES
        # Jump through some hundred frames, and ask for the history of a particle over all of them.
        page.run("(async () => { for (let i = 0; i < 200; i++) await view.goTo(i * 37 % 5000, true); globalThis.played = true; })()")
        page.wait("globalThis.played", 240)
        start = time.time()
        history = page.run("view.main.source.history(17, 'velocity')")
        waited = time.time() - start
        assert 1000 < len(history["times"]) <= 5000
        kept = page.run("view.main.frames.kept.size")
        memory = peak_memory(serving.process)
        print(f"      opened in {opened:.1f} s, history in {waited:.1f} s, server {memory:.0f} MB, {kept} frames kept in the page")
        assert kept <= 400 and memory < 400, (kept, memory)
        page.settle().shot("many-frames").done()


@test
def a_worker_finds_the_same_spheres_as_the_page(browser):
    with Serving("view", "run") as serving:
        page = Page(browser).open(serving.address)
        found = page.run("""(async () => {
          const { Culler, visibleSpheres } = await import('/assets/cull.js'), r = view.main.renderer, m = view.main.matrices(), ortho = view.camera.ortho;
          const input = { view: m.view, projection: r.projectionOf(m, ortho, 3), ortho, width: r.width, height: r.height };
          const data = { position: r.position, count: r.count, hidden: null }, visible = new Uint32Array(r.count), culler = new Culler();
          culler.set(data);
          const list = await culler.find(input), n = visibleSpheres({ ...input, ...data }, visible);
          return [[...list], [...visible.subarray(0, n)], Culler.serves(300000, view.main.source), Culler.serves(299999, view.main.source)]; })()""")
        assert found[0] == found[1] and 0 < len(found[0]) < 100
        assert found[2] is True and found[3] is False
        page.done()


CONTRAST = """(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number), light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const level = (c) => { const [r, g, b] = light(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.9) return c; } return [255, 255, 255]; };
  const out = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility()) continue;
    const [a, b] = [level(rgb(getComputedStyle(e).color)), level(ground(e))].sort((x, y) => y - x);
    out.push([(a + 0.05) / (b + 0.05), e.tagName, e.textContent.slice(0, 30)]);
  }
  return out.sort((x, y) => x[0] - y[0]); })()"""


@test
def texts_have_a_contrast_of_at_least_four_and_a_half(browser):
    for scheme in ["light", "dark"]:
        with Serving("view", "failed") as serving:
            page = Page(browser, 1280, 900, color_scheme=scheme).open(serving.address)
            page.run("for (const d of document.querySelectorAll('#panel details')) d.open = true")
            page.settle().shot(f"all-{scheme}")
            texts = page.run(CONTRAST)
            assert len(texts) > 40 and texts[0][0] >= 4.5, texts[:5]
            page.done()
