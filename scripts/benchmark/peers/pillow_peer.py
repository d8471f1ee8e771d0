"""Pillow and aiohttp, as two processes: draft mode where an original is larger, masks drawn once at four times their size."""

import functools
import io

from PIL import Image, ImageDraw, ImageOps

import harness


@functools.cache
def mask(size):
    width, height = harness.BOXES[size]
    large = Image.new("L", (width * 4, height * 4))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, width * 4 - 1, height * 4 - 1), radius=width * 4 / 10, fill=255)
    return large.resize((width, height), Image.Resampling.BOX)


def thumbnail(body, size, path):
    box = harness.BOXES[size]
    image = Image.open(io.BytesIO(body))
    image.draft("RGB", box)
    if image.size != box:
        image = ImageOps.fit(image, box, Image.Resampling.LANCZOS)
    image.putalpha(mask(size))
    if harness.FORMAT == "webp":
        image.save(path, quality=harness.QUALITY, method=harness.EFFORT)
    else:
        image.save(path, compress_level=harness.EFFORT)


if __name__ == "__main__":
    harness.main(thumbnail)
