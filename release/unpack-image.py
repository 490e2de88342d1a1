"""Unpacks an OCI image tar written by Jib: all layers, in order, into FOLDER/root, the configuration into FOLDER/config.json.
Usage: unpack-image.py TAR FOLDER"""

import io
import json
import pathlib
import sys
import tarfile

archive, folder = sys.argv[1], pathlib.Path(sys.argv[2])
with tarfile.open(archive) as tar:

    def blob(descriptor):
        return tar.extractfile("blobs/" + descriptor["digest"].replace(":", "/")).read()

    manifest = json.loads(blob(json.load(tar.extractfile("index.json"))["manifests"][0]))
    configuration = json.loads(blob(manifest["config"]))
    (folder / "config.json").write_text(json.dumps(configuration, indent=1))
    for layer in manifest["layers"]:
        with tarfile.open(fileobj=io.BytesIO(blob(layer))) as files:
            files.extractall(folder / "root")
print(json.dumps(configuration["config"], indent=1))
