"""Drops what an exported .glb does not need: still channels and unused accessors."""

import json
import struct

SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
REST = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[20 + length + 8:]


def write(path, tree, binary):
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def floats(tree, binary, index):
    accessor = tree["accessors"][index]
    view = tree["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    count = accessor["count"] * SIZES[accessor["type"]]
    return struct.unpack_from("<%df" % count, binary, start)


def moves(tree, binary, animation, channel):
    """A channel that always holds the node's own value says nothing."""
    path = channel["target"]["path"]
    if path not in REST:
        return True
    node = tree["nodes"][channel["target"]["node"]]
    rest = node.get(path, REST[path])
    values = floats(tree, binary, animation["samplers"][channel["sampler"]]["output"])
    width = len(rest)
    return any(abs(v - rest[k % width]) > 1e-6 for k, v in enumerate(values))


def drop_still_channels(tree, binary):
    for animation in tree.get("animations", []):
        kept = [c for c in animation["channels"] if moves(tree, binary, animation, c)]
        samplers = []
        for channel in kept:
            samplers.append(animation["samplers"][channel["sampler"]])
            channel["sampler"] = len(samplers) - 1
        animation["channels"], animation["samplers"] = kept, samplers


def accessor_slots(tree):
    """Every place that names an accessor, as (container, key)."""
    for mesh in tree.get("meshes", []):
        for primitive in mesh["primitives"]:
            for holder in [primitive["attributes"], *primitive.get("targets", [])]:
                yield from ((holder, key) for key in holder)
            if "indices" in primitive:
                yield primitive, "indices"
    for skin in tree.get("skins", []):
        yield skin, "inverseBindMatrices"
    for animation in tree.get("animations", []):
        for sampler in animation["samplers"]:
            yield from ((sampler, "input"), (sampler, "output"))


def repack(tree, binary):
    """Copies what is still used into a fresh buffer; equal data is stored once."""
    place, accessors, views, packed = {}, [], [], bytearray()
    seen = {}

    def store(data, extra):
        key = (bytes(data), tuple(sorted(extra.items())))
        if key not in seen:
            packed.extend(b"\0" * (-len(packed) % 4))
            views.append({"buffer": 0, "byteOffset": len(packed), "byteLength": len(data), **extra})
            packed.extend(data)
            seen[key] = len(views) - 1
        return seen[key]

    for holder, key in accessor_slots(tree):
        old = holder[key]
        if old not in place:
            accessor = dict(tree["accessors"][old])
            accessor["bufferView"] = store(*accessor_bytes(tree, binary, accessor))
            accessor.pop("byteOffset", None)
            if accessor not in accessors:
                accessors.append(accessor)
            place[old] = accessors.index(accessor)
        holder[key] = place[old]
    for image in tree.get("images", []):
        view = tree["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        image["bufferView"] = store(binary[start:start + view["byteLength"]], {})
    tree["accessors"], tree["bufferViews"] = accessors, views
    tree["buffers"] = [{"byteLength": len(packed)}]
    return bytes(packed)


def accessor_bytes(tree, binary, accessor):
    view = tree["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    length = accessor["count"] * SIZES[accessor["type"]] * BYTES[accessor["componentType"]]
    extra = {"target": view["target"]} if "target" in view else {}
    return binary[start:start + length], extra


def tidy(path):
    tree, binary = read(path)
    drop_still_channels(tree, binary)
    binary = repack(tree, binary)
    write(path, tree, binary)
