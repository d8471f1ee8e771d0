"""pyvips and aiohttp, as two processes or, with `threads`, as two threads. Each keeps its masks; libvips itself uses one thread a picture."""

import os
import sys
import threading

os.environ["VIPS_CONCURRENCY"] = "1"

import pyvips  # noqa: E402

import harness  # noqa: E402

pyvips.cache_set_max(0)
own = threading.local()


def mask(size):
    masks = own.__dict__.setdefault("masks", {})
    if size not in masks:
        width, height = harness.BOXES[size]
        svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
               f'<rect width="{width}" height="{height}" rx="{width / 10}" fill="white"/></svg>')
        masks[size] = pyvips.Image.svgload_buffer(svg.encode())[3].copy_memory()
    return masks[size]


def thumbnail(body, size, path):
    width, height = harness.BOXES[size]
    image = pyvips.Image.jpegload_buffer(body, access="sequential")
    if (image.width, image.height) != (width, height):
        image = pyvips.Image.thumbnail_buffer(body, width, height=height, crop="centre")
    image = image.bandjoin(mask(size))
    if harness.FORMAT == "webp":
        image.webpsave(path, Q=harness.QUALITY, effort=harness.EFFORT, strip=True)
    else:
        image.pngsave(path, compression=harness.EFFORT, filter="sub", strip=True)


if __name__ == "__main__":
    harness.main(thumbnail, threads="threads" in sys.argv)
