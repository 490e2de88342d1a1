#!/usr/bin/env python3
"""Runs the pods of 'downbeat plan --kubernetes' with the files of the container image, but without a container engine.

    mvn -Pdist package
    python3 release/image-pods.py [--image release/dist/target/jib-image.tar] [--jar cli/target/downbeat.jar]

Each pod is a process in its own mount namespace, set up from the manifest: the read-only image, the plan with its files, the
results volume and /tmp, under the pod's user and group and without new privileges. CPU and memory limits and a network namespace
are missing. An image from scratch borrows this machine's C library. Needs Linux, root and PyYAML.
Prints a line per trial and exits with 1 if one fails.
"""
import argparse
import base64
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
GRACE = 30
wrong = 0


def trial(name, right, more=""):
    global wrong
    wrong += not right
    print(f"{'ok      ' if right else 'WRONG   '}{name}{': ' + more if more else ''}", flush=True)


class Image:
    def __init__(self, tar, folder):
        (folder / "image").mkdir()
        subprocess.run([sys.executable, ROOT / "release/unpack-image.py", tar, folder / "image"], check=True, stdout=subprocess.DEVNULL)
        self.root = folder / "image/root"
        self.config = json.loads((folder / "image/config.json").read_text())["config"]
        self.lent = []
        if not any(self.root.glob("lib*/**/ld-*.so*")):
            self.lent = [Path(each) for each in ("/lib", "/lib64", "/usr/lib") if Path(each).is_dir()]


class Job:
    """The objects of a manifest, with a folder for each volume."""

    def __init__(self, image, manifest, folder):
        self.image, self.folder = image, folder
        documents = {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(manifest)}
        self.spec = next(each for (kind, _), each in documents.items() if kind == "Job")["spec"]
        self.pod = self.spec["template"]["spec"]
        self.container = self.pod["containers"][0]
        # Stands for the headless service's DNS name. All pods share this machine's network, so pod 0 is at 127.0.0.1.
        self.name = next(name for kind, name in documents if kind == "Job")
        service = next(name for kind, name in documents if kind == "Service")
        folder.mkdir()
        self.hosts = folder / "hosts"
        self.hosts.write_text(f"127.0.0.1 localhost {self.name}-0.{service}\n")
        self.volumes = {}
        for volume in self.pod["volumes"]:
            at = folder / volume["name"]
            at.mkdir(parents=True)
            held = volume.get("configMap", {}).get("name") or volume.get("secret", {}).get("secretName")
            if held:
                object_ = next(each for (kind, name), each in documents.items() if name == held and kind in ("ConfigMap", "Secret"))
                for key, text in (object_.get("data") or {}).items():
                    (at / key).write_bytes(base64.b64decode(text) if object_["kind"] == "Secret" else text.encode())
                for key, text in (object_.get("stringData") or {}).items():
                    (at / key).write_text(text)
            self.volumes[volume["name"]] = at
            os.chown(at, 0, self.pod["securityContext"]["fsGroup"])
            at.chmod(0o2775)

    def start(self, index):
        own = self.folder / f"pod-{index}"
        own.mkdir()
        commands = [f"mount -t tmpfs none {own}", f"mkdir {own}/upper {own}/work {own}/root",
                    f"mount -t overlay -o lowerdir={self.image.root},upperdir={own}/upper,workdir={own}/work none {own}/root"]
        root = f"{own}/root"

        def bind(source, place, mode):
            at = shlex.quote(root + place)
            commands.append(f"mkdir -p {at}" if Path(source).is_dir() else f"mkdir -p {shlex.quote(root + str(Path(place).parent))} && touch {at}")
            commands.append(f"mount --bind {shlex.quote(str(source))} {at}")
            if mode:
                commands.append(f"mount -o remount,bind,ro {at}")

        for library in self.image.lent:
            bind(library, str(library), True)
        bind("/proc", "/proc", False)
        bind(self.hosts, "/etc/hosts", True)
        for mount in self.container["volumeMounts"]:
            source = self.volumes[mount["name"]]
            if mount["name"] == "tmp":
                commands.append(f"mkdir -p {root}{mount['mountPath']} && mount -t tmpfs -o mode=1777 none {root}{mount['mountPath']}")
            else:
                bind(source / mount["subPath"] if "subPath" in mount else source, mount["mountPath"], mount.get("readOnly"))
        commands.append(f"mount -o remount,ro {root}")
        user, group = (self.pod["securityContext"][key] for key in ("runAsUser", "runAsGroup"))
        words = {"JOB_COMPLETION_INDEX": str(index), "HOSTNAME": f"{self.name}-{index}", "PATH": "/usr/bin:/bin"}
        work = self.container.get("workingDir") or self.image.config.get("WorkingDir") or "/"
        pod = ["setpriv", "--no-new-privs", "unshare", f"--root={root}", f"--wd={work}", f"--setgid={group}", f"--setuid={user}",
               *self.image.config["Entrypoint"], *self.container["args"]]
        commands.append("exec env -i " + " ".join(f"{key}={shlex.quote(value)}" for key, value in words.items()) + " " + shlex.join(map(str, pod)))
        return subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-ec", "\n".join(commands)],
                                stdout=(self.folder / f"pod-{index}.log").open("w"), stderr=subprocess.STDOUT)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--image", type=Path, default=ROOT / "release/dist/target/jib-image.tar")
    parser.add_argument("--jar", type=Path, default=ROOT / "cli/target/downbeat.jar")
    given = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("image-pods: needs root, to give each pod its own mounts and user")

    def downbeat(*words, **more):
        return subprocess.run(["java", "-jar", given.jar, *map(str, words)], capture_output=True, text=True, **more)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        image = Image(given.image, folder)
        user = image.config.get("User")
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        service = subprocess.Popen(["java", "-jar", given.jar, "serve", "--port", str(port)], stdout=subprocess.DEVNULL)
        try:
            (folder / "order.json").write_text('{"item": 7}')
            words = ["plan", f"http://127.0.0.1:{port}/", "-R", "400", "-d", "6s", "--seed", "7f3a", "--shards", "4", "--accept-unsound",
                     "--data", "@order.json", "--kubernetes", "--volume", "results", "--image", "downbeat:1"]
            printed = downbeat(*words, cwd=folder)
            trial("plan --kubernetes", printed.returncode == 0, printed.stderr.strip().splitlines()[-1] if printed.returncode else "")

            def start(where):
                job = Job(image, printed.stdout, folder / where)
                trial(f"{where}: the manifest and the image name one user", str(job.pod["securityContext"]["runAsUser"]) == user, str(user))
                return job, [job.start(index) for index in range(job.spec["completions"])]

            def merged(job, *more):
                files = sorted(job.volumes["results"].glob("*.downbeat"))
                out = job.folder / "all.json"
                merge = downbeat("merge", *files, "--max-skew", "5s", "--accept-unsound", "-o", out, *more)
                return files, json.loads(out.read_text()) if out.exists() else {}, merge

            job, pods = start("four-pods")
            codes = [pod.wait(180) for pod in pods]
            files, whole, merge = merged(job)
            ledger = whole.get("ledger", {})
            shown = "; ".join(log.read_text().strip()[-200:] for log in job.folder.glob("pod-*.log")) if not files else ""
            trial("four-pods: each writes its result, and the merged run has all planned requests",
                  len(files) == 4 and 2_200 < ledger.get("planned", 0) < 2_600 and ledger.get("adds_up") is True,
                  f"exit codes {codes}, {len(files)} files, {ledger.get('planned')} requests, {ledger.get('failed')} failed {shown}"
                  + ("" if ledger else merge.stderr.strip()[-200:]))

            job, pods = start("one-ended")
            while not list(job.volumes["results"].glob("*.part")) and pods[0].poll() is None:
                time.sleep(0.1)
            time.sleep(6)  # the load starts after three seconds; this is three seconds into its six
            pods[0].send_signal(signal.SIGTERM)
            began = time.time()
            code = pods[0].wait(GRACE)
            took = time.time() - began
            codes = [pod.wait(180) for pod in pods[1:]]
            files = sorted(job.volumes["results"].glob("*.downbeat"))
            trial("one-ended: SIGTERM leaves its result within the grace period",
                  len(files) == 4 and all(each.stat().st_size for each in files),
                  f"exit code {code} after {took:.1f} s, the others {codes}, {len(files)} files")
        finally:
            service.kill()
            service.wait()
            shutil.rmtree(folder / "image", ignore_errors=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
