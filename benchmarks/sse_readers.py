"""Two hundred readers of one table's events: whether all get every version, how late, at what cost.

    python -m benchmarks.sse_readers [--readers 200] [--seconds 60] [--rate 4]

A process runs a table without camera behind the production server: a game in its middle, with as many
entries as a document ever has. It is paused and resumed `--rate` times a second. Readers of another process
read /api/v1/game/events, and somebody asks for the start page all the while. A line goes to standard error,
JSON to standard output; exit code 1 where a reader missed a version, or the 99th percentile of its delay is
half a second or more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.served_game import PATIENCE_S, enter, served

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from companion.table.published import Published

LATE_MS: Final = 500.0
_TABLE: Final = "[players]\nnames = ['Ana', 'Dan', 'Ioana', 'Radu']\ndealer = 'Ana'\n"


def serve(pipe: Connection, rate: float) -> None:
    """The process of the server: tells its port, waits for readers, changes the table until told to stop."""
    from companion.table.inputs import Post
    from companion.table.published import SHOWN_ENTRIES

    at: dict[int, float] = {}

    def published(shown: Published) -> None:
        at[shown.number] = time.monotonic()

    with served(_TABLE, on_published=published) as (table, port):
        pipe.send(port)
        pipe.recv()
        enter(table, SHOWN_ENTRIES, racks=True)
        first, paused = table.table.published.number, False
        while not pipe.poll(1 / rate):
            table.table.post(Post("resume" if paused else "pause", {}, None)).result(PATIENCE_S)
            paused = not paused
        pipe.recv()
        pipe.send({number: when for number, when in at.items() if number > first})
        pipe.send({"memory_kb": memory_kb(), "document_bytes": len(json.dumps(table.document()))})
        pipe.recv()


def memory_kb() -> dict[str, int]:
    """The memory of this process, where the system tells it: VmRSS now, VmHWM at most."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return {}
    found = (line.split() for line in lines if line.startswith(("VmRSS", "VmHWM")))
    return {words[0].rstrip(":"): int(words[1]) for words in found}


async def read_events(port: int, ready: asyncio.Event, got: dict[int, float]) -> None:
    """One reader: notes when each number came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    writer.write(b"GET /api/v1/game/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                got[int(line.rpartition(b"-")[2])] = time.monotonic()
                ready.set()
    finally:
        writer.close()


async def ask_pages(port: int, took: list[float]) -> None:
    """Somebody who opens the start page twice a second."""
    while True:
        begun = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"the start page was not answered: {answer[:60]!r}")
        took.append(time.monotonic() - begun)
        await asyncio.sleep(0.5)


async def measure(pipe: Connection, readers: int, seconds: float) -> dict[str, Any]:
    """The figures of a run."""
    port = await asyncio.to_thread(pipe.recv)
    got: list[dict[int, float]] = [{} for _ in range(readers)]
    ready = [asyncio.Event() for _ in range(readers)]
    tasks = [asyncio.create_task(read_events(port, *each)) for each in zip(ready, got, strict=True)]
    async with asyncio.timeout(60):
        await asyncio.gather(*(one.wait() for one in ready))
    pages: list[float] = []
    asking = asyncio.create_task(ask_pages(port, pages))
    pipe.send("go")
    await asyncio.sleep(seconds)
    pipe.send("stop")
    at: dict[int, float] = await asyncio.to_thread(pipe.recv)
    server = await asyncio.to_thread(pipe.recv)
    await asyncio.sleep(2)
    if asking.done():
        asking.result()
    asking.cancel()
    pipe.send("end")
    await asyncio.gather(*tasks, asking, return_exceptions=True)
    late = sorted(1000 * (one[number] - when) for one in got for number, when in at.items() if number in one)
    missed = sum(number not in one for one in got for number in at)
    return {
        "readers": readers,
        "versions": len(at),
        "missed": missed,
        "late_ms": {
            "median": round(statistics.median(late), 1),
            "p99": round(late[int(0.99 * (len(late) - 1))], 1),
            "most": round(late[-1], 1),
        },
        "page_ms": {"median": round(1000 * statistics.median(pages), 1), "most": round(1000 * max(pages), 1)},
        "document_bytes": server["document_bytes"],
        "server_memory_kb": server["memory_kb"],
    }


def main() -> int:
    """Measures; 0 where the limits are kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=4.0, help="changes of the table in a second")
    asked = parser.parse_args()
    here, there = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there, asked.rate))
    server.start()
    try:
        found = asyncio.run(measure(here, asked.readers, asked.seconds))
        server.join(PATIENCE_S)
    finally:
        server.kill()
    kept = not found["missed"] and found["versions"] > 0 and found["late_ms"]["p99"] < LATE_MS
    print(json.dumps(found))
    print(
        f"{found['readers']} readers, {found['versions']} versions: {found['missed']} missed, "
        f"p99 {found['late_ms']['p99']} ms: {'kept' if kept else 'NOT KEPT'}",
        file=sys.stderr,
    )
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
