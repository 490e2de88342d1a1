"""Checks that every internal link of a built site leads to a file, that its fragment is an anchor there, and that the search
index has the terms that people look for. Usage: check.py SITE VERSION"""

import html.parser
import json
import pathlib
import sys
import urllib.parse

SOUGHT = ["coordinated omission", "exit code", "percentile", "queue"]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors.update(value for key in ("id", "name") if (value := named.get(key)))
        link = named.get("href") if tag in ("a", "link") else named.get("src") if tag in ("img", "script") else None
        if link:
            self.links.append(link)


def main(site, version):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    wrong, internal, external = [], 0, 0
    for path, page in pages.items():
        javadoc = "api" in path.relative_to(site).parts
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                external += 1
                continue
            internal += 1
            name = urllib.parse.unquote(parts.path)
            target = path if not name else (site / name.lstrip("/") if name.startswith("/") else path.parent / name).resolve()
            if target.is_dir():
                target = target / "index.html"
            if path.name == "404.html":
                continue  # its links are absolute URLs of the published site
            if not target.is_file():
                wrong.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment and not javadoc and target in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[target].anchors | {"__tabbed"}:
                    wrong.append(f"{path.relative_to(site)}: {link} (no such anchor)")
    index = json.loads((site / version / "search" / "search_index.json").read_text(encoding="utf-8"))
    for words in SOUGHT:
        found = sorted({entry["location"].split("#")[0] for entry in index["docs"]
                        if words in (entry["title"] + " " + entry["text"]).lower()})
        print(f"search     '{words}': {len(found)} pages, such as {', '.join(found[:4])}")
        if not found:
            wrong.append(f"the search does not find '{words}'")
    own = [path for path in pages if "api" not in path.relative_to(site).parts]
    print(f"pages      {len(own)}, plus {len(pages) - len(own)} of Javadoc")
    print(f"links      {internal} internal, {len(wrong)} broken; {external} external, not followed")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
