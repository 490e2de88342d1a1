#!/usr/bin/env python3
"""Shows where HTTPS spends CPU time: samples of async-profiler, summed up by kind of work, and the top frames.

usage: tls-frames.py LIBRARY [SECONDS]      LIBRARY: libasyncProfiler.so, 3.0 or newer

The library is in the jar tools.profiler:async-profiler on Maven Central. Closed loop, 64 connections, responses of 16 KiB from
`downbeat serve`, after the self-warm-up. Compares the JDK with C1 alone, the JDK with the default flags, and BoringSSL.
Prints shares of the client's CPU time, so the machine may be busy. Needs Linux; loopback only.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOWNBEAT = os.environ.get("DOWNBEAT", str(ROOT / "downbeat"))
VARIANTS = {
    "JDK, C1 alone": ("-XX:TieredStopAtLevel=1", []),
    "JDK": ("", []),
    "BoringSSL": ("", ["--tls-engine", "boringssl"]),
}
# (kind, pattern of a frame): the innermost frame that matches a pattern decides the kind of a stack
KINDS = [
    ("compilers", r"^(CompileBroker|C1_|C2Compiler|Compile::|CompilerThread|PhaseIdealLoop)"),
    ("ciphers", r"com[./]sun[./]crypto|javax[./]crypto|GHASH|aes_|_aes|AES|EVP_|gcm_|CRYPTO_gcm|counterMode|galoisCounter|ghash"),
    ("system calls", r"^(__libc_read|__libc_write|__GI___libc_|__read|__write|read$|write$|epoll|__epoll|do_syscall|entry_SYSCALL)|sun[./]nio[./]ch[./].*Dispatcher|_\[k\]$|\[kernel"),
    ("TLS records and engine", r"sun[./]security|io[./]netty|SSL_|ssl_|tls_|bssl|BIO_|netty_"),
    ("Downbeat", r"^dev[./]downbeat"),
]


def kind(frames):
    for frame in reversed(frames):
        for name, pattern in KINDS:
            if re.search(pattern, frame):
                return name
    return "the rest of the JVM"


def profile(url, options, words, library, seconds):
    file = pathlib.Path(tempfile.mkdtemp()) / "stacks"
    agent = f"-agentpath:{library}=start,event=itimer,interval=500us,cstack=dwarf,collapsed,file={file}"
    environment = dict(os.environ, DOWNBEAT_JAVA_OPTS=f"{agent} {options}".strip())
    done = subprocess.run(
        [DOWNBEAT, "run", url, "-k", "--closed", "64", "-d", f"{seconds}s", "-q", "--json", *words],
        env=environment, capture_output=True, text=True)
    if not file.exists():
        sys.exit(done.stderr)
    kinds, top = collections.Counter(), collections.Counter()
    for line in file.read_text().splitlines():
        stack, count = line.rsplit(" ", 1)
        frames = stack.split(";")
        if not any("downbeat/http" in frame or "downbeat.http" in frame for frame in frames):
            if kind(frames) != "compilers":
                continue  # start-up and monitoring threads
        kinds[kind(frames)] += int(count)
        top[frames[-1]] += int(count)
    return kinds, top


def main(library, seconds):
    server = subprocess.Popen(
        [DOWNBEAT, "serve", "--port", "0", "--body", "16Ki", "--tls"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = ""
    while "://" not in line:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server did not start")
    url = re.search(r"https://\S+?:\d+", line).group(0) + "/"
    try:
        seen = {name: profile(url, options, words, library, seconds) for name, (options, words) in VARIANTS.items()}
    finally:
        server.terminate()
        server.wait()
    print("| share of the client's CPU time | " + " | ".join(seen) + " |\n|---|" + "--:|" * len(seen))
    for name in [name for name, _ in KINDS] + ["the rest of the JVM"]:
        shares = [100 * kinds[name] / max(1, sum(kinds.values())) for kinds, _ in seen.values()]
        print(f"| {name} | " + " | ".join(f"{share:.1f} %" for share in shares) + " |")
    for name, (kinds, top) in seen.items():
        total = max(1, sum(top.values()))
        print(f"\n{name}, {total:,} samples:\n\n| frame | share |\n|---|--:|")
        for frame, count in top.most_common(10):
            print(f"| `{frame}` | {100 * count / total:.1f} % |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8)
