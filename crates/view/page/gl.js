// @ts-check
// WebGL2: programs with their uniforms, textures of data, targets to draw into.

/** @typedef {{ program: WebGLProgram, uniforms: Map<string, [number, WebGLUniformLocation]> }} Program */
/** @typedef {{ frame: WebGLFramebuffer, width: number, height: number, color?: WebGLTexture, depth?: WebGLTexture }} Target */

/** Texels in a row of a texture of data. */
export const ROW = 2048;

export class Gl {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const options = { antialias: false, depth: false, alpha: true, premultipliedAlpha: true,
      preserveDrawingBuffer: true, powerPreference: 'high-performance' };
    const gl = /** @type {WebGL2RenderingContext | null} */ (canvas.getContext('webgl2', options));
    if (!gl || !gl.getExtension('EXT_color_buffer_float')) throw new Error('WebGL2 is not available');
    this.gl = gl;
    this.canBlendFloat = !!gl.getExtension('EXT_float_blend');
    this.conservative = !!gl.getExtension('EXT_conservative_depth');
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    this.renderer = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    this.isSoftware = /swiftshader|llvmpipe|softpipe|software|warp|basic render/i.test(this.renderer);
    this.largest = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    this.nothing = gl.createVertexArray();
    gl.disable(gl.DITHER);
  }

  /** @param {string} vertex @param {string} fragment @returns {Program} */
  program(vertex, fragment) {
    const { gl } = this, program = gl.createProgram();
    for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
      gl.shaderSource(shader, '#version 300 es\n' + text.trimStart());
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
      throw new Error([gl.getProgramInfoLog(program), ...logs].join('\n'));
    }
    const uniforms = new Map();
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; i++) {
      const found = gl.getActiveUniform(program, i);
      if (found) uniforms.set(found.name.replace('[0]', ''), [found.type, gl.getUniformLocation(program, found.name)]);
    }
    return { program, uniforms };
  }

  /** Uses a program with values for all its uniforms. @param {Program} program @param {Record<string, any>} values */
  use({ program, uniforms }, values) {
    const { gl } = this;
    gl.useProgram(program);
    let unit = 0;
    for (const [name, [type, at]] of uniforms) {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for ${name}`);
      switch (type) {
        case gl.FLOAT_MAT4: gl.uniformMatrix4fv(at, false, value); break;
        case gl.FLOAT_VEC4: gl.uniform4fv(at, value); break;
        case gl.FLOAT_VEC3: gl.uniform3fv(at, value); break;
        case gl.FLOAT_VEC2: gl.uniform2fv(at, value); break;
        case gl.FLOAT: gl.uniform1f(at, value); break;
        case gl.UNSIGNED_INT: gl.uniform1uiv(at, value); break;
        case gl.INT: case gl.BOOL: gl.uniform1i(at, Number(value)); break;
        default:
          gl.activeTexture(gl.TEXTURE0 + unit);
          gl.bindTexture(gl.TEXTURE_2D, value);
          gl.uniform1i(at, unit++);
      }
    }
  }

  /** @param {number} format @param {number} width @param {number} height @param {number} [filter] */
  texture(format, width, height, filter) {
    const { gl } = this, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    for (const which of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, which, filter ?? gl.NEAREST);
    for (const which of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, which, gl.CLAMP_TO_EDGE);
    return texture;
  }

  /**
   * A target with a colour of a format (none if null), and a depth.
   * @param {number} width @param {number} height @param {number | null} format @param {boolean} depth @returns {Target}
   */
  target(width, height, format, depth) {
    const { gl } = this, frame = gl.createFramebuffer();
    /** @type {Target} */
    const target = { frame, width, height };
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    if (format === null) gl.drawBuffers([gl.NONE]);
    else {
      target.color = this.texture(format, width, height);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target.color, 0);
    }
    if (depth) {
      target.depth = this.texture(gl.DEPTH_COMPONENT32F, width, height);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, target.depth, 0);
    }
    return target;
  }

  /** @param {Target | undefined} target */
  remove(target) {
    if (!target) return;
    this.gl.deleteFramebuffer(target.frame);
    if (target.color) this.gl.deleteTexture(target.color);
    if (target.depth) this.gl.deleteTexture(target.depth);
  }

  finish() {
    const out = new Uint8Array(4);
    this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, null);
    this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, out);
  }
}

/** Tuples of numbers in a texture that grows with them. */
export class DataTexture {
  /** @param {Gl} context @param {1 | 4} components @param {'f32' | 'u32'} kind */
  constructor(context, components, kind = 'f32') {
    this.context = context;
    this.components = components;
    this.kind = kind;
    this.rows = 0;
    /** @type {WebGLTexture | null} */
    this.texture = null;
    this.set(new (kind === 'f32' ? Float32Array : Uint32Array)(components), 1);
  }

  /** @param {Float32Array | Uint32Array} data @param {number} count */
  set(data, count) {
    const { gl } = this.context, rows = Math.max(1, Math.ceil(count / ROW));
    if (rows > this.context.largest) throw new Error(`${count} are more than this graphics system can hold`);
    const whole = this.kind === 'u32' ? [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT]
      : this.components === 4 ? [gl.RGBA32F, gl.RGBA, gl.FLOAT] : [gl.R32F, gl.RED, gl.FLOAT];
    if (rows > this.rows) {
      if (this.texture) gl.deleteTexture(this.texture);
      this.texture = this.context.texture(whole[0], ROW, rows);
      this.rows = rows;
    }
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const full = Math.floor(count / ROW), rest = count - full * ROW;
    if (full) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, ROW, full, whole[1], whole[2], data, 0);
    if (rest) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, full, rest, 1, whole[1], whole[2], data, full * ROW * this.components);
  }
}
