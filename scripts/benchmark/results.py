"""What was measured of each contender, run by run, and what follows from it."""

import math
from dataclasses import dataclass, field
from statistics import median

from contenders import Contender
from world import SIZES


@dataclass
class Result:
    contender: Contender
    titles: int
    #: One a round, so that those of two contenders can be held against each other pair by pair.
    runs: list = field(default_factory=list)
    #: What `pictures` saw in the first run, by format.
    seen: dict = field(default_factory=dict)

    @property
    def outputs(self):
        return self.titles * len(SIZES) * (1 + len(self.contender.also))

    @property
    def picture(self):
        return self.seen.get(self.contender.format, {})

    @property
    def bytes(self):
        return sum(seen["bytes"] for seen in self.seen.values())

    def rates(self):
        """Pictures made a second, in each run."""
        return [self.outputs / run.wall for run in self.runs]

    def cpu(self):
        return median(run.cpu for run in self.runs)

    def json(self):
        contender = self.contender
        return {
            "name": contender.name, "label": contender.label, "format": contender.format, "quality": contender.quality,
            "effort": contender.effort, "secure": contender.secure, "titles": self.titles, "outputs": self.outputs,
            "outputsPerSecond": spread(self.rates()), "wallSeconds": spread(run.wall for run in self.runs),
            "cpuSeconds": spread(run.cpu for run in self.runs), "serverCPUSeconds": spread(run.server_cpu for run in self.runs),
            "peakBytes": max(run.peak_bytes for run in self.runs), "busyShare": spread(run.busy for run in self.runs),
            "othersShare": spread(run.others for run in self.runs),
            "largestResidentBytes": max(run.largest_resident_bytes for run in self.runs), "pictures": self.seen,
        }


def spread(values):
    values = sorted(values)
    return {"median": median(values), "least": values[0], "most": values[-1]}


def ratios(ours, theirs):
    """How many times as many pictures a second, round by round."""
    return [a / b for a, b in zip(ours.rates(), theirs.rates())]


def cpu_ratios(ours, theirs):
    """How many times as much CPU time a picture, round by round."""
    return [b.cpu / theirs.outputs / (a.cpu / ours.outputs) for a, b in zip(ours.runs, theirs.runs)]


@dataclass
class EqualError:
    """What a contender would need to make pictures of a given PSNR: between the qualities that were tried, by straight lines."""

    quality: float
    bytes: float
    #: In relation to what it needs at the quality that all are measured at.
    cost: float


def equal_error(result, sweep, psnr, measure="psnr"):
    """
    - sweep: results of the same contender at other qualities.
    """
    points = sorted(((r.picture[measure], r.contender.quality, math.log(r.bytes), r.cpu()) for r in [result, *sweep] if measure in r.picture))
    if len(points) < 2:
        return EqualError(result.contender.quality, result.bytes, 1)
    index = next((i for i in range(1, len(points) - 1) if points[i][0] >= psnr), len(points) - 1)
    low, high = points[index - 1], points[index]
    part = (psnr - low[0]) / (high[0] - low[0])
    quality, log_bytes, cpu = (low[i] + part * (high[i] - low[i]) for i in (1, 2, 3))
    return EqualError(quality, math.exp(log_bytes), cpu / result.cpu())
