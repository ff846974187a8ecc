// @ts-check
// All GLSL. Geometry pass: the object at each pixel and its depth. Lighting pass: once per pixel.
// Objects: 0 nothing; row + 1 of a particle; row of a tube with bit 30 set; triangle of a wall with bit 31 set.

const precision = `precision highp float; precision highp int; precision highp sampler2D; precision highp usampler2D;`;

const data = `${precision}
uniform sampler2D positions;     // centre and radius of each particle
uniform sampler2D infos;         // quantity, quantity of the threshold, group
ivec2 texel(int i) { return ivec2(i & 2047, i >> 11); }
`;

const depthOf = `
float depthOf(float z) {
  return ortho ? (projection[2][2] * z + projection[3][2]) * 0.5 + 0.5
               : (projection[2][2] + projection[3][2] / z) * -0.5 + 0.5;
}`;

/** Which particles are hidden by the clip plane, the box, the threshold or their group. */
const filter = `
uniform vec4 clip; uniform vec3 boxLow, boxHigh; uniform vec2 threshold; uniform uint groups[8];
bool hidden(int i, vec3 p) {
  if (dot(clip.xyz, p) > clip.w || any(lessThan(p, boxLow)) || any(greaterThan(p, boxHigh))) return true;
  vec4 info = texelFetch(infos, texel(i), 0);
  if (info.y < threshold.x || info.y > threshold.y) return true;
  int g = int(info.z) & 255;
  return ((groups[g >> 5] >> uint(g & 31)) & 1u) == 0u;
}`;

// One triangle for each sphere, in the plane that touches it in front; it covers the silhouette.
export const sphereVertex = `${data}
uniform mat4 view, projection; uniform bool ortho, listed; uniform vec3 shift; uniform usampler2D list;
${filter}
flat out vec4 ball; flat out uint object; out vec3 ray;
void main() {
  int i = gl_VertexID / 3, k = gl_VertexID - 3 * i;
  if (listed) i = int(texelFetch(list, texel(i), 0).r);
  vec4 s = texelFetch(positions, texel(i), 0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  ball = vec4(0.0); object = 0u; ray = vec3(0.0);
  if (!(s.w > 0.0) || hidden(i, s.xyz)) return;
  vec3 c = (view * vec4(s.xyz + shift, 1.0)).xyz;
  if (!ortho && c.z > -s.w) return;
  vec3 back = ortho ? vec3(0.0, 0.0, 1.0) : -normalize(c);
  float far = length(c);
  float size = ortho ? s.w : (far - s.w) * s.w / sqrt(max(far * far - s.w * s.w, 1e-30));
  vec3 right = vec3(back.z, 0.0, -back.x) * inversesqrt(back.x * back.x + back.z * back.z), up = cross(back, right);
  vec2 e = k == 0 ? vec2(0.0, 2.0) : vec2(k == 1 ? -1.7320508 : 1.7320508, -1.0);
  vec3 corner = c + back * s.w + (right * e.x + up * e.y) * size;
  gl_Position = projection * vec4(corner, 1.0);
  ball = vec4(c, s.w); object = uint(i) + 1u; ray = corner;
}`;

/** @param {boolean} conservative */
export const sphereFragment = (conservative) => `
${conservative ? '#extension GL_EXT_conservative_depth : require\nlayout(depth_greater) out highp float gl_FragDepth;' : ''}
${precision}
uniform mat4 projection; uniform bool ortho;
flat in vec4 ball; flat in uint object; in vec3 ray;
layout(location = 0) out uint id;
${depthOf}
void main() {
  // The distance of the ray from the centre, which avoids cancellation.
  float t = dot(ray, ball.xyz) / dot(ray, ray);
  vec3 miss = ortho ? vec3(ball.xy - ray.xy, 0.0) : ball.xyz - ray * t;
  float rest = ball.w * ball.w - dot(miss, miss);
  if (rest < 0.0) discard;
  gl_FragDepth = depthOf(ortho ? ball.z + sqrt(rest) : ray.z * (t - sqrt(rest / dot(ray, ray))));
  id = object;
}`;

export const screenVertex = `
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }`;

const wallData = `
uniform sampler2D triangles;     // three corners of each triangle; the wall is in the first one
uniform sampler2D wallStyles;    // of each wall: 0 automatic, 1 translucent, 2 solid, 3 hidden; coloured; colour
vec3 cornerOf(int t, int k) { int i = 3 * t + k; return texelFetch(triangles, ivec2(i & 2047, i >> 11), 0).xyz; }
int wallOf(int t) { int i = 3 * t; return int(texelFetch(triangles, ivec2(i & 2047, i >> 11), 0).w); }
vec4 styleOf(int wall) { return texelFetch(wallStyles, ivec2(wall & 2047, wall >> 11), 0); }
`;

export const wallVertex = `${precision}
uniform mat4 view, projection; uniform vec3 middle;
${wallData}
out vec3 at; flat out vec3 normal; flat out int triangle; flat out vec4 style;
void main() {
  int t = gl_VertexID / 3;
  vec3 a = cornerOf(t, 0), n = cross(cornerOf(t, 1) - a, cornerOf(t, 2) - a);
  n = length(n) > 0.0 ? normalize(n) : vec3(0.0, 0.0, 1.0);
  if (dot(n, middle - a) < 0.0) n = -n;             // towards the particles
  vec4 p = view * vec4(cornerOf(t, gl_VertexID - 3 * t), 1.0);
  at = p.xyz; normal = mat3(view) * n; triangle = t; style = styleOf(wallOf(t));
  gl_Position = style.x > 2.5 ? vec4(2.0, 2.0, 2.0, 1.0) : projection * p;
}`;
export const wallFragment = `${precision}
uniform bool ortho; in vec3 at; flat in vec3 normal; flat in int triangle; flat in vec4 style; layout(location = 0) out uint id;
void main() {
  vec3 v = ortho ? vec3(0.0, 0.0, 1.0) : normalize(-at);
  bool opaque = style.x > 1.5 || (style.x < 0.5 && dot(normal, v) > 0.0);
  if (!opaque) discard;
  id = 0x80000000u | uint(triangle);
}`;
export const glassFragment = `${precision}
uniform bool ortho; uniform sampler2D depths, scale; uniform vec2 resolution; uniform vec3 glass;
in vec3 at; flat in vec3 normal; flat in int triangle; flat in vec4 style; out vec4 color;
void main() {
  if (gl_FragCoord.z > texture(depths, gl_FragCoord.xy / resolution).r) discard;
  vec3 v = ortho ? vec3(0.0, 0.0, 1.0) : normalize(-at);
  float f = dot(normal, v);
  if (style.x > 1.5 || (style.x < 0.5 && f > 0.0)) discard;
  float g = 1.0 - abs(f), a = 0.035 + 0.22 * g * g * g;
  vec3 c = style.y > 0.5 ? texture(scale, vec2(style.z, 0.5)).rgb : glass;
  if (style.y > 0.5) a += 0.25;
  color = vec4(c * a, a);
}`;
export const lineVertex = `${precision}
uniform mat4 view, projection; layout(location = 0) in vec3 position;
void main() { gl_Position = projection * view * vec4(position, 1.0); gl_Position.z -= 2e-4 * gl_Position.w; }`;
export const lineFragment = `${precision}
uniform vec4 ink; uniform sampler2D depths; uniform vec2 resolution; out vec4 color;
void main() { float a = ink.a; if (gl_FragCoord.z > texture(depths, gl_FragCoord.xy / resolution).r) a *= 0.25; color = vec4(ink.rgb * a, a); }`;

// Tubes: ribbons that face the camera, with the depth of a cylinder. First end and radius; second end and colour: a
// negative number is an index of the palette, otherwise it is a position on the colour scale of contacts. Tapered if
// the radius is negative.
export const tubeVertex = `${precision}
uniform sampler2D tubes; uniform mat4 view, projection; uniform bool ortho; uniform float thickness; uniform int offset;
uniform vec4 clip; uniform vec3 boxLow, boxHigh;
flat out vec3 side, eye; flat out uint object; out float across, depth, radius;
void main() {
  int i = gl_VertexID / 6, j = gl_VertexID - 6 * i; int k = j < 3 ? j : 6 - j;
  int t = 2 * i;
  vec4 a = texelFetch(tubes, ivec2(t & 2047, t >> 11), 0), b = texelFetch(tubes, ivec2((t + 1) & 2047, (t + 1) >> 11), 0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  side = eye = vec3(0.0, 0.0, 1.0); across = float(k & 1) * 2.0 - 1.0; depth = 0.0; radius = 0.0; object = 0x40000000u | uint(i + offset);
  vec3 middle = 0.5 * (a.xyz + b.xyz);
  if (a.w == 0.0 || dot(clip.xyz, middle) > clip.w || any(lessThan(middle, boxLow)) || any(greaterThan(middle, boxHigh))) return;
  vec3 p = (view * vec4(a.xyz, 1.0)).xyz, q = (view * vec4(b.xyz, 1.0)).xyz;
  eye = ortho ? vec3(0.0, 0.0, 1.0) : normalize(-0.5 * (p + q));
  vec3 s = cross(q - p, eye);
  side = length(s) > 0.0 ? normalize(s) : vec3(1.0, 0.0, 0.0);
  bool end = (k >> 1) != 0;
  radius = abs(a.w) * thickness * (a.w < 0.0 && end ? 0.05 : 1.0);
  vec3 at = (end ? q : p) + side * across * radius;
  depth = at.z; gl_Position = projection * vec4(at, 1.0);
}`;
export const tubeFragment = `${precision}
uniform mat4 projection; uniform bool ortho; flat in vec3 side, eye; flat in uint object; in float across, depth, radius;
layout(location = 0) out uint id;
${depthOf}
void main() { gl_FragDepth = depthOf(depth + radius * sqrt(max(1.0 - across * across, 0.0)) * eye.z); id = object; }`;

export const showFragment = `${precision}
uniform sampler2D picture; out vec4 color;
void main() { vec4 c = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); color = vec4(sqrt(max(c.rgb, 0.0) / max(c.a, 1e-4)) * c.a, c.a); }`;

export const lightFragment = `${data}
uniform usampler2D objects; uniform sampler2D depths, shadows, scale, tubeScale, orientations, tubes, palette;
uniform mat4 view, projection, world, lampMatrix; uniform bool ortho, marks, byGroup, logarithmic, transparent; uniform vec2 resolution, range;
uniform vec3 lamp, skyUp, periods, middle, paperTop, paperBottom; uniform float gapRadius, bias, angle; uniform int samples, taps, mode;
uniform int selected, hovered, partner;
${wallData}
out vec4 color;
vec3 viewOf(vec2 n, float depth) {
  float z = ortho ? (depth * 2.0 - 1.0 - projection[3][2]) / projection[2][2] : -projection[3][2] / (depth * 2.0 - 1.0 + projection[2][2]);
  return ortho ? vec3((n - projection[3].xy) / vec2(projection[0][0], projection[1][1]), z)
               : vec3((n + projection[2].xy) / vec2(projection[0][0], projection[1][1]) * -z, z);
}
vec3 at(ivec2 p) { return viewOf((vec2(p) + 0.5) / resolution * 2.0 - 1.0, texelFetch(depths, p, 0).r); }
float lit(vec3 p, vec3 n) {
  vec3 s = (lampMatrix * vec4(p + n * bias, 1.0)).xyz * 0.5 + 0.5;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  vec2 size = vec2(textureSize(shadows, 0)); float sum = 0.0;
  for (int i = 0; i < taps; i++) {
    float a = float(i) * 2.399963 + angle, l = sqrt((float(i) + 0.5) / float(taps)) * 3.0;
    ivec2 k = clamp(ivec2(s.xy * size + vec2(cos(a), sin(a)) * l), ivec2(0), ivec2(size) - 1);
    sum += step(s.z, texelFetch(shadows, k, 0).r);
  }
  return sum / float(taps);
}
vec3 paletteOf(int i) { vec3 c = texelFetch(palette, ivec2(i & 15, 0), 0).rgb; return c * c; }
float onScale(float v) {
  if (logarithmic) { vec2 r = log(max(range, 1e-30)); return (log(max(v, 1e-30)) - r.x) / max(r.y - r.x, 1e-30); }
  return range.y > range.x ? (v - range.x) / (range.y - range.x) : 0.5;
}
vec3 particleColor(int i, vec3 wn) {
  vec4 info = texelFetch(infos, texel(i), 0);
  vec3 base = byGroup ? paletteOf(int(info.z) % 6) : texture(scale, vec2(clamp(onScale(info.x), 0.002, 0.998), 0.5)).rgb;
  if (!byGroup) base *= base;
  if (i == selected) base = vec3(1.0, 0.08, 0.2); else if (i == partner) base = vec3(1.0, 0.5, 0.0);
  else if (i == hovered) base = mix(base, vec3(1.0), 0.45);
  if (marks) {
    vec4 q = texelFetch(orientations, texel(i), 0); vec3 u = -q.yzw, l = wn + 2.0 * cross(u, cross(u, wn) + q.x * wn);
    base *= l.x * l.y > 0.0 ? 1.15 : 0.5;
  }
  return base;
}
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  uint object = texelFetch(objects, pixel, 0).r;
  vec3 paper = mix(paperBottom, paperTop, gl_FragCoord.y / resolution.y);
  if (object == 0u) { color = transparent ? vec4(0.0) : vec4(mode == 0 ? sqrt(paper) : paper, 1.0); return; }
  vec3 p = at(pixel), w = (world * vec4(p, 1.0)).xyz, n, base; bool wall = false;
  vec3 eye = ortho ? vec3(0.0, 0.0, 1.0) : normalize(-p);
  if ((object & 0x80000000u) != 0u) {
    int t = int(object & 0x7fffffffu);
    vec3 a = cornerOf(t, 0); n = normalize(cross(cornerOf(t, 1) - a, cornerOf(t, 2) - a));
    n = mat3(view) * n; if (dot(n, eye) < 0.0) n = -n;
    vec4 style = styleOf(wallOf(t)); wall = style.y < 0.5 && style.x < 1.5;
    base = style.y > 0.5 ? texture(scale, vec2(style.z, 0.5)).rgb : wall ? paper : vec3(0.62, 0.65, 0.69); if (!wall) base *= base;
  } else if ((object & 0x40000000u) != 0u) {
    int t = 2 * int(object & 0x3fffffffu);
    vec4 a = texelFetch(tubes, texel(t), 0), b = texelFetch(tubes, texel(t + 1), 0);
    vec3 d = normalize(b.xyz - a.xyz), r = w - a.xyz; n = mat3(view) * normalize(r - d * dot(r, d));
    base = b.w < 0.0 ? paletteOf(int(-b.w) - 1) : texture(tubeScale, vec2(clamp(b.w, 0.002, 0.998), 0.5)).rgb; if (b.w >= 0.0) base *= base;
  } else {
    int i = int(object) - 1; vec3 d = w - texelFetch(positions, texel(i), 0).xyz;
    d -= periods * round(d / max(periods, 1e-30)) * step(1e-30, periods);     // of the nearest image
    vec3 wn = normalize(d); n = mat3(view) * wn; base = particleColor(i, wn);
  }
  // Ambient occlusion: samples of the depth around, above the tangent plane.
  float closed = 0.0, px = gapRadius * projection[1][1] * resolution.y * 0.5 / (ortho ? 1.0 : -p.z);
  float start = angle + 6.2832 * fract(52.9829189 * fract(dot(vec2(pixel & 3), vec2(0.06711056, 0.00583715)) * 37.0));
  for (int i = 0; i < samples; i++) {
    float a = float(i) * 2.399963 + start, l = sqrt((float(i) + 0.5) / float(samples)) * px;
    ivec2 k = pixel + ivec2(vec2(cos(a), sin(a)) * l);
    if (any(lessThan(k, ivec2(0))) || any(greaterThanEqual(k, ivec2(resolution)))) continue;
    vec3 d = at(k) - p; float h = dot(n, d), q = dot(d, d);
    if (h > 0.0 && d.z < 4.0 * gapRadius) closed += h * inversesqrt(q) * gapRadius * gapRadius / (gapRadius * gapRadius + q);
  }
  float open = samples == 0 ? 1.0 : clamp(1.0 - 2.1 * closed / float(samples), 0.0, 1.0);
  float facing = dot(n, lamp), light = facing > -0.1 ? lit(w, mat3(world) * n) : 0.0, sky = 0.5 + 0.5 * dot(n, skyUp);
  vec3 sum;
  if (wall) {
    sum = base * (0.90 + 0.07 * sky) * (mode == 0 ? (0.55 + 0.45 * open) * (0.62 + 0.38 * light) : (0.55 + 0.45 * light) * (0.75 + 0.25 * open));
  } else if (mode == 0) {                   // while something moves: one lamp, sky, gaps
    float diffuse = max((facing + 0.12) / 1.12, 0.0) * light;
    float strength = ((0.22 + 0.26 * sky) * open + 0.80 * diffuse * (0.35 + 0.65 * open)) * (0.80 + 0.20 * dot(n, eye));
    sum = base * strength + 0.07 * pow(max(dot(n, normalize(lamp + eye)), 0.0), 40.0) * light * open;
  } else {                                  // still: one of many lamps of the sky; their mean is soft light
    float gloss = pow(max(dot(n, normalize(lamp + eye)), 0.0), 24.0);
    sum = (base * 2.1 * max(facing, 0.0) + 0.12 * gloss) * light * (0.6 + 0.4 * open) + base * (0.13 + 0.10 * dot(n, eye)) * open;
  }
  color = vec4(mode == 0 ? sqrt(sum) : sum, 1.0);
}`;
