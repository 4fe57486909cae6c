"""Reads what Sinew has baked, from the file's own numbers."""
import json
import struct

from imported import product


def read_glb(path):
    """The JSON and the numbers of its only buffer view."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), struct.unpack(f"<{(len(data) - 28 - size) // 4}f", data[28 + size:])


def local(t, q, s):
    """T · R · S in rows."""
    x, y, z, w = q
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[turn[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)] + [[0, 0, 0, 1]]


def worlds(gltf, numbers, key):
    """What the file says of every node at a key; node i hangs from one before it, and has channels 3i to 3i + 2."""
    result = []
    parents = {child: i for i, node in enumerate(gltf["nodes"]) for child in node.get("children", ())}
    for i, _ in enumerate(gltf["nodes"]):
        parts = []
        for sampler in gltf["animations"][0]["samplers"][3 * i:3 * i + 3]:
            accessor = gltf["accessors"][sampler["output"]]
            width = int(accessor["type"][3])
            first = accessor["byteOffset"] // 4 + width * min(key, accessor["count"] - 1)
            parts.append(numbers[first:first + width])
        matrix = local(*parts)
        result.append(product(result[parents[i]], matrix) if i in parents else matrix)
    return result
