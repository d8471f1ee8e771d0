"""Who takes part: Posterity, those that people would pick instead, and the floor. Each run gets a folder of its own and leaves pictures there."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from processes import CORES, measured
from world import KEY, LIST, SIZES, poster_name

HERE = Path(__file__).parent
OUR_EFFORT = 2
"""What Posterity's recipes mean when they do not say an effort."""
PEER_EFFORT = 4
"""libwebp's own default, and that of all who use it."""
QUALITY = 80


@dataclass(frozen=True)
class Stage:
    """What all of them find: programs, server, pictures."""

    posterity: Path
    python: Path
    floor: Path
    server: object
    corpus: object
    titles: int
    work: Path


@dataclass(frozen=True)
class Contender:
    name: str
    format: str = "webp"
    quality: int = QUALITY
    #: libwebp's method, or PNG's level; None is Posterity's own choice.
    effort: int | None = None
    #: Formats beside `format`, made in the same run.
    also: tuple = ()
    #: HTTP/2 with TLS rather than plain HTTP/1.1.
    secure: bool = False

    @property
    def label(self):
        words = [self.name, self.format] + ([f"q{self.quality}"] if self.quality != QUALITY else [])
        if self.effort is not None:
            words.append(f"effort {self.effort}" if self.format == "webp" else f"level {self.effort}")
        words += [f"and {other}" for other in self.also]
        return " ".join(words + (["HTTP/2"] if self.secure else []))

    def run(self, stage, folder):
        """Does the job once in `folder`, which is empty. Returns what it used."""
        raise NotImplementedError

    def files(self, stage, folder, format):
        """The pictures of `format` that it left: rank by rank of each size."""
        return {size: {rank: str(folder / "thumbnails" / size / f"{poster_name(rank)}.{format}") for rank in range(stage.titles)} for size in SIZES}


class Posterity(Contender):
    def recipe(self, format):
        words = ["cover", "radius=10%", format]
        if format == "webp":
            words.append(f"q={self.quality}")
        if self.effort is not None:
            words.append(f"effort={self.effort}")
        return ",".join(words)

    def command(self, stage, folder, *more, lists=(LIST,)):
        server = stage.server
        host = server.secure if self.secure else server.plain
        recipes = [word for format in (self.format, *self.also) for word in ("--recipe", self.recipe(format))]
        trust = ["--ca-file", server.authority] if self.secure else []
        return [stage.posterity, "mirror", *lists, "--quiet", "--json", "--cache", folder / "cache", "--api", f"{host}/3",
                "--images", f"{host}/t/p", "--top", stage.titles, *recipes, *trust, *more]

    def run(self, stage, folder):
        return measured(self.command(stage, folder), environment(), stage.server, folder / "result")

    def files(self, stage, folder, format):
        manifests = sorted((folder / "cache" / "runs").glob("*.json"))
        manifest = json.loads(manifests[-1].read_text())
        found = {size: {} for size in SIZES}
        for title in manifest["titles"]:
            for size, pictures in title["poster"]["sizes"].items():
                for rendition in pictures["renditions"]:
                    if rendition["mediaType"] == f"image/{format}":
                        found[size][title["rank"] - 1] = str(folder / "cache" / rendition["path"])
        return found


class Peer(Contender):
    COMMANDS = {
        "ffmpeg": ["ffmpeg"],
        "Pillow": ["pillow_peer.py"],
        "pyvips processes": ["pyvips_peer.py"],
        "pyvips threads": ["pyvips_peer.py", "threads"],
        "GraphicsMagick": ["graphicsmagick"],
        "ImageMagick": ["imagemagick"],
        "convert a picture": ["convert"],
        "vips command": ["vips"],
    }

    def run(self, stage, folder):
        script, *arguments = self.COMMANDS[self.name]
        command = [HERE / "peers" / script, *arguments]
        if script.endswith(".py"):
            command.insert(0, stage.python)
        host = stage.server.plain
        return measured(command, environment(
            BENCH_API=f"{host}/3", BENCH_IMAGES=f"{host}/t/p", BENCH_TITLES=stage.titles, BENCH_FOLDER=folder, BENCH_FORMAT=self.format,
            BENCH_QUALITY=self.quality, BENCH_EFFORT=self.effort, BENCH_CORES=CORES, BENCH_PEERS=HERE / "peers"), stage.server,
            folder / "result")


class Floor(Contender):
    """Not a peer: it only decodes and encodes. What it reports is the CPU time of just that."""

    def run(self, stage, folder):
        names = [str(stage.server.root / "t" / "p" / size / f"{poster_name(rank)}.jpg") for size in SIZES for rank in range(stage.titles)]
        (folder / "list").write_text("\n".join(names) + "\n")
        threads = 1 if "one thread" in self.name else CORES
        usage = measured(["sh", "-c", f"exec {stage.floor} {threads} {self.effort} {self.quality} <{folder}/list"], None, None, folder / "result")
        _, wall, cpu, *_ = (folder / "result").read_text().split()
        return replace(usage, wall=float(wall), cpu=float(cpu))


def environment(**more):
    return {"AMODB_KEY": KEY, **{name: str(value) for name, value in more.items()}}
