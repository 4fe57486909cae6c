"""Puts the hero's parts together: points, faces, materials, weights, texture coordinates."""

import numpy as np

import hero_clothes
import hero_face
import hero_hair
import hero_hand
import hero_head
import hero_paint as paint
import hero_weights as weights


class Piece:
    """One skinned object: a mesh with weights per point and coordinates per face corner."""

    def __init__(self, name):
        self.name = name
        self.points, self.faces, self.materials, self.uvs = [], [], [], []
        self.weights = []
        self.morphs = {}

    def add(self, mesh, table, uv_of, morphs=None):
        base = sum(len(p) for p in self.points)
        points, extras = mesh.positions(), mesh.extras()
        self.points.append(points)
        self.weights.append(table)
        for face, material in zip(mesh.faces, mesh.materials):
            self.faces.append([i + base for i in face])
            self.materials.append(material)
            self.uvs.append(uv_of(points[face], extras[face]))
        for name in self.morphs:
            moves = (morphs or {}).get(name)
            self.morphs[name].append(np.zeros_like(points) if moves is None else moves)
        return self

    def joined(self):
        self.points = np.vstack(self.points)
        self.weights = np.vstack(self.weights)
        self.morphs = {name: np.vstack(moves) for name, moves in self.morphs.items()}
        return self


def body():
    piece = Piece("HeroBody")
    jacket = hero_clothes.jacket().outward()
    piece.add(jacket, weights.jacket(jacket), paint.jacket_uv)
    trousers = hero_clothes.trousers().outward()
    piece.add(trousers, weights.trousers(trousers), paint.trousers_uv)
    for mesh, table in ((hero_clothes.shoe().outward(), weights.shoe),
                        (hero_hand.hand(), weights.hand)):
        left = table(mesh)
        piece.add(mesh, left, paint.plain_uv)
        piece.add(mesh.mirrored(), weights.mirrored(left), paint.plain_uv)
    return piece.joined()


def head():
    piece = Piece("HeroHead")
    piece.morphs = {"Smile": [], "Blink": []}
    skull = hero_head.skull()
    piece.add(skull, weights.head(skull), paint.head_uv,
              {"Smile": hero_head.smile_skin(skull.positions())})
    for patch in hero_face.face_patches(hero_head.Front(skull)):
        add_patch(piece, patch)
    return piece.joined()


def add_patch(piece, patch):
    coordinates = iter(patch.mesh.faces)
    region = {"Eyes": "eye", "Mouth": "mouth"}.get(patch.mesh.materials[0], "skin")
    square = np.array(patch.uv)

    def uv_of(_corners, _extras):
        u, v = square[next(coordinates)].T
        return paint.in_region(region, u, v)

    piece.add(patch.mesh, weights.rigid(patch.mesh, "Head"), uv_of,
              {"Smile": np.array(patch.smile), "Blink": np.array(patch.blink)})


def hair():
    piece = Piece("HeroHair")
    shell, tail = hero_hair.hair()
    piece.add(shell, weights.rigid(shell, "Head"), paint.plain_uv)
    piece.add(tail, weights.ponytail(tail), paint.plain_uv)
    return piece.joined()


def pieces():
    return [body(), head(), hair()]
