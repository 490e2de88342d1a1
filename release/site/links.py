"""Hooks of MkDocs. Pages in docs/ are also read on GitHub and link to files outside the folder; on the site, these links lead to
the repository. The change log at the root of the checkout becomes a page."""

import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOB = "https://github.com/downbeat-dev/downbeat/tree/main/"
LINK = re.compile(r"(\]\()(\.\./[^)\s]+)(\))")


def on_files(files, config):
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "changelog.md", content=text))
    # A placeholder for the real index from release/site.sh.
    files.append(File.generated(config, "api/index.html", content="<html><title>Javadoc</title></html>"))
    return files


def on_page_markdown(markdown, page, config, files):
    def to_repository(match):
        target = match.group(2)[len("../"):]
        path = target.split("#")[0]
        if not (ROOT / path).exists():
            raise ValueError(f"{page.file.src_path} links to ../{path}, which does not exist")
        return match.group(1) + BLOB + target + match.group(3)

    return LINK.sub(to_repository, markdown)
