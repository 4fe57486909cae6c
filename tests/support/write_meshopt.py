"""Writes buffers in the formats of EXT_meshopt_compression (its appendices A and C), without any entropy coding to speak
of: what a decoder has to give back is known without one."""


def zigzag(delta):
    """A difference of bytes, modulo 256."""
    delta &= 255
    return (255 - delta) * 2 + 1 if delta >= 128 else delta * 2


def attributes(data, stride):
    """Mode ATTRIBUTES, version 0: each group of 16 differences stands as it is (2 bits of header: 3)."""
    count, out, last = len(data) // stride, bytearray([0xA0]), list(data[:stride])
    block = min(256, (8192 // stride) & ~15)
    for first in range(0, count, block):
        size = min(block, count - first)
        groups = (size + 15) // 16
        for k in range(stride):
            deltas = []
            for v in range(first, first + size):
                deltas.append(zigzag(data[v * stride + k] - last[k]))
                last[k] = data[v * stride + k]
            out += bytes([0xFF] * ((groups + 3) // 4)) + bytes(deltas) + bytes(-size % 16)
    return bytes(out) + bytes(max(0, 32 - stride)) + bytes(data[:stride])


def indices(values):
    """Mode INDICES, version 1: differences from the last one, in bytes of 7 bits; the lowest bit chooses a baseline."""
    out, last = bytearray([0xD1]), 0
    for value in values:
        delta = value - last
        last = value
        number = (delta * 2 if delta >= 0 else -delta * 2 - 1) * 2
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return bytes(out) + bytes(4)
