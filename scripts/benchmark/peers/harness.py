"""For those that are libraries: the list and the posters by aiohttp, 16 at once; each picture goes to workers as soon as it is here."""

import asyncio
import os
import queue
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import aiohttp

BOXES = {"w185": (185, 278), "w342": (342, 513), "w500": (500, 750)}
FORMAT = os.environ["BENCH_FORMAT"]
QUALITY = int(os.environ["BENCH_QUALITY"])
#: libwebp's method, or PNG's compression level.
EFFORT = int(os.environ["BENCH_EFFORT"])
FOLDER = Path(os.environ["BENCH_FOLDER"])
CORES = int(os.environ["BENCH_CORES"])


async def mirror(executor, thumbnail):
    api, images, titles = os.environ["BENCH_API"], os.environ["BENCH_IMAGES"], int(os.environ["BENCH_TITLES"])
    loop = asyncio.get_running_loop()
    for size in BOXES:
        for kind in ("originals", "thumbnails"):
            (FOLDER / kind / size).mkdir(parents=True)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=16)) as session:

        async def page(number):
            headers = {"Authorization": f"Bearer {os.environ['AMODB_KEY']}"}
            async with session.get(f"{api}/trending/movie/week?page={number}", headers=headers, raise_for_status=True) as answer:
                return [title["poster_path"] for title in (await answer.json())["results"] if title["poster_path"]]

        pages = await asyncio.gather(*(page(number + 1) for number in range((titles + 19) // 20)))
        paths = [path for page in pages for path in page][:titles]
        todo = asyncio.Queue()
        for path in paths:
            for size in BOXES:
                todo.put_nowait((size, path))

        async def work():
            while not todo.empty():
                size, path = todo.get_nowait()
                async with session.get(f"{images}/{size}{path}", raise_for_status=True) as answer:
                    body = await answer.read()
                await loop.run_in_executor(executor, save, thumbnail, body, size, path.strip("/"))

        await asyncio.gather(*(work() for _ in range(16)))


def save(thumbnail, body, size, name):
    (FOLDER / "originals" / size / name).write_bytes(body)
    thumbnail(body, size, str((FOLDER / "thumbnails" / size / name).with_suffix("." + FORMAT)))


def main(thumbnail, threads=False):
    with ThreadPoolExecutor(CORES) if threads else ProcessPoolExecutor(CORES) as executor:
        asyncio.run(mirror(executor, thumbnail))
