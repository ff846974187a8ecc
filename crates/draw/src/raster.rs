//! The sphere visible at each pixel: a depth buffer along one direction.

use esker::Vec3;

/// A pixel without a sphere.
pub(crate) const NOTHING: u32 = u32::MAX;

/// A sphere in pixels: centre (right, down, towards the viewer) and radius.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ball {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
    pub(crate) radius: f32,
}

/// Maps points to pixels along one direction of view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) center: Vec3,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) back: Vec3,
    /// Pixels per metre.
    pub(crate) scale: f64,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl View {
    /// A point in pixels: right, down, towards the viewer.
    pub(crate) fn pixel(&self, point: Vec3) -> [f32; 3] {
        let from_center = point - self.center;
        [
            (0.5 * self.width as f64 + self.scale * from_center.dot(self.right)) as f32,
            (0.5 * self.height as f64 - self.scale * from_center.dot(self.up)) as f32,
            (self.scale * from_center.dot(self.back)) as f32,
        ]
    }

    pub(crate) fn ball(&self, center: Vec3, radius: f64) -> Ball {
        let [x, y, z] = self.pixel(center);
        Ball { x, y, z, radius: (self.scale * radius) as f32 }
    }

    /// The point at a depth behind a pixel.
    pub(crate) fn point(&self, x: f32, y: f32, z: f32) -> Vec3 {
        let right = (f64::from(x) - 0.5 * self.width as f64) / self.scale;
        let up = (0.5 * self.height as f64 - f64::from(y)) / self.scale;
        self.center + right * self.right + up * self.up + f64::from(z) / self.scale * self.back
    }
}

/// Depth and visible sphere of every pixel.
pub(crate) struct Raster {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Towards the viewer, in pixels; minus infinity if the pixel is empty.
    pub(crate) depth: Vec<f32>,
    /// Index of the sphere.
    pub(crate) owner: Vec<u32>,
}

impl Raster {
    /// Draws spheres. The nearest come first, so that most hidden ones are rejected by one comparison per pixel.
    pub(crate) fn new(width: usize, height: usize, balls: &[Ball]) -> Self {
        let mut raster = Self {
            width,
            height,
            depth: vec![f32::NEG_INFINITY; width * height],
            owner: vec![NOTHING; width * height],
        };
        let drawable = |ball: &Ball| {
            [ball.x, ball.y, ball.z, ball.radius].iter().all(|v| v.is_finite()) && ball.radius > 0.0
        };
        let mut order: Vec<u32> = (0..balls.len().min(NOTHING as usize) as u32)
            .filter(|&index| drawable(&balls[index as usize]))
            .collect();
        let front = |index: u32| balls[index as usize].z + balls[index as usize].radius;
        order.sort_by(|&a, &b| front(b).total_cmp(&front(a)).then(a.cmp(&b)));
        for index in order {
            raster.draw(index, &balls[index as usize]);
        }
        raster
    }

    fn draw(&mut self, index: u32, ball: &Ball) {
        // A pixel belongs to the sphere if its centre, at a half, does.
        let range = |center: f32, radius: f32, size: usize| {
            let first = (center - radius - 0.5).ceil().max(0.0) as usize;
            let last = (center + radius + 0.5).floor().clamp(0.0, size as f32) as usize;
            first..last
        };
        let square = ball.radius * ball.radius;
        let front = ball.z + ball.radius;
        for y in range(ball.y, ball.radius, self.height) {
            let dy = y as f32 + 0.5 - ball.y;
            let rest = square - dy * dy;
            if rest <= 0.0 {
                continue;
            }
            let row = y * self.width;
            for x in range(ball.x, rest.sqrt(), self.width) {
                if self.depth[row + x] >= front {
                    continue;
                }
                let dx = x as f32 + 0.5 - ball.x;
                let depth = ball.z + (rest - dx * dx).max(0.0).sqrt();
                if depth > self.depth[row + x] {
                    self.depth[row + x] = depth;
                    self.owner[row + x] = index;
                }
            }
        }
    }
}
