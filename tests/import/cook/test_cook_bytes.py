"""The bytes of cooked files, apart from the program: a file that is written here, number by number, as docs/formats.md
says, and a program with pointers of four bytes that reads the same files and writes the same bytes."""
import pathlib
import shutil
import struct
import subprocess
import unittest

from imported import Case, program
from write_gltf import Gltf

ROOT = pathlib.Path(__file__).resolve().parents[3]
MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                      0x27D4EB2F165667C5)


def rotate(x, bits):
    return (x << bits | x >> (64 - bits)) & MASK


def lane(value, number):
    return rotate((value + number * P2) & MASK, 31) * P1 & MASK


def xxh64(data):
    """xxHash specification 0.1.1, seed 0."""
    at, size = 0, len(data)
    value = P5
    if size >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        for at in range(0, size // 32 * 32, 32):
            lanes = [lane(v, n) for v, n in zip(lanes, struct.unpack_from("<4Q", data, at))]
        at = size // 32 * 32
        value = sum(rotate(v, bits) for v, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for v in lanes:
            value = ((value ^ lane(0, v)) * P1 + P4) & MASK
    value = (value + size) & MASK
    for at in range(at, size - 7, 8):
        value = (rotate(value ^ lane(0, struct.unpack_from("<Q", data, at)[0]), 27) * P1 + P4) & MASK
    at = size // 8 * 8
    if at + 4 <= size:
        value = (rotate(value ^ struct.unpack_from("<I", data, at)[0] * P1 & MASK, 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        value = rotate(value ^ byte * P5 & MASK, 11) * P1 & MASK
    value = (value ^ value >> 33) * P2 & MASK
    value = (value ^ value >> 29) * P3 & MASK
    return value ^ value >> 32


def header(payload, version, layout, order=0x01020304):
    return struct.pack("<8s4I5Q", b"SINEWCK\0", order, version, layout, 0, len(payload), len(payload), xxh64(payload),
                       xxh64(b""), 0)


class Payload:
    """The model's struct, and every piece behind it: arrays at multiples of 64."""

    def __init__(self, size):
        self.bytes = bytearray(size)

    def number(self, at, value):
        struct.pack_into("<i", self.bytes, at, value)

    def array(self, field, data):
        self.bytes += bytes(-len(self.bytes) % 64)
        struct.pack_into("<Q", self.bytes, field, len(self.bytes))
        self.bytes += data

    def text(self, field, word):
        struct.pack_into("<Q", self.bytes, field, len(self.bytes))
        self.bytes += word.encode() + b"\0"


def two_joints():
    """The virtual root, and `a` at (1, 2, 3) in it."""
    p = Payload(272)
    p.number(16, 2)                                           # joint_count
    p.array(24, bytes(16))                                    # joint_names
    names = len(p.bytes) - 16
    p.text(names, "")
    p.text(names + 8, "a")
    p.array(32, struct.pack("<2i", -1, 0))                    # parents
    p.array(40, struct.pack("<2i", 0, 0))                     # above
    p.array(48, bytes(1))                                     # pairs
    p.array(56, struct.pack("<3i", 1, 2, 2))                  # below
    p.array(64, struct.pack("<2i", -1, 0))                    # file_indices
    p.array(72, bytes(2))                                     # parts
    p.array(80, bytes(2))                                     # ranks
    rows = [[0] * 8, [0] * 8, [0] * 8, [1] * 8]               # rest: x, y, z, w of eight joints, then translation, scale
    rows += [[0, v] + [0] * 6 for v in (1, 2, 3)] + [[1] * 8] * 3
    p.array(88, struct.pack("<80f", *(v for row in rows for v in row)))
    none = [-1] * 78 + [0, 0]                                 # a person's joints, and the lengths of spine and neck
    p.array(96, struct.pack("<82i", *none, -1, 0)             # ..., the root; no feet
            + bytes(4 * 27 * 8) + struct.pack("<4f", 1, 0, 0, 1) + bytes(28))  # size, front, findings
    p.bytes += bytes(-len(p.bytes) % 64)
    return bytes(p.bytes)


class CookBytes(Case):
    def cooked(self):
        gltf = Gltf()
        gltf.node(name="node")
        path = self.write("small.gltf", gltf.text())
        to = path.with_suffix(".sinew")
        self.assertEqual(program.sinew("cook", path, "-o", to, SINEW_CACHE="off").status, 0)
        return to

    def save(self, name, data):
        path = self.write(name, "")
        path.write_bytes(data)
        return path

    def test_the_hash(self):
        self.assertEqual(xxh64(b""), 0xEF46DB3751D8E999)
        self.assertEqual(xxh64(b"abc"), 0x44BC2CF5AD770999)
        self.assertEqual(xxh64(b"Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1)

    def test_a_header_is_what_the_manual_says(self):
        data = self.cooked().read_bytes()
        _, _, version, layout, *_ = struct.unpack_from("<8s4I5Q", data)
        self.assertEqual(data[:64], header(data[64:], version, layout))

    def test_a_file_that_was_written_by_hand(self):
        version, layout = struct.unpack_from("<2I", self.cooked().read_bytes(), 12)
        payload = two_joints()
        path = self.save("hand.sinew", header(payload, version, layout) + payload)
        pose = self.pose(path, None, (), "--vertices")
        self.assertEqual([node["name"] for node in pose["nodes"]], ["a"])
        self.assertEqual(pose["rest"]["world"][0], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1])
        self.refused(self.save("big.sinew", header(payload, version, layout, 0x04030201) + payload), "byte order")

    def test_a_program_with_pointers_of_four_bytes(self):
        compiler, reader = shutil.which("gcc"), self.folder / "cook_again"
        src = ROOT / "src"
        sources = [ROOT / "tests/import/cook/cook_again.c", src / "import/kernels.c",
                   src / "import/kernels/rotations.c", *src.glob("import/cook/*.c"), *src.glob("base/*.c"),
                   *src.glob("base/memory/*.c"), *src.glob("base/process/*.c"),
                   *src.glob("base/posix/*.c"), *src.glob("model/**/*.c"), *src.glob("math/*.c")]
        words = ["-m32", "-std=c17", "-D_DEFAULT_SOURCE", "-D_POSIX_C_SOURCE=200809L", "-DLANES_SCALAR",
                 "-DLANES_SUFFIX=scalar", '-DSINEW_VERSION=""', '-DSINEW_INSTALLED_HOME="/"', "-msse2", "-mfpmath=sse",
                 "-ffp-contract=off", "-Wno-psabi", "-ffunction-sections", "-Wl,--gc-sections", "-I", ROOT / "include", "-I",
                 src]
        probe = self.write("probe.c", "#include <errno.h>\n#include <stdlib.h>\nint main(void) { return 0; }\n")
        if not compiler or subprocess.run([compiler, "-m32", probe, "-o", reader], capture_output=True).returncode:
            self.skipTest("no compiler for 32 bits (gcc-multilib) is here")
        subprocess.run([compiler, *words, *sources, "-o", reader, "-lm", "-lpthread"], check=True)
        for name in ("hero.glb", "hero.fbx"):
            file, again = self.folder / f"{name}.sinew", self.folder / "again.sinew"
            self.assertEqual(program.sinew("cook", ROOT / "assets" / name, "-o", file, SINEW_CACHE="off").status, 0)
            subprocess.run([reader, file, again], check=True)
            self.assertEqual(file.read_bytes(), again.read_bytes())
            file.write_bytes(file.read_bytes()[:-64])
            self.assertNotEqual(subprocess.run([reader, file, again], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
