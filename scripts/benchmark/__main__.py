"""Everything that `scripts/bench --peers`, `--growth` and `--warm` measure; see docs/performance.md."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import report
import series
from contenders import HERE, OUR_EFFORT, PEER_EFFORT, Floor, Peer, Posterity, Stage
from results import Result
from targets import FAMILIES, Peers, growth_rows, warm_rows
from world import LIST, Corpus, Server, write_list, write_posters

SWEPT_QUALITIES = (75, 85)
BRIEF_GROWTH, GROWTH = (2, 4, 8), (100, 1000, 10_000)
BRIEF_WARM, WARM = 100, 100_000


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


def contenders(names):
    """In the order of a round."""
    everyone = [Posterity("posterity"), Posterity("posterity", secure=True), Posterity("posterity", effort=PEER_EFFORT)]
    everyone += [Posterity("posterity", format="png", effort=level) for level in (None, 6, 1)]
    everyone.append(Posterity("posterity", also=("png",)))
    for effort in (OUR_EFFORT, PEER_EFFORT):
        everyone += [Floor("floor", effort=effort), Floor("floor, one thread", effort=effort)]
        everyone += [Peer(name, effort=effort) for name in Peer.COMMANDS]
    everyone += [Peer(name, format="png", effort=level) for level in (6, 1) for name in Peer.COMMANDS]
    return [each for each in everyone if not names or any(each.name.lower().startswith(name) for name in names)]


def run_once(stage, result):
    """One run of a contender; its pictures are looked at, closely the first time."""
    contender, folder = result.contender, stage.work / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    result.runs.append(contender.run(stage, folder))
    if not isinstance(contender, Floor):
        for format in (contender.format, *contender.also):
            order = {"name": contender.label, "files": contender.files(stage, folder, format), "titles": stage.titles,
                     "errors": format not in result.seen, "corpus": str(stage.corpus.folder)}
            seen = subprocess.run([stage.python, HERE / "pictures.py"], input=json.dumps(order), stdout=subprocess.PIPE, text=True)
            if seen.returncode != 0:
                raise SystemExit(1)
            result.seen.setdefault(format, json.loads(seen.stdout))
    shutil.rmtree(folder)


def peers(stage, rounds, names):
    write_list(stage.server.root, LIST, stage.titles)
    write_posters(stage.server.root, stage.corpus, stage.titles)
    results = [Result(each, stage.titles) for each in contenders(names)]
    for number in range(rounds):
        for result in results:
            say(f"round {number + 1} of {rounds}: {result.contender.label}")
            run_once(stage, result)
    found = Peers(results, [])
    swept = [best for effort in (OUR_EFFORT, PEER_EFFORT) for names in FAMILIES.values() if (best := found.best(names, effort))]
    strongest = found.strongest(PEER_EFFORT)
    if strongest and strongest not in swept:
        swept.append(strongest)
    sweeps = []
    for each in swept:
        for quality in SWEPT_QUALITIES:
            sweeps.append(Result(replace(each.contender, quality=quality), stage.titles))
            say(f"at another quality: {sweeps[-1].contender.label}")
            run_once(stage, sweeps[-1])
    return results, sweeps


def main():
    arguments = argparse.ArgumentParser(prog="scripts/bench")
    for name in ("posterity", "floor", "posters"):
        arguments.add_argument(f"--{name}", type=Path, required=True)
    for name in ("peers", "growth", "warm", "brief", "json"):
        arguments.add_argument(f"--{name}", action="store_true")
    arguments.add_argument("--titles", type=int)
    arguments.add_argument("--runs", type=int)
    arguments.add_argument("--contenders", default="")
    given = arguments.parse_args()
    names = [name.strip().lower() for name in given.contenders.split(",") if name.strip()]
    titles = given.titles or (3 if given.brief else 100)
    rounds = given.runs or (1 if given.brief else 3)
    everything = given.peers and not names

    corpus = Corpus(given.posters)
    scratch = Path(".build/benchmark").resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        folder = Path(folder)
        root = folder / "web"
        root.mkdir()
        results, sweeps, growth, warm = [], [], None, None
        with Server(root, folder / "server", log_requests=False) as server:
            stage = Stage(given.posterity, Path(sys.executable), given.floor, server, corpus, titles, folder)
            if given.peers:
                results, sweeps = peers(stage, rounds, names)
            if given.growth or everything:
                growth = series.growth(stage, BRIEF_GROWTH if given.brief else GROWTH, rounds, say)
        if given.warm or everything:
            warm = series.warm(stage, BRIEF_WARM if given.brief else WARM, rounds, say)
    rows = [*(Peers(results, sweeps).rows() if given.peers else []), *growth_rows(growth), *warm_rows(warm)]
    if not everything:
        rows = [row for row in rows if row.met is not None]
    shown = report.Report(corpus, given.posterity, stage.python, titles, rounds, results, sweeps, growth, warm, rows)
    print(json.dumps(shown.json(), indent=1, ensure_ascii=False) if given.json else shown.text())


if __name__ == "__main__":
    main()
