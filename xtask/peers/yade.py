# A scene of the benchmark in YADE; `yade -n -x -j1 yade.py` with SCENE, STATE, WARM and STEPS in the
# environment. The floor is made of facets; history is a shear force, and the tangential damping is that
# of the normal one.
import math
import os
import time

scene, warm, steps = os.environ["SCENE"], int(os.environ["WARM"]), int(os.environ["STEPS"])
box, rows = None, []
for line in open(os.environ["STATE"]):
    if line.startswith("# box"):
        box = [float(word) for word in line.split()[2:8]]
    elif not line.startswith("#"):
        rows.append([float(word) for word in line.split()])
width, depth, height = box[1] - box[0], box[3] - box[2], box[5] - box[4]
material = O.materials.append(
    FrictMat(young=1e7, poisson=0.25, density=2500, frictionAngle=math.atan(0.5))
)
O.periodic = True
floor = height if scene == "bed" else 0.0
O.cell.hSize = Matrix3(width, 0, 0, 0, depth, 0, 0, 0, height if scene == "gas" else 4 * height)
if scene == "bed":
    across, along = (max(4, round(side / 0.005)) for side in (width, depth))
    for i in range(across):
        for j in range(along):
            corner = [
                Vector3((i + p) * width / across, (j + q) * depth / along, floor)
                for p, q in ((0, 0), (1, 0), (1, 1), (0, 1))
            ]
            O.bodies.append(facet([corner[0], corner[1], corner[2]], material=material))
            O.bodies.append(facet([corner[0], corner[2], corner[3]], material=material))
for x, y, z, r, vx, vy, vz, wx, wy, wz in rows:
    body = O.bodies[O.bodies.append(sphere((x, y, z + floor), r, material=material))]
    body.state.vel, body.state.angVel = Vector3(vx, vy, vz), Vector3(wx, wy, wz)
half = MatchMaker(algo="val", val=0.5)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()], verletDist=2e-4),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=half, es=half)],
        [Law2_ScGeom_MindlinPhys_Mindlin()],
    ),
    NewtonIntegrator(gravity=(0, 0, 0 if scene == "gas" else -9.81), damping=0),
]
O.dt = 5e-6
O.run(warm, True)
moving = (body for body in O.bodies if isinstance(body.shape, Sphere))
energy = sum(0.5 * body.state.mass * body.state.vel.squaredNorm() for body in moving)
clock, before = time.time(), os.times().user
O.run(steps, True)
print("BENCH", time.time() - clock, os.times().user - before, energy)
