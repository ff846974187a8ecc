//! A scene with frequent output of many kinds.

/// Friction, rolling, liquid bridges that exist beyond contact, a stream, a moving and shaking mesh, a removed wall,
/// three stages; frames, checkpoints and tables are so frequent that many times fall into their writing.
pub const BUSY: &str = r#"
format = 1
title = "Busy"
seed = 11
gravity = [0, 0, -9.81]

[domain]
min = [-0.2, -0.2, -0.1]
max = [0.2, 0.2, 0.5]
outside = "delete"

[materials]
grain = { density = 2500, young_modulus = 2e7, poisson_ratio = 0.25 }

[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
rolling = "elastic-plastic"
cohesion = ["liquid-bridge"]
pairs = [{ between = ["grain", "grain"], friction = 0.4, restitution = 0.5, rolling_friction = 0.1, surface_tension = 5, bridge_volume = 0.01 }]

[[particles]]
name = "block"
material = "grain"
radius = { uniform = { min = 0.008, max = 0.012 } }
insert = { count = 70, box = { min = [-0.06, -0.06, 0.0], max = [0.06, 0.06, 0.14] } }

[[particles]]
name = "rain"
material = "grain"
radius = 0.008
insert = { stream = { box = { min = [-0.05, -0.05, 0.2], max = [0.05, 0.05, 0.25] }, rate = 400, count = 50 } }

[[walls]]
name = "tray"
material = "grain"
mesh = "tray.stl"
motion = { oscillation = { amplitude = [0.002, 0, 0.001], frequency = 20 } }

[[walls]]
name = "gate"
material = "grain"
rectangle = { corner = [0.07, -0.1, -0.01], edges = [[0, 0.2, 0], [0, 0, 0.3]] }

[[stages]]
name = "settle"
end = { after = 0.08 }

[[stages]]
name = "flow"
remove_walls = ["gate"]
end = { after = 0.06 }

[[stages]]
name = "rest"
gravity = [0, 0, -5]
end = { after = 0.04 }

[outputs]
frames = { every = 0.004 }
energy = { every = 0.001 }
walls = { every = 0.003 }
contacts = { every = 0.05 }
events = true
checkpoint = { every = 0.003 }
probes = [
  { name = "block", particles = "block", columns = ["count", "mean_position", "max_height"], every = 0.01 },
  { name = "one", particle = 0, columns = ["position", "velocity", "orientation", "coordination"] },
  { name = "tray", wall = "tray", columns = ["force", "position", "work"], every = 0.005 },
]
"#;

/// A square of two triangles.
pub const TRAY: &str = "solid tray
facet normal 0 0 1\nouter loop
vertex -0.1 -0.1 0\nvertex 0.1 -0.1 0\nvertex 0.1 0.1 0\nendloop\nendfacet
facet normal 0 0 1\nouter loop
vertex -0.1 -0.1 0\nvertex 0.1 0.1 0\nvertex -0.1 0.1 0\nendloop\nendfacet
endsolid tray
";
