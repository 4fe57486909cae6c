"""A small polygon mesh with Catmull-Clark subdivision, lofts and mirroring."""

import numpy as np


class Mesh:
    """Points (position plus one free column), polygons, and one material per polygon."""

    def __init__(self):
        self.points = []
        self.faces = []
        self.materials = []

    def add(self, position, extra=0.0):
        self.points.append((*position, extra))
        return len(self.points) - 1

    def face(self, corners, material):
        self.faces.append(list(corners))
        self.materials.append(material)

    def ring(self, positions, extra=0.0):
        return [self.add(p, extra) for p in positions]

    def bridge(self, a, b, material, closed=True):
        count = len(a) if closed else len(a) - 1
        for k in range(count):
            n = (k + 1) % len(a)
            self.face((a[k], a[n], b[n], b[k]), material)

    def fan(self, ring, tip, material):
        for k in range(len(ring)):
            self.face((ring[k], ring[(k + 1) % len(ring)], tip), material)

    def cap(self, ring, material):
        """Closes a ring that is symmetric about its points 0 and n/2 with strips."""
        n = len(ring)
        for k in range(n // 2):
            a, b, c, d = ring[k], ring[k + 1], ring[(n - k - 1) % n], ring[-k]
            self.face([a, b, c] if a == d else [a, b, d] if b == c else [a, b, c, d],
                      material)

    def positions(self):
        return np.array(self.points)[:, :3]

    def extras(self):
        return np.array(self.points)[:, 3]

    def flipped(self):
        self.faces = [face[::-1] for face in self.faces]
        return self

    def outward(self):
        """Makes neighbouring faces agree, then turns all so that the volume is positive."""
        self.agree()
        p, volume = self.positions(), 0.0
        p = p - p.mean(axis=0)
        for face in self.faces:
            for k in range(1, len(face) - 1):
                volume += np.dot(p[face[0]], np.cross(p[face[k]], p[face[k + 1]]))
        return self if volume > 0 else self.flipped()

    def agree(self):
        edges, done = edge_faces(self), set()
        for start in range(len(self.faces)):
            stack = [] if start in done else [start]
            done.update(stack)
            while stack:
                here = self.faces[stack.pop()]
                directed = set(zip(here, here[1:] + here[:1]))
                for a, b in directed:
                    for other in edges[(min(a, b), max(a, b))]:
                        if other in done:
                            continue
                        face = self.faces[other]
                        if (a, b) in zip(face, face[1:] + face[:1]):
                            self.faces[other] = face[::-1]
                        done.add(other)
                        stack.append(other)

    def append(self, other):
        base = len(self.points)
        self.points += list(other.points)
        self.faces += [[i + base for i in face] for face in other.faces]
        self.materials += other.materials
        return self

    def mirrored(self):
        twin = Mesh()
        twin.points = [(-x, y, z, e) for x, y, z, e in self.points]
        twin.faces = [face[::-1] for face in self.faces]
        twin.materials = list(self.materials)
        return twin

    def neighbours(self):
        near = [set() for _ in self.points]
        for face in self.faces:
            for a, b in zip(face, face[1:] + face[:1]):
                near[a].add(b)
                near[b].add(a)
        return near


def edge_faces(mesh):
    edges = {}
    for index, face in enumerate(mesh.faces):
        for a, b in zip(face, face[1:] + face[:1]):
            edges.setdefault((min(a, b), max(a, b)), []).append(index)
    return edges


def moved_points(points, mesh, edges, centres):
    """Catmull-Clark's rule for the old points; open borders follow the spline rule."""
    count = len(points)
    face_sum, faces = np.zeros_like(points), np.zeros(count)
    mid_sum, mids = np.zeros_like(points), np.zeros(count)
    rim_sum, rims = np.zeros_like(points), np.zeros(count)
    for index, face in enumerate(mesh.faces):
        face_sum[face] += centres[index]
        faces[face] += 1
    for (a, b), owners in edges.items():
        middle = (points[a] + points[b]) / 2
        for i in (a, b):
            mid_sum[i] += middle
            mids[i] += 1
            if len(owners) == 1:
                rim_sum[i] += middle
                rims[i] += 1
    n = mids[:, None]
    moved = (face_sum / faces[:, None] + 2 * mid_sum / n + (n - 3) * points) / n
    rim = rims > 0
    moved[rim] = (rim_sum[rim] / rims[rim][:, None] + points[rim]) / 2
    return moved


def subdivide(mesh):
    points = np.array(mesh.points)
    edges = edge_faces(mesh)
    centres = np.array([points[face].mean(axis=0) for face in mesh.faces])
    moved = moved_points(points, mesh, edges, centres)
    result = Mesh()
    result.points = [tuple(p) for p in moved] + [tuple(c) for c in centres]
    middle = {}
    for (a, b), owners in edges.items():
        p = (points[a] + points[b]) / 2
        if len(owners) == 2:
            p = p / 2 + centres[owners].mean(axis=0) / 2
        middle[(a, b)] = len(result.points)
        result.points.append(tuple(p))
    for index, face in enumerate(mesh.faces):
        split_face(result, mesh, index, face, middle)
    return result


def split_face(result, mesh, index, face, middle):
    centre, n = len(mesh.points) + index, len(face)
    for k in range(n):
        a, before, after = face[k], face[k - 1], face[(k + 1) % n]
        first = middle[(min(a, after), max(a, after))]
        last = middle[(min(a, before), max(a, before))]
        result.face((a, first, centre, last), mesh.materials[index])


def ellipse(centre, side, front, half_side, half_front, count, square=2.0, start=0.0):
    """A closed ring; `square` above 2 makes it boxier, below 2 more pointed."""
    points = []
    for k in range(count):
        angle = start + 2 * np.pi * k / count
        s, c = np.sin(angle), np.cos(angle)
        s = np.sign(s) * abs(s) ** (2 / square)
        c = np.sign(c) * abs(c) ** (2 / square)
        points.append(centre + side * (half_side * s) + front * (half_front * c))
    return points


def smooth_curve(keys, samples):
    """A Catmull-Rom curve through rows of numbers, sampled evenly by key index."""
    keys = np.asarray(keys, float)
    padded = np.vstack([2 * keys[0] - keys[1], keys, 2 * keys[-1] - keys[-2]])
    result = []
    for u in np.linspace(0, len(keys) - 1, samples):
        i = min(int(u), len(keys) - 2)
        t = u - i
        a, b, c, d = padded[i:i + 4]
        result.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t
                             + (3 * b - a - 3 * c + d) * t ** 3))
    return np.array(result)
