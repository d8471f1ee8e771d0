"""Looks at what was made: how many pictures, their sizes and corners, and how far they are from the originals. The same for everyone."""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import pyvips

from world import SIZES, Corpus, poster_name

pyvips.cache_set_max(0)
MARGIN = 1  # pixels that the opaque part keeps from the corners' edge, where everyone smooths in their own way


class Fault(Exception):
    pass


def size_of(path):
    """Width and height of a WebP or PNG file with an alpha channel, from its header."""
    head = path.open("rb").read(30)
    if head[:8] == b"\x89PNG\r\n\x1a\n":
        if head[25] not in (4, 6):
            raise Fault(f"{path} has no alpha channel")
        return struct.unpack(">II", head[16:24])
    if head[:4] == b"RIFF" and head[8:16] == b"WEBPVP8X":
        if not head[20] & 0x10:
            raise Fault(f"{path} has no alpha channel")
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    raise Fault(f"{path} is neither PNG nor WebP with an alpha channel")


def check(find, titles):
    """Every picture is there, has its size and an alpha channel. `find(size, rank)` gives its file. Returns all bytes."""
    total = 0
    for size, expected in SIZES.items():
        for rank in range(titles):
            path = Path(find(size, rank))
            if not path.is_file():
                raise Fault(f"{size} of {poster_name(rank)} was not made ({path})")
            if size_of(path) != expected:
                raise Fault(f"{path} is {size_of(path)}, not {expected}")
            total += path.stat().st_size
    return total


def opaque_part(width, height):
    """True where a picture with corners of a tenth of its width is fully opaque, less a margin."""
    radius = width / 10
    y, x = np.mgrid[0:height, 0:width] + 0.5
    dx = np.maximum(0, np.maximum(radius - x, x - (width - radius)))
    dy = np.maximum(0, np.maximum(radius - y, y - (height - radius)))
    return np.hypot(dx, dy) <= radius - 1 - MARGIN


def pixels(path):
    image = pyvips.Image.new_from_file(str(path))
    if image.bands == 1 or image.bands == 2:
        image = image.colourspace("srgb")
    return image.numpy()


def luma(rgb):
    return rgb @ np.array([0.299, 0.587, 0.114], dtype=np.float32)


def window_means(plane, side=8):
    sums = np.zeros((plane.shape[0] + 1, plane.shape[1] + 1))
    np.cumsum(np.cumsum(plane, axis=0, dtype=np.float64), axis=1, out=sums[1:, 1:])
    return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side**2


def ssim_map(a, b):
    """Structural similarity of every 8 × 8 window, with the usual constants."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = window_means(a), window_means(b)
    var_a, var_b = window_means(a * a) - mean_a**2, window_means(b * b) - mean_b**2
    covariance = window_means(a * b) - mean_a * mean_b
    return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))


def decibels(square_error):
    return 99.0 if square_error < 1e-9 else min(99.0, 10 * np.log10(255**2 / square_error))


def errors(find, corpus, titles):
    """Mean PSNR of RGB, of luma, and mean SSIM of luma over the opaque parts of all distinct posters; and the corners are looked at."""
    results = []
    for size, (width, height) in SIZES.items():
        opaque = opaque_part(width, height)
        windows = window_means(opaque.astype(np.float32)) > 0.999
        for rank in range(min(titles, len(corpus.names))):
            path = find(size, rank)
            made, original = pixels(path), pixels(corpus.original(size, rank))[..., :3].astype(np.float32)
            alpha = made[..., 3]
            if alpha[0, 0] > 32 or alpha[-1, -1] > 32 or alpha[0, -1] > 32 or alpha[-1, 0] > 32 or not (alpha[opaque] == 255).all():
                raise Fault(f"the corners of {path} are not as asked for")
            made = made[..., :3].astype(np.float32)
            difference = (made - original)[opaque]
            luma_made, luma_original = luma(made), luma(original)
            results.append((
                decibels(np.mean(difference**2)), decibels(np.mean((luma_made - luma_original)[opaque] ** 2)),
                np.mean(ssim_map(luma_made, luma_original)[windows])))
    return tuple(float(value) for value in np.mean(results, axis=0))


def main():
    """Reads what to look at from standard input, and prints what was seen; a process of its own, since NumPy takes memory."""
    order = json.load(sys.stdin)
    files = {(size, int(rank)): path for size, ranks in order["files"].items() for rank, path in ranks.items()}
    find = lambda size, rank: files.get((size, rank), f"no picture of rank {rank}")  # noqa: E731
    try:
        seen = {"bytes": check(find, order["titles"])}
        if order["errors"]:
            seen["psnr"], seen["lumaPSNR"], seen["ssim"] = errors(find, Corpus(order["corpus"]), order["titles"])
    except Fault as fault:
        sys.exit(f"scripts/bench: {order['name']}: {fault}")
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
