// @ts-check
// Draws one picture: geometry, light, glass, lines. Also refinement, picking and culling.
import { DataTexture, Gl } from './gl.js';
import { jitter, lampDirection, lampMatrices, skySample } from './light.js';
import { rotated, shifted } from './matrix.js';
import { visibleSpheres } from './cull.js';
import { paletteBytes, scaleBytes } from './colors.js';
import * as shader from './shaders.js';

/** @typedef {import('./matrix.js').Vec} Vec */
/** @typedef {{ view: Float32Array, projection: Float32Array, world: Float32Array }} Matrices */

const SHADOW = 1024;
const FAR = 1e30;

export class Renderer {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = new Gl(canvas);
    const c = this.context, { gl } = c;
    this.programs = {
      spheres: c.program(shader.sphereVertex, shader.sphereFragment(c.conservative)),
      walls: c.program(shader.wallVertex, shader.wallFragment),
      glass: c.program(shader.wallVertex, shader.glassFragment),
      lines: c.program(shader.lineVertex, shader.lineFragment),
      tubes: c.program(shader.tubeVertex, shader.tubeFragment),
      light: c.program(shader.screenVertex, shader.lightFragment),
      show: c.program(shader.screenVertex, shader.showFragment),
    };
    this.positions = new DataTexture(c, 4);
    this.infos = new DataTexture(c, 4);
    this.orientations = new DataTexture(c, 4);
    this.triangles = new DataTexture(c, 4);
    this.wallStyles = new DataTexture(c, 4);
    this.tubes = new DataTexture(c, 4);
    this.list = new DataTexture(c, 1, 'u32');
    this.shadow = c.target(SHADOW, SHADOW, null, true);
    this.scale = c.texture(gl.RGBA8, 256, 1, gl.LINEAR);
    this.tubeScale = c.texture(gl.RGBA8, 256, 1, gl.LINEAR);
    this.palette = c.texture(gl.RGBA8, 16, 1);
    gl.bindTexture(gl.TEXTURE_2D, this.palette);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 16, 1, gl.RGBA, gl.UNSIGNED_BYTE, paletteBytes());
    this.setScale(this.tubeScale, 'force');
    /** @type {{ array: WebGLVertexArrayObject, buffer: WebGLBuffer, count: number, ink: number[] }[]} */
    this.lineSets = [];
    this.count = 0; this.triangleCount = 0; this.tubeCount = 0;
    /** @type {Float32Array} */
    this.position = new Float32Array(0);
    this.visible = new Uint32Array(0);
    /** @type {Uint8Array | null} */
    this.hidden = null;
    this.low = [-1, -1, -1]; this.high = [1, 1, 1]; this.radius = 1;
    this.shadowIsFresh = false;
    this.culls = c.isSoftware;
    this.drawn = 0;
    /** Uniforms that the panel sets. @type {Record<string, any>} */
    this.style = { clip: [0, 0, 0, 1], boxLow: [-FAR, -FAR, -FAR], boxHigh: [FAR, FAR, FAR], threshold: [-FAR, FAR], groups: new Uint32Array(8).fill(0xffffffff),
      range: [0, 1], byGroup: false, logarithmic: false, marks: false, transparent: false, selected: -1, hovered: -1, partner: -1, thickness: 1,
      periods: [0, 0, 0], paperTop: [0.955, 0.965, 0.98], paperBottom: [0.80, 0.83, 0.87], glass: [0.35, 0.45, 0.58] };
    /** @type {Vec[]} */
    this.shifts = [[0, 0, 0]];
    this.showsParticles = true;
    /** Clipping of tubes, if it differs. @type {Record<string, any>} */
    this.tubeClip = {};
    this.width = 0; this.height = 0;
  }

  /** @param {WebGLTexture} texture @param {import('./colors.js').ScaleName | 'force'} name */
  setScale(texture, name) {
    const { gl } = this.context;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 1, gl.RGBA, gl.UNSIGNED_BYTE, scaleBytes(name));
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    if (this.width === width && this.height === height) return;
    const c = this.context, { gl } = c;
    c.remove(this.geometry); c.remove(this.picture);
    this.width = this.canvas.width = width;
    this.height = this.canvas.height = height;
    this.geometry = c.target(width, height, gl.R32UI, true);
    this.picture = c.target(width, height, gl.RGBA32F, false);
  }

  /** @param {Float32Array} position centre and radius @param {number} count */
  setPositions(position, count) {
    this.positions.set(position, count);
    this.position = position; this.count = count; this.shadowIsFresh = false;
    let sum = 0;
    const low = [FAR, FAR, FAR], high = [-FAR, -FAR, -FAR];
    for (let i = 0; i < 4 * count; i += 4) {
      const r = position[i + 3];
      sum += r;
      for (let k = 0; k < 3; k++) {
        const x = position[i + k];
        if (x - r < low[k]) low[k] = x - r;
        if (x + r > high[k]) high[k] = x + r;
      }
    }
    this.radius = count ? sum / count : 1;
    if (low[0] <= high[0]) { this.low = low; this.high = high; }
  }

  /** @param {Float32Array} corners four numbers each, the wall in the first of three @param {number} count of triangles */
  setTriangles(corners, count) { this.triangles.set(corners, 3 * count); this.triangleCount = count; this.shadowIsFresh = false; }

  /** @param {Float32Array} tubes @param {number} count */
  setTubes(tubes, count) { this.tubes.set(tubes, 2 * count); this.tubeCount = count; }

  /** @param {{ points: Float32Array, ink: number[] }[]} sets pairs of points */
  setLines(sets) {
    const { gl } = this.context;
    for (const set of this.lineSets) { gl.deleteVertexArray(set.array); gl.deleteBuffer(set.buffer); }
    this.lineSets = sets.filter((set) => set.points.length).map(({ points, ink }) => {
      const array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array); gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
      return { array, buffer, count: points.length / 3, ink };
    });
  }

  /** @param {Record<string, any>} values @param {boolean} listed */
  drawSpheres(values, listed) {
    if (!this.showsParticles || !this.count) return;
    const c = this.context, { gl } = c, count = listed ? this.drawn : this.count;
    for (const shift of this.shifts) {
      c.use(this.programs.spheres, { ...values, positions: this.positions.texture, infos: this.infos.texture, list: this.list.texture, listed, shift });
      gl.bindVertexArray(c.nothing);
      gl.drawArrays(gl.TRIANGLES, 0, 3 * count);
    }
  }

  /** @param {Vec} lamp @param {{ center: Vec, half: number }} focus what is seen: the map covers no more */
  drawShadow(lamp, focus) {
    const c = this.context, { gl } = c, { view, projection, matrix, texel } = lampMatrices(lamp, this.low, this.high, focus, SHADOW);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame); gl.viewport(0, 0, SHADOW, SHADOW);
    gl.enable(gl.DEPTH_TEST); gl.depthMask(true); gl.disable(gl.BLEND); gl.clear(gl.DEPTH_BUFFER_BIT);
    this.drawSpheres({ ...this.style, view, projection, ortho: true }, false);
    this.lampMatrix = matrix; this.bias = 2 * texel;
  }

  /** Whether hidden spheres are left out. Images of periodic boundaries are not culled. */
  get leavesOutHidden() { return this.culls && this.showsParticles && this.shifts.length === 1; }

  /** The projection of a picture or of a pass of the refinement. @param {Matrices} camera @param {boolean} ortho @param {number} [pass] */
  projectionOf(camera, ortho, pass) { return pass === undefined ? camera.projection : shifted(camera.projection, jitter(pass), this.width, this.height, ortho); }

  /** @param {Record<string, any>} values @param {Uint32Array} [list] of the spheres that may show, if a worker has found them */
  drawGeometry(values, list) {
    const c = this.context, { gl } = c, { geometry, programs } = this;
    if (!geometry) return;
    gl.bindFramebuffer(gl.FRAMEBUFFER, geometry.frame); gl.viewport(0, 0, this.width, this.height);
    gl.enable(gl.DEPTH_TEST); gl.depthMask(true); gl.disable(gl.BLEND);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]); gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.bindVertexArray(c.nothing);
    if (this.triangleCount) { c.use(programs.walls, values); gl.drawArrays(gl.TRIANGLES, 0, 3 * this.triangleCount); }
    if (this.tubeCount) { c.use(programs.tubes, { ...values, ...this.tubeClip, offset: 0 }); gl.drawArrays(gl.TRIANGLES, 0, 6 * this.tubeCount); }
    const listed = this.leavesOutHidden;
    if (listed && list) { this.drawn = list.length; this.list.set(list, list.length); } else if (listed) {
      if (this.visible.length < this.count) this.visible = new Uint32Array(this.count);
      const { position, count, hidden, width, height } = this;
      this.drawn = visibleSpheres({ position, count, hidden, width, height, ortho: values.ortho, view: values.view, projection: values.projection }, this.visible);
      this.list.set(this.visible, this.drawn);
    } else this.drawn = this.count * this.shifts.length;
    this.drawSpheres(values, listed);
  }

  /**
   * Draws the picture. Without `pass` quickly; with it, pass k of the refinement.
   * @param {Matrices} camera @param {boolean} ortho @param {{ up: Vec, ground: [Vec, Vec], focus: { center: Vec, half: number } }} sky @param {number} [pass] @param {Uint32Array} [list]
   */
  draw(camera, ortho, { up, ground, focus }, pass, list) {
    const c = this.context, { gl } = c, { view, world } = camera, refines = pass !== undefined, { geometry, picture } = this;
    if (!geometry || !picture || gl.isContextLost()) return;
    const projection = this.projectionOf(camera, ortho, pass);
    const lamp = refines ? skySample(pass, up, ground) : lampDirection(up, ground);
    const isClose = focus.half < 0.4 * Math.hypot(...this.low.map((l, k) => this.high[k] - l));
    if (refines || isClose || !this.shadowIsFresh) { this.drawShadow(lamp, focus); this.shadowIsFresh = !refines && !isClose; }
    const middle = [0, 1, 2].map((k) => (this.low[k] + this.high[k]) / 2);
    const values = { ...this.style, view, projection, world, ortho, middle, resolution: [this.width, this.height],
      positions: this.positions.texture, infos: this.infos.texture, triangles: this.triangles.texture, wallStyles: this.wallStyles.texture,
      tubes: this.tubes.texture, scale: this.scale, tubeScale: this.tubeScale, palette: this.palette, orientations: this.orientations.texture,
      objects: geometry.color, depths: geometry.depth, shadows: this.shadow.depth, lampMatrix: this.lampMatrix,
      lamp: rotated(view, lamp), skyUp: rotated(view, up), gapRadius: 1.6 * this.radius, bias: this.bias, angle: (pass ?? 0) * 1.7,
      samples: refines ? 6 : 8, taps: refines ? 1 : 4, mode: refines ? 1 : 0 };
    this.drawGeometry(values, list);
    gl.bindFramebuffer(gl.FRAMEBUFFER, refines ? picture.frame : null);
    gl.disable(gl.DEPTH_TEST); gl.depthMask(false); gl.bindVertexArray(c.nothing);
    if (refines && pass > 0) { gl.enable(gl.BLEND); gl.blendFunc(gl.CONSTANT_ALPHA, gl.ONE_MINUS_CONSTANT_ALPHA); gl.blendColor(0, 0, 0, 1 / (pass + 1)); }
    c.use(this.programs.light, values);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.BLEND);
    if (refines) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      c.use(this.programs.show, { picture: picture.color });
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    this.drawOverlays(values);
  }

  /** @param {Record<string, any>} values */
  drawOverlays(values) {
    const c = this.context, { gl } = c;
    gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (this.triangleCount) { gl.bindVertexArray(c.nothing); c.use(this.programs.glass, values); gl.drawArrays(gl.TRIANGLES, 0, 3 * this.triangleCount); }
    for (const set of this.lineSets) {
      c.use(this.programs.lines, { ...values, ink: set.ink });
      gl.bindVertexArray(set.array);
      gl.drawArrays(gl.LINES, 0, set.count);
    }
    gl.disable(gl.BLEND);
  }

  /** The object at a pixel. @param {number} x @param {number} y @returns {{ kind: 'particle' | 'tube' | 'wall', row: number } | null} */
  pick(x, y) {
    const { gl } = this.context, out = new Uint32Array(4);
    if (!this.geometry || x < 0 || y < 0 || x >= this.width || y >= this.height) return null;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.geometry.frame);
    gl.readPixels(Math.floor(x), this.height - 1 - Math.floor(y), 1, 1, gl.RED_INTEGER, gl.UNSIGNED_INT, out);
    const object = out[0];
    if (object === 0) return null;
    if (object & 0x80000000) return { kind: 'wall', row: object & 0x7fffffff };
    if (object & 0x40000000) return { kind: 'tube', row: object & 0x3fffffff };
    return { kind: 'particle', row: object - 1 };
  }
}
