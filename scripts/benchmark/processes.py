"""Runs a command and takes its measure, with all the processes that it starts."""

import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

CORES = len(os.sched_getaffinity(0))
TICK = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 0.05


@dataclass
class Usage:
    wall: float
    #: User and system seconds of the command and of all its children.
    cpu: float
    #: The largest sum of the proportional set sizes of all its processes at one time, sampled.
    peak_bytes: int
    #: The largest resident set of any single process, as the kernel kept it.
    largest_resident_bytes: int
    #: CPU seconds of the server meanwhile.
    server_cpu: float
    #: Share of all cores' time in which they were not idle, whoever kept them busy.
    busy: float

    @property
    def others(self):
        """The part of that share which neither the command nor the server had."""
        return max(0, self.busy - (self.cpu + self.server_cpu) / self.wall / CORES)


def cpu_of(processes):
    total = 0
    for process in processes:
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def all_cores():
    """Ticks of all cores since the start: idle, and in all."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return fields[3] + fields[4], sum(fields)


class MemorySampler(threading.Thread):
    """Adds up the proportional set sizes of all processes of a session, again and again."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session, self.peak, self.done = session, 0, threading.Event()
        self.others = set()

    def run(self):
        while True:
            self.peak = max(self.peak, sum(self.proportional_size(process) for process in self.members()))
            if self.done.wait(SAMPLE_SECONDS):
                return

    def members(self):
        present = {int(entry) for entry in os.listdir("/proc") if entry.isdigit()}
        self.others &= present
        for process in present - self.others:
            try:
                session = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[3])
            except (OSError, IndexError):
                continue
            if session == self.session:
                yield process
            else:
                self.others.add(process)

    @staticmethod
    def proportional_size(process):
        try:
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
        except OSError:
            pass
        return 0


def measured(command, environment=None, server=None, output=None, accepted=(0,)):
    """Runs `command` to its end. What it prints goes to `output`, what it says against anything to a file beside that."""
    os.sync()
    output = Path(output or os.devnull)
    complaints = output.with_name(output.name + ".errors") if output != Path(os.devnull) else output
    served = server.processes() if server else []
    server_before, (idle_before, all_before) = cpu_of(served), all_cores()
    with open(output, "w") as out, open(complaints, "w") as err:
        start = time.monotonic()
        process = subprocess.Popen(
            [str(word) for word in command], stdout=out, stderr=err, stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})},
            start_new_session=True)
        sampler = MemorySampler(process.pid)
        sampler.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    idle, total = all_cores()
    sampler.done.set()
    sampler.join()
    if process.returncode not in accepted:
        said = complaints.read_text()[-2000:] if complaints.is_file() else ""
        raise SystemExit(f"scripts/bench: `{' '.join(map(str, command))}` ended with {process.returncode}\n{said}")
    largest = usage.ru_maxrss * 1024
    return Usage(
        wall=wall, cpu=usage.ru_utime + usage.ru_stime, peak_bytes=sampler.peak, largest_resident_bytes=largest,
        server_cpu=cpu_of(served) - server_before, busy=1 - (idle - idle_before) / max(1, total - all_before))
