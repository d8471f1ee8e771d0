"""How Posterity's own cost grows: cold runs of ever more posters, and runs that find everything fresh or unchanged."""

import json
import shutil
import subprocess
from dataclasses import replace

from contenders import KEY, Posterity, environment
from processes import measured
from results import spread
from world import LIST, SIZES, Server, poster_name, with_comment, write_list, write_posters

LISTS = [LIST, "movie/popular", "movie/top_rated", "movie/upcoming"]


def growth(stage, steps, rounds, say):
    """Cold runs of ever more titles: the small ones several times, the largest once."""
    found = []
    for titles in steps:
        stage = replace(stage, titles=titles)
        say(f"growth: {titles * len(SIZES):,} posters")
        shutil.rmtree(stage.server.root / "3", ignore_errors=True)
        write_list(stage.server.root, LIST, titles)
        write_posters(stage.server.root, stage.corpus, titles)
        runs = []
        for _ in range(1 if titles == steps[-1] else rounds):
            folder = stage.work / "growth"
            folder.mkdir()
            runs.append(Posterity("posterity").run(stage, folder))
            done = json.loads((folder / "result").read_text())["summary"]
            if done["fetched"] != titles * len(SIZES):
                raise SystemExit(f"{titles * len(SIZES)} posters were to be fetched, and {done['fetched']} were")
            shutil.rmtree(folder)
        posters = titles * len(SIZES)
        found.append({
            "posters": posters, "runs": len(runs),
            "wallMillisecondsEach": spread(run.wall for run in runs)["median"] / posters * 1000,
            "cpuMillisecondsEach": spread(run.cpu for run in runs)["median"] / posters * 1000,
            "peakBytes": max(run.peak_bytes for run in runs), "largestResidentBytes": max(run.largest_resident_bytes for run in runs),
        })
    return found


def warm(stage, images, rounds, say):
    """Runs over so many images that are there already, tiny ones, since nobody looks into them: all fresh, and then all asked for again."""
    titles = -(-images // (len(LISTS) * len(SIZES)))
    root, folder = stage.work / "tiny-web", stage.work / "warm"
    folder.mkdir()
    tiny = folder / "tiny.jpg"
    subprocess.run(["vipsthumbnail", stage.corpus.original("w185", 0), "--size", "20x30!", "-o", f"{tiny}[strip]"], check=True)
    say(f"warm: making {len(LISTS) * titles * len(SIZES):,} tiny posters")
    picture = tiny.read_bytes()
    for number, path in enumerate(LISTS):
        write_list(root, path, titles, first_rank=number * titles)
    for size in SIZES:
        (root / "t" / "p" / size).mkdir(parents=True)
        for rank in range(len(LISTS) * titles):
            (root / "t" / "p" / size / f"{poster_name(rank)}.jpg").write_bytes(with_comment(picture, f"{size} {rank}"))

    with Server(root, folder / "server", log_requests=True) as server:
        stage = replace(stage, server=server, titles=titles)

        def run(*more):
            command = Posterity("posterity").command(stage, folder, *more, lists=LISTS)
            before = len(server.log.read_text().splitlines()) if server.log.exists() else 0
            usage = measured(command, environment(), server, folder / "result")
            asked = [line.split()[0] for line in server.log.read_text().splitlines()[before:] if " /t/p/" in line]
            return usage, asked

        say("warm: filling the cache")
        first, asked = run()
        count = len(LISTS) * titles * len(SIZES)
        if asked.count("200") != count:
            raise SystemExit(f"scripts/bench: {asked.count('200')} of {count} images were served")
        say("warm: all fresh")
        fresh = [run() for _ in range(rounds)]
        say("warm: all 304")
        unchanged = [run("--refresh") for _ in range(rounds)]
        for _, asked in unchanged:
            if asked.count("304") != count or len(asked) != count:
                raise SystemExit(f"scripts/bench: {asked.count('304')} of {len(asked)} answers were 304, not {count}")
    return {
        "images": count, "firstWallSeconds": first.wall, "firstCPUMillisecondsEach": first.cpu / count * 1000,
        "firstPeakBytes": first.largest_resident_bytes,
        "freshWallSeconds": spread(usage.wall for usage, _ in fresh), "freshCPUSeconds": spread(usage.cpu for usage, _ in fresh),
        "freshImageRequests": max(len(asked) for _, asked in fresh), "freshPeakBytes": max(usage.largest_resident_bytes for usage, _ in fresh),
        "unchangedWallSeconds": spread(usage.wall for usage, _ in unchanged),
        "unchangedCPUMillisecondsEach": spread(usage.cpu for usage, _ in unchanged)["median"] / count * 1000,
        "unchangedPeakBytes": max(usage.largest_resident_bytes for usage, _ in unchanged),
    }
