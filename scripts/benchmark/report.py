"""What was measured, for people and for machines."""

import os
import platform
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from processes import CORES
from results import cpu_ratios, equal_error, ratios, spread
from world import SIZES


@dataclass
class Report:
    corpus: object
    posterity: Path
    python: Path
    titles: int
    rounds: int
    results: list
    sweeps: list
    growth: list | None
    warm: dict | None
    rows: list

    def json(self):
        return {
            "machine": machine(), "versions": versions(self.posterity, self.python), "distinctPosters": len(self.corpus.names) * len(SIZES),
            "titles": self.titles, "rounds": self.rounds, "contenders": [result.json() for result in self.results],
            "otherQualities": [result.json() for result in self.sweeps], "growth": self.growth, "warm": self.warm,
            "targets": [row.json() for row in self.rows],
        }

    def text(self):
        parts = [", ".join(f"{name} {value}" for name, value in machine().items())]
        parts.append(", ".join(f"{name} {value}" for name, value in versions(self.posterity, self.python).items()))
        if self.results:
            parts.append(f"{self.titles} titles × {len(SIZES)} sizes, {self.rounds} rounds: medians (least to most)\n" + self.contest())
            others = median(run.others for result in self.results for run in result.runs)
            if others > 0.05:
                parts.append(f"NOTE: others took {others:.0%} of this machine's cores meanwhile; times say little, and CPU seconds are inflated.")
        if self.sweeps:
            parts.append("At the PSNR of posterity's default, between qualities that were tried\n" + self.equal())
        if self.growth:
            parts.append(table(
                ["cold run of", "ms each", "CPU ms each", "largest MB", "PSS MB"],
                [[f"{step['posters']:,} posters", f"{step['wallMillisecondsEach']:.2f}", f"{step['cpuMillisecondsEach']:.2f}",
                  f"{step['largestResidentBytes'] / 1e6:.1f}", f"{step['peakBytes'] / 1e6:.1f}"] for step in self.growth]))
        if self.warm:
            parts.append(self.warmth())
        if self.rows:
            answers = {True: "met", False: "not met", None: ""}
            lines = [[row.what, row.target, row.measured, answers[row.met]] for row in self.rows]
            parts.append(table(["", "target", "measured", ""], lines, left={0, 1, 2, 3}))
        return "\n\n".join(parts)

    def contest(self):
        default = next((r for r in self.results if r.contender.label == "posterity webp"), None)
        png = next((r for r in self.results if r.contender.label == "posterity png"), None)
        lines = []
        for result in self.results:
            ours = {"webp": default, "png": png}[result.contender.format]
            is_comparable = ours and result is not ours and not result.contender.also and not result.contender.name.startswith("floor")
            picture = result.picture
            lines.append([
                result.contender.label, span(result.rates(), "{:.1f}"), span([run.wall for run in result.runs], "{:.2f}"),
                span([run.cpu for run in result.runs], "{:.2f}"), f"{max(run.peak_bytes for run in result.runs) / 1e6:.0f}",
                f"{result.bytes / result.outputs / 1000:.2f}" if picture else "", decibels(picture.get("psnr")),
                decibels(picture.get("lumaPSNR")), f"{picture['ssim']:.4f}" if picture else "",
                span(ratios(ours, result), "{:.2f}") if is_comparable else "", span(cpu_ratios(ours, result), "{:.2f}") if is_comparable else ""])
        return table(
            ["", "outputs/s", "wall s", "CPU s", "PSS MB", "kB each", "PSNR dB", "luma dB", "SSIM", "theirs / ours: time", "CPU"], lines)

    def equal(self):
        default = next((r for r in self.results if r.contender.label == "posterity webp"), None)
        if not default:
            return ""
        lines = []
        for result in self.results:
            sweep = [r for r in self.sweeps if (r.contender.name, r.contender.effort) == (result.contender.name, result.contender.effort)]
            if not sweep or result.contender.format != "webp":
                continue
            for measure, name in (("psnr", "PSNR"), ("lumaPSNR", "luma")):
                equal = equal_error(result, sweep, default.picture[measure], measure)
                lines.append([
                    f"{result.contender.name} effort {result.contender.effort}, {name}", f"{equal.quality:.1f}",
                    f"{equal.bytes / result.outputs / 1000:.2f}", f"{default.bytes / equal.bytes:.3f}",
                    f"{median(result.rates()) / equal.cost:.1f}", span([r * equal.cost for r in ratios(default, result)], "{:.2f}"),
                    span([r * equal.cost for r in cpu_ratios(default, result)], "{:.2f}")])
        return table(["", "quality", "kB each", "our bytes / theirs", "outputs/s", "theirs / ours: time", "CPU"], lines)

    def warmth(self):
        warm = self.warm
        return table([f"{warm['images']:,} tiny images", "s", "CPU ms each", "largest MB"], [
            ["first run", f"{warm['firstWallSeconds']:.2f}", f"{warm['firstCPUMillisecondsEach']:.3f}", f"{warm['firstPeakBytes'] / 1e6:.1f}"],
            ["all fresh", f"{warm['freshWallSeconds']['median']:.2f}", f"{warm['freshCPUSeconds']['median'] / warm['images'] * 1000:.4f}",
             f"{warm['freshPeakBytes'] / 1e6:.1f}"],
            ["all 304", f"{warm['unchangedWallSeconds']['median']:.2f}", f"{warm['unchangedCPUMillisecondsEach']:.3f}",
             f"{warm['unchangedPeakBytes'] / 1e6:.1f}"],
        ])


def decibels(value):
    return "" if value is None else "exact" if value >= 99 else f"{value:.2f}"


def span(values, form):
    found = spread(values)
    if len(values) == 1:
        return form.format(found["median"])
    return f"{form.format(found['median'])} ({form.format(found['least'])} to {form.format(found['most'])})"


def table(head, lines, left=frozenset({0})):
    lines = [head, *lines]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) if i in left else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def machine():
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    return {
        "processor": re.sub(r"\s+", " ", processor.group(1)) if processor else platform.machine(), "cores": CORES,
        "memory": f"{int(memory.group(1)) / 1e6:.0f} GB", "system": system.group(1), "kernel": platform.release(),
    }


def versions(posterity, python):
    def first(command, pattern):
        output = subprocess.run(command, capture_output=True, text=True)
        found = re.search(pattern, output.stdout + output.stderr)
        return found.group(1) if found else "?"

    libraries = """
import aiohttp, PIL, pyvips
from PIL import features
print("pyvips=" + pyvips.__version__, "libvips=" + ".".join(str(pyvips.version(i)) for i in range(3)), "Pillow=" + PIL.__version__,
      "Pillow-libwebp=" + features.version("webp"), "Pillow-libjpeg=" + features.version("jpg"), "aiohttp=" + aiohttp.__version__)"""
    named = subprocess.run([python, "-c", libraries], capture_output=True, text=True).stdout.split()
    return {
        "posterity": first([posterity, "--version"], r"(\d[\w.-]*)"), "nginx": first([server_program(), "-v"], r"nginx/([\d.]+)"),
        "libwebp": first(["pkg-config", "--modversion", "libwebp"], r"([\d.]+)"),
        "libjpeg-turbo": first(["dpkg-query", "-W", "-f=${Version}", "libjpeg62-turbo-dev"], r"(?:\d:)?([\d.]+)"),
        **dict(pair.split("=") for pair in named),
        "ffmpeg": first(["ffmpeg", "-version"], r"version ([\d.]+)"), "ImageMagick": first(["convert", "-version"], r"ImageMagick ([\d.-]+)"),
        "GraphicsMagick": first(["gm", "version"], r"GraphicsMagick ([\d.]+)"), "curl": first(["curl", "--version"], r"curl ([\d.]+)"),
    }


def server_program():
    return "/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else "nginx"
