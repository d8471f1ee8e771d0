"""The targets of the job, each with what was measured. A row says nothing where its part of the measurements was left out."""

from dataclasses import dataclass
from statistics import median

from contenders import OUR_EFFORT, PEER_EFFORT
from processes import CORES
from results import cpu_ratios, equal_error, ratios

FAMILIES = {"ffmpeg": ["ffmpeg"], "Pillow": ["Pillow"], "pyvips": ["pyvips processes", "pyvips threads"]}
LEAST_RATIOS = {"ffmpeg": 1.15, "Pillow": 1.3, "pyvips": 1.4}


@dataclass
class Row:
    what: str
    target: str
    measured: str = "not measured"
    met: bool | None = None

    def json(self):
        return {"what": self.what, "target": self.target, "measured": self.measured, "met": self.met}


class Peers:
    """The rounds of `--peers`, looked at for the targets."""

    def __init__(self, results, sweeps):
        self.results = {(r.contender.name, r.contender.format, r.contender.effort, r.contender.secure): r for r in results if not r.contender.also}
        self.sweeps = sweeps

    def of(self, name, effort, format="webp"):
        return self.results.get((name, format, effort, False))

    def ours(self, effort):
        return self.of("posterity", effort) or (self.of("posterity", None) if effort == OUR_EFFORT else None)

    def best(self, names, effort):
        found = [result for name in names if (result := self.of(name, effort))]
        return max(found, key=lambda result: median(result.rates()), default=None)

    def strongest(self, effort):
        names = {name for name, format, *_ in self.results if format == "webp" and name != "posterity" and not name.startswith("floor")}
        return self.best(names, effort)

    def equal(self, theirs, ours):
        sweep = [r for r in self.sweeps if (r.contender.name, r.contender.effort) == (theirs.contender.name, theirs.contender.effort)]
        return equal_error(theirs, sweep, ours.picture["psnr"])

    # MARK: - Rows

    def rows(self):
        floor, default = self.of("floor", OUR_EFFORT), self.ours(OUR_EFFORT)
        row = Row("CPU of a cold run / the C floor's, same encoder settings", "≤ 1.10")
        if floor and default:
            measure(row, [a.cpu / b.cpu for a, b in zip(default.runs, floor.runs)], lambda value: value <= 1.10)
        yield row

        for family, names in FAMILIES.items():
            for effort in (PEER_EFFORT, OUR_EFFORT):
                row = Row(f"outputs/s / {family}, best of its kind, both at effort {effort}, equal error", f"≥ {LEAST_RATIOS[family]}")
                ours, theirs = self.ours(effort), self.best(names, effort)
                if ours and theirs:
                    equal = self.equal(theirs, ours)
                    measure(row, [ratio * equal.cost for ratio in ratios(ours, theirs)], lambda value: value >= LEAST_RATIOS[family],
                            f"{theirs.contender.name}, {ours.bytes / equal.bytes:.3f} × its bytes; {in_cpu(ours, theirs, equal.cost)}")
                yield row

        strongest = self.strongest(PEER_EFFORT)
        row = Row(f"outputs/s, default / strongest peer at effort {PEER_EFFORT}, equal PSNR, bytes ≤ 1.07", "≥ 2.2")
        if default and strongest:
            equal = self.equal(strongest, default)
            more = default.bytes / equal.bytes
            measure(row, [ratio * equal.cost for ratio in ratios(default, strongest)], lambda value: value >= 2.2 and more <= 1.07,
                    f"{strongest.contender.name} at quality {equal.quality:.1f}, {more:.3f} × its bytes; {in_cpu(default, strongest, equal.cost)}")
        yield row

        row = Row("outputs/s, default / the same peer at our effort, equal settings", "≥ 1.4")
        same = strongest and self.of(strongest.contender.name, OUR_EFFORT)
        if default and same:
            measure(row, ratios(default, same), lambda value: value >= 1.4, f"{same.contender.name}; {in_cpu(default, same)}")
        yield row

        row = Row("cores busy with a cold run and its server", "≥ 95 %")
        if default:
            shares = [(run.cpu + run.server_cpu) / run.wall / CORES for run in default.runs]
            row.measured = f"{median(shares):.1%}; {median(run.busy for run in default.runs):.1%} with all else on the machine"
            row.met = median(shares) >= 0.95
        yield row


def measure(row, values, is_met, remark=""):
    row.measured = f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})" + (f"; {remark}" if remark else "")
    row.met = is_met(median(values))


def in_cpu(ours, theirs, cost=1):
    """The same ratio by CPU time, which others on the machine disturb less."""
    return f"{median(cpu_ratios(ours, theirs)) * cost:.2f} in CPU"


def growth_rows(growth):
    memory = Row("peak memory, default settings", "≤ 80 MB, ± 10 % for 300 and 30,000 posters")
    cost = Row("cost per poster at 30,000 / at 300", "≤ 1.05")
    if growth:
        few, many = growth[0], growth[-1]
        peaks = [step["largestResidentBytes"] / 1e6 for step in growth]
        memory.measured = " · ".join(f"{peak:.1f} MB at {step['posters']:,}" for peak, step in zip(peaks, growth))
        memory.met = max(peaks) <= 80 and abs(peaks[-1] / peaks[0] - 1) <= 0.1
        ratio = many["cpuMillisecondsEach"] / few["cpuMillisecondsEach"]
        cost.measured = f"{ratio:.3f} in CPU, {many['wallMillisecondsEach'] / few['wallMillisecondsEach']:.3f} in time"
        cost.met = ratio <= 1.05
    return [memory, cost]


def warm_rows(warm):
    fresh = Row("warm run of 100,000 fresh images", "≤ 1.5 s, no image request")
    unchanged = Row("warm run with all 304", "CPU ≤ 0.15 ms each")
    if warm:
        seconds, requests = warm["freshWallSeconds"]["median"], warm["freshImageRequests"]
        fresh.measured = f"{seconds:.2f} s for {warm['images']:,}, {requests} image requests"
        fresh.met = seconds <= 1.5 and requests == 0
        each = warm["unchangedCPUMillisecondsEach"]
        unchanged.measured = f"{each:.3f} ms"
        unchanged.met = each <= 0.15
    return [fresh, unchanged]
