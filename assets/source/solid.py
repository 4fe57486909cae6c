"""Solids of rounded, tapered rods that flow into one another, and their surface as triangles.

A solid is symmetric about x = 0: rods lie on the side of +x, and points are folded over to it.
"""

import bpy
import numpy as np


class Rod:
    """From `a` with radius `ra` to `b` with radius `rb`; `melt` is the length over which it
    flows into the rods before it; `squash` stretches it along x, y and z."""

    def __init__(self, a, b, ra, rb, melt=0.03, squash=(1, 1, 1)):
        self.squash = np.array(squash, float)
        self.a, self.b = np.array(a, float) / self.squash, np.array(b, float) / self.squash
        self.ra, self.rb, self.melt = ra, rb, melt

    def distance(self, points):
        p = points / self.squash
        way = self.b - self.a
        t = np.clip((p - self.a) @ way / max(way @ way, 1e-12), 0, 1)
        far = np.linalg.norm(p - self.a - t[..., None] * way, axis=-1)
        return (far - self.ra - (self.rb - self.ra) * t) * self.squash.min()


def chain(places, radii, melt=0.03, squash=(1, 1, 1)):
    return [Rod(*ends, *sizes, melt, squash)
            for ends, sizes in zip(zip(places, places[1:]), zip(radii, radii[1:]))]


class Solid:
    """The rods' union; `floor` cuts it off flat at y = 0, `cuts` are functions that carve."""

    def __init__(self, rods, floor=False, cuts=()):
        self.rods, self.floor, self.cuts = rods, floor, cuts

    def field(self, points):
        """Negative inside; about a distance."""
        folded = points * (1, 1, 1)
        folded[..., 0] = np.sqrt(folded[..., 0] ** 2 + 1e-8)
        total = self.rods[0].distance(folded)
        for rod in self.rods[1:]:
            total = smooth_minimum(total, rod.distance(folded), rod.melt)
        for cut in self.cuts:
            total = np.maximum(total, cut(folded))
        return -smooth_minimum(-total, points[..., 1], 0.008) if self.floor else total

    def slope(self, points, step=0.0008):
        parts = [self.field(points + d) - self.field(points - d) for d in np.eye(3) * step]
        return np.stack(parts, axis=-1) / (2 * step)

    def bounds(self):
        ends = [(e * r.squash, max(r.ra, r.rb) * r.squash) for r in self.rods for e in (r.a, r.b)]
        low = np.min([e - s for e, s in ends], axis=0) - 0.03
        high = np.max([e + s for e, s in ends], axis=0) + 0.03
        return np.array([-high[0], low[1], low[2]]), high

    def mesh(self, step, count):
        """At most about `count` points on the surface, their normals, and triangles."""
        points, quads = surface_nets(self, step)
        for _ in range(4):
            points = self.drawn_on(relaxed(points, quads))
        points, triangles = decimated(points, quads, count)
        points = self.drawn_on(points)
        normals = self.slope(points)
        return points, normals / np.linalg.norm(normals, axis=1, keepdims=True), triangles

    def drawn_on(self, points):
        for _ in range(3):
            slope = self.slope(points)
            size = np.maximum((slope ** 2).sum(axis=1), 0.05)
            points = points - np.clip(self.field(points) / size, -0.01, 0.01)[:, None] * slope
        return points


def smooth_minimum(a, b, melt):
    """The polynomial one: equal to the minimum where the two differ by more than `melt`."""
    h = np.clip(1 - abs(a - b) / melt, 0, 1)
    return np.minimum(a, b) - h * h * melt / 4


def surface_nets(solid, step):
    """One point in each cell that the surface passes, one quad around each edge that it crosses."""
    low, high = solid.bounds()
    half = int(np.ceil(high[0] / step)) + 0.5               # cells that mirror each other
    axes = [np.arange(-half, half + 1) * step] + [
        np.arange(low[k], high[k] + step, step) for k in (1, 2)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = solid.field(grid)
    size = np.array(values.shape) - 1
    total, crossings = np.zeros((*size, 3)), np.zeros(size)
    for axis in range(3):
        for corner in range(4):
            start = [0, 0, 0]
            start[axis - 2], start[axis - 1] = corner & 1, corner >> 1
            a, b = window(values, start, size), window(values, shifted(start, axis), size)
            crossed = (a < 0) != (b < 0)
            share = np.where(crossed, a / np.where(crossed, a - b, 1), 0)
            place = window(grid, start, size) + share[..., None] * (np.eye(3)[axis] * step)
            total += np.where(crossed[..., None], place, 0)
            crossings += crossed
    used = crossings > 0
    number = np.full(used.shape, -1)
    number[used] = np.arange(used.sum())
    quads = [q for axis in range(3) for q in quads_along(axis, values < 0, number)]
    return total[used] / crossings[used][:, None], quads


def window(values, start, size):
    return values[tuple(slice(s, s + n) for s, n in zip(start, size))]


def shifted(start, axis):
    return [s + (k == axis) for k, s in enumerate(start)]


def quads_along(axis, inside, number):
    ahead = np.moveaxis(inside, axis, 0)
    cells = np.moveaxis(number, axis, 0)
    if axis == 1:                                           # keeps the other two axes in turn
        ahead, cells = ahead.swapaxes(1, 2), cells.swapaxes(1, 2)
    crossed = ahead[:-1] != ahead[1:]
    for i, j, k in np.argwhere(crossed[:, 1:-1, 1:-1]) + (0, 1, 1):
        ring = [cells[i, j - 1, k - 1], cells[i, j, k - 1], cells[i, j, k], cells[i, j - 1, k]]
        yield [int(r) for r in (ring if ahead[i, j, k] else ring[::-1])]


def relaxed(points, quads):
    quads = np.array(quads)
    total, count = np.zeros_like(points), np.zeros(len(points))
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
        for here, there in ((a, b), (b, a)):
            np.add.at(total, quads[:, here], points[quads[:, there]])
            np.add.at(count, quads[:, here], 1)
    return points + 0.6 * (total / count[:, None] - points)


def decimated(points, faces, count):
    mesh = bpy.data.meshes.new("solid")
    mesh.from_pydata(points.tolist(), [], faces)
    thing = bpy.data.objects.new("solid", mesh)
    bpy.context.collection.objects.link(thing)
    modifier = thing.modifiers.new("fewer", "DECIMATE")
    modifier.ratio = min(1.0, count / len(points))
    modifier.use_symmetry, modifier.symmetry_axis = True, "X"
    modifier.use_collapse_triangulate = True
    made = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    made.calc_loop_triangles()
    kept = np.array([v.co[:] for v in made.vertices])
    triangles = np.array([t.vertices[:] for t in made.loop_triangles])
    bpy.data.objects.remove(thing)
    return kept, triangles
