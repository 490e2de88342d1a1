"""Hooks of MkDocs. docs/ is read on GitHub too, so its pages link to files beside the folder: on the site those links lead to
the repository. The change log stands at the root of the checkout and is a page here."""

import pathlib
import re

from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOB = "https://github.com/downbeat-dev/downbeat/tree/main/"
LINK = re.compile(r"(\]\()(\.\./[^)\s]+)(\))")


def on_files(files, config):
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "changelog.md", content=text))
    # release/site.sh puts the real one there
    files.append(File.generated(config, "api/index.html", content="<html><title>Javadoc</title></html>"))
    return files


def on_page_markdown(markdown, page, config, files):
    def to_repository(match):
        target = match.group(2)[len("../"):]
        path = target.split("#")[0]
        if not (ROOT / path).exists():
            raise ValueError(f"{page.file.src_path} links to ../{path}, which is not there")
        return match.group(1) + BLOB + target + match.group(3)

    return LINK.sub(to_repository, markdown)
