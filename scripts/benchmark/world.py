"""What is served to everyone who takes part: posters and list pages as plain files, by nginx on the loopback."""

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

SIZES = {"w185": (185, 278), "w342": (342, 513), "w500": (500, 750)}
LIST = "trending/movie/week"
PAGE = 20
KEY = "posterity-demo"


class Corpus:
    """A folder of real posters: w185, w342 and w500 hold one JPEG each of the same names."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.names = sorted(path.name for path in (self.folder / "w185").glob("*.jpg"))
        self.names = [name for name in self.names if all((self.folder / size / name).is_file() for size in SIZES)]
        if not self.names:
            raise SystemExit(f"scripts/bench: {folder} holds no posters; it needs w185/, w342/ and w500/ with one JPEG of each name")

    def original(self, size, rank):
        """The picture behind the poster of that rank, from 0."""
        return self.folder / size / self.names[rank % len(self.names)]


def poster_name(rank):
    return f"p{rank:06}"


def with_comment(jpeg, text):
    """The same picture in bytes of its own, so that nobody can take a repeated poster for one that is done already."""
    comment = text.encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def write_list(root, path, titles, first_rank=0, first_id=1):
    """Pages of a list, as the movie API answers them."""
    folder = root / "3" / path
    folder.mkdir(parents=True, exist_ok=True)
    pages = max(1, -(-titles // PAGE))
    for page in range(pages):
        results = []
        for index in range(page * PAGE, min(titles, (page + 1) * PAGE)):
            rank = first_rank + index
            results.append({
                "id": first_id + rank, "title": f"Poster {rank + 1}", "release_date": f"{1950 + rank % 75}-06-01",
                "poster_path": f"/{poster_name(rank)}.jpg", "vote_average": 5 + rank % 50 / 10, "media_type": "movie",
            })
        body = {"page": page + 1, "results": results, "total_pages": pages, "total_results": titles}
        (folder / f"{page + 1}.json").write_text(json.dumps(body))


def write_posters(root, corpus, titles):
    """The posters of the first `titles` ranks in all sizes; those that are there already are left alone."""
    for size in SIZES:
        folder = root / "t" / "p" / size
        folder.mkdir(parents=True, exist_ok=True)
        contents = {}
        for rank in range(titles):
            path = folder / f"{poster_name(rank)}.jpg"
            if path.exists():
                continue
            original = corpus.original(size, rank)
            if original not in contents:
                contents[original] = original.read_bytes()
            path.write_bytes(with_comment(contents[original], f"{size} {rank}"))


class Server:
    """nginx as a child process with its own settings, folder, ports and certificate; it ends with the scope."""

    def __init__(self, root, folder, log_requests=False):
        self.root, self.folder = Path(root).resolve(), Path(folder).resolve()
        self.log = self.folder / "access.log" if log_requests else None

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.authority = self.folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", self.folder / "key.pem", "-out", self.authority],
            check=True, capture_output=True)
        plain, secure = free_ports(2)
        self.plain, self.secure = f"http://127.0.0.1:{plain}", f"https://localhost:{secure}"
        (self.folder / "nginx.conf").write_text(self.settings(plain, secure))
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        with open(self.folder / "output", "w") as output:
            self.process = subprocess.Popen(
                [program, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", self.folder / "error.log"],
                stdout=output, stderr=output, start_new_session=True)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", secure)) == 0:
                    return self
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.__exit__()
        raise SystemExit(f"scripts/bench: nginx did not start: {(self.folder / 'output').read_text()}")

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()

    def settings(self, plain, secure):
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "\n".join(f"  {kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        log = f"{self.log} requests" if self.log else "off"
        return f"""
daemon off;
{user}
pid {self.folder}/pid;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
{temporary}
  log_format requests '$status $uri';
  access_log {log};
  types {{ image/jpeg jpg; application/json json; }}
  sendfile on;
  tcp_nopush on;
  open_file_cache max=1000 inactive=10s;
  keepalive_requests 10000000;
  ssl_certificate {self.authority};
  ssl_certificate_key {self.folder}/key.pem;
  server {{
    listen 127.0.0.1:{plain};
    listen 127.0.0.1:{secure} ssl http2;
    root {self.root};
    location /3/ {{ open_file_cache off; try_files $uri/$arg_page.json =404; }}
    location /t/ {{ expires 30d; }}
  }}
}}
"""

    def processes(self):
        """Ids of the master and its workers."""
        found = [self.process.pid]
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[1]) == self.process.pid:
                    found.append(int(entry))
        return found


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()
