"""The proxies of the guide to deployment, run with its own configuration in front of two servers."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from benchmarks.load.serving import Restarted, hold_port
from tests.postgres import start_server
from tests.unit.test_web_deploy import GUIDE

NAME: Final = "cards.example"
UNPACKED: Final = Path(__file__).parents[2] / "build" / "proxies" / "usr"
PATIENCE_SECONDS: Final = 60.0
START_ONCE: Final = "new_games_per_minute=1"
MOST_CONNECTIONS: Final = 3


class Proxied(Restarted):
    """A server as the guide starts it."""

    OPTIONS = ("--origin", f"https://{NAME}", "--proxy", "127.0.0.1")


@pytest.fixture(scope="module")
def servers() -> Iterator[list[Proxied]]:
    url = start_server().make_url()
    with Proxied(url, START_ONCE) as one, Proxied(url, START_ONCE) as other:
        yield [one, other]


def take(words: str) -> str:
    """The block of the guide that holds these words."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    [block] = [body for body in blocks if words in body]
    return str(block)


def run_nginx(folder: Path, ports: Sequence[int], backends: Sequence[int]) -> Sequence[str]:
    """Makes the command that runs nginx as the guide sets it up."""
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run(["openssl", "req", *kind, *files], check=True, capture_output=True)
    site = take("listen 443 ssl").replace(f"/etc/letsencrypt/live/{NAME}", str(folder))
    site = site.replace("listen 443 ssl", f"listen 127.0.0.1:{ports[0]} ssl")
    site = site.replace("listen 80", f"listen 127.0.0.1:{ports[1]}")
    site = site.replace("proxy_pass http://127.0.0.1:8000", "proxy_pass http://lastcard")
    site = site.replace("limit_conn lastcard 200", f"limit_conn lastcard {MOST_CONNECTIONS}")
    upstream = take("ip_hash").replace("8000", str(backends[0])).replace("8001", str(backends[1]))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off;\nuser root;\npid {folder}/pid;\nerror_log {folder}/log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{upstream}\n{site}\n}}\n"
    )
    return [find("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def run_caddy(folder: Path, ports: Sequence[int], backends: Sequence[int]) -> Sequence[str]:
    """Makes the command that runs Caddy as the guide sets it up, with certificates of its own."""
    here = f"https_port {ports[0]}\nhttp_port {ports[1]}\ndefault_bind 127.0.0.1\nadmin off\nlocal_certs\n"
    site = take("read_header").replace("{\n", f"{{\n{here}skip_install_trust\nstorage file_system {folder}\n", 1)
    [balanced] = re.findall(r"In Caddy: `reverse_proxy (.*?) \{ (.*?) \}`", GUIDE)
    assert balanced[0] == "127.0.0.1:8000 127.0.0.1:8001"
    targets = " ".join(f"127.0.0.1:{port}" for port in backends)
    site = site.replace("reverse_proxy 127.0.0.1:8000", f"reverse_proxy {targets} {{\n{balanced[1]}\n}}")
    (folder / "Caddyfile").write_text(site)
    return [find("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def find(name: str) -> str:
    """The program, installed or unpacked by `tools/setup programs`."""
    folders = ["/usr/sbin", *(str(UNPACKED / folder) for folder in ("bin", "sbin"))]
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        pytest.skip(f"{name} is not installed; on Debian: apt-get install {name}")
    return found


PROXIES: Final = {"nginx": run_nginx, "Caddy": run_caddy}


class Site:
    """A client of the site that a proxy serves."""

    def __init__(self, https: int, http: int) -> None:
        self.https = https
        self.http = http
        self.trust = ssl.create_default_context()
        self.trust.check_hostname = False
        self.trust.verify_mode = ssl.CERT_NONE  # nobody has signed what the test uses
        # `websockets` reads and writes in two threads, and Python's `ssl` does not promise to bear that. With TLS 1.3,
        # where tickets follow the handshake, one request in a hundred never reached Caddy; with 1.2 none in a thousand.
        self.trust.maximum_version = ssl.TLSVersion.TLSv1_2

    def dial(self, source: str = "127.0.0.1") -> socket.socket:
        """A connection from that address."""
        return socket.create_connection(("127.0.0.1", self.https), PATIENCE_SECONDS, (source, 0))

    def open(self, source: str = "127.0.0.1") -> ssl.SSLSocket:
        """An encrypted connection from that address, which asks for the name of the site."""
        return self.trust.wrap_socket(self.dial(source), server_hostname=NAME)

    def ask(
        self, path: str, body: object = None, source: str = "127.0.0.1", **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(NAME)
        connection.sock = self.open(source)
        known = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if content is not None:
            known["Content-Type"] = "application/json"
        try:
            connection.request("GET" if body is None else "POST", path, content, known)
            reply = connection.getresponse()
            return reply, reply.read()
        finally:
            connection.close()


@contextmanager
def proxied(kind: str, folder: Path, backends: Sequence[int]) -> Iterator[Site]:
    make: Callable[..., Sequence[str]] = PROXIES[kind]
    with ExitStack() as opened:
        held = [opened.enter_context(hold_port()) for _ in range(2)]
        ports = [each.getsockname()[1] for each in held]
        command = make(folder, ports, backends)
        for each in held:
            each.close()
        log = opened.enter_context((folder / "told").open("wb"))
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        opened.callback(process.wait)
        opened.callback(process.terminate)
        site, deadline = Site(*ports), time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                site.open().close()
                break
            except OSError:
                assert process.poll() is None, (folder / "told").read_text() + read_log(folder)
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield site


def read_log(folder: Path) -> str:
    file = folder / "log"
    return file.read_text() if file.exists() else ""


@pytest.mark.parametrize("kind", PROXIES)
def test_a_proxy_of_the_guide_serves_page_api_and_socket(kind: str, servers: list[Proxied], tmp_path: Path) -> None:
    number = list(PROXIES).index(kind)
    source, other = f"127.0.{number + 1}.1", f"127.0.{number + 1}.2"
    with proxied(kind, tmp_path, [served.port for served in servers]) as site:
        check_page(site, kind)
        wanted = {"pace": 0.0, "opponents": ["beginner"]}
        reply, body = site.ask("/api/games", wanted, source)
        assert reply.status == 201, body
        game = json.loads(body)
        origin = Origin(f"https://{NAME}")
        with connect(f"wss://{NAME}/ws", sock=site.dial(source), ssl=site.trust, origin=origin) as talk:
            talk.send(json.dumps({"type": "join", "game": game["game"], "token": game["token"]}))
            hand = json.loads(talk.recv(PATIENCE_SECONDS))["view"]["hand"]
            assert Counter(hand) >= Counter(game["view"]["hand"])  # more where the opponent has played a Draw Two
        if kind == "nginx":
            check_connections(site)
        # Each address may begin one game a minute; a client that claims another address is still itself.
        assert site.ask("/api/games", wanted, source)[0].status == 429
        assert site.ask("/api/games", wanted, source, X_Forwarded_For="192.0.2.77")[0].status == 429
        assert site.ask("/api/games", wanted, other)[0].status == 201
        assert site.ask("/api/games", b"x" * 300_000, other)[0].status == 413


def check_connections(site: Site) -> None:
    """Looks whether one address can hold only so many connections."""
    source, origin = "127.0.9.1", Origin(f"https://{NAME}")
    with ExitStack() as opened:
        for _ in range(MOST_CONNECTIONS):
            opened.enter_context(
                connect(f"wss://{NAME}/ws", sock=site.dial(source), ssl=site.trust, origin=origin, proxy=None)
            )
        assert site.ask("/api/catalog", source=source)[0].status == 429
        assert site.ask("/api/catalog", source="127.0.9.2")[0].status == 200


def check_page(site: Site, kind: str) -> None:
    reply, body = site.ask("/")
    assert reply.status == 200, body
    assert "default-src 'self'" in (reply.getheader("Content-Security-Policy") or "")
    if kind == "nginx":
        assert reply.getheader("Strict-Transport-Security") == "max-age=31536000"
    [script] = re.findall(r'src="\.?(/assets/[^"]+\.js)"', body.decode())
    reply, body = site.ask(script, Accept_Encoding="br, gzip")
    assert (reply.status, reply.getheader("Content-Encoding")) == (200, "br"), "compressed by the server"
    reply, body = site.ask("/api/catalog", Accept_Encoding="br, gzip")
    assert (reply.status, reply.getheader("Content-Encoding")) == (200, None), "a token must not be compressed"
    plain = http.client.HTTPConnection("127.0.0.1", site.http, timeout=PATIENCE_SECONDS)
    plain.request("GET", "/", headers={"Host": NAME})
    moved = plain.getresponse()
    assert moved.status in (301, 308)
    assert (moved.getheader("Location") or "").startswith(f"https://{NAME}")
    plain.close()
