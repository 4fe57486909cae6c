"""Writes hero.gltf, hero.bin and hero_colors.png: hero.glb in three files, with two of its clips.

    python3 assets/source/write_gltf.py
"""

import copy
import json

import hero_export as hero

CLIPS = ("Walk", "Wave")


def accessor_users(tree):
    """Every (holder, key) whose value is the number of an accessor."""
    for mesh in tree["meshes"]:
        for primitive in mesh["primitives"]:
            yield primitive, "indices"
            for attributes in [primitive["attributes"]] + primitive.get("targets", []):
                for name in attributes:
                    yield attributes, name
    for skin in tree["skins"]:
        yield skin, "inverseBindMatrices"
    for animation in tree["animations"]:
        for sampler in animation["samplers"]:
            yield sampler, "input"
            yield sampler, "output"


def keep_used(tree):
    """Renumbers accessors and their views so that only those in use remain."""
    kept, accessors, views = {}, [], []
    for holder, key in accessor_users(tree):
        old = holder[key]
        if old not in kept:
            kept[old] = len(accessors)
            accessor = tree["accessors"][old]
            views.append(tree["bufferViews"][accessor["bufferView"]])
            accessors.append(dict(accessor, bufferView=kept[old]))
        holder[key] = kept[old]
    tree["accessors"], tree["bufferViews"] = accessors, views


def bytes_of(glb, view):
    start = view.get("byteOffset", 0)
    return glb.binary[start:start + view["byteLength"]]


def pack(glb, tree):
    """The bytes of all views in a row, each from a multiple of four on."""
    packed = b""
    for k, view in enumerate(tree["bufferViews"]):
        data = bytes_of(glb, view)
        tree["bufferViews"][k] = dict(view, byteOffset=len(packed))
        packed += data + b"\0" * (-len(data) % 4)
    return packed


def write(name, data):
    with open(hero.path(name), "wb") as file:
        file.write(data)


def main():
    glb = hero.load()
    tree = copy.deepcopy(glb.tree)
    image = tree["images"][0]
    write(hero.PICTURE, bytes_of(glb, tree["bufferViews"][image["bufferView"]]))
    tree["images"] = [{"uri": hero.PICTURE, "name": image["name"]}]
    tree["animations"] = [a for a in tree["animations"] if a["name"] in CLIPS]
    keep_used(tree)
    packed = pack(glb, tree)
    tree["buffers"] = [{"uri": "hero.bin", "byteLength": len(packed)}]
    write("hero.bin", packed)
    hero.save_text("hero.gltf", [json.dumps(tree, separators=(",", ":"))])


if __name__ == "__main__":
    main()
