"""Reads a page as strictly as a browser does not."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta"}


class Page(HTMLParser):
    """Tables by heading, and all else that tests ask of a page; fails if a tag is left open or closed twice."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.words: dict[str, str] = {}
        """All text under a heading."""
        self._heading = ""
        self.feed(text)
        self.close()
        assert self.open == []
        self.pictures = [ElementTree.fromstring(found) for found in re.findall(r"<svg.*?</svg>", text, re.S)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "h2":
            self._heading = ""
        elif tag == "table":
            self.tables[self._heading] = []
        elif tag == "tr":
            self.tables[self._heading].append([])
        elif tag in ("td", "th"):
            self.tables[self._heading][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "h2" in self.open:
            self._heading += data
        elif {"td", "th"} & set(self.open):
            self.tables[self._heading][-1][-1] += data
        if "style" not in self.open:
            self.words[self._heading] = self.words.get(self._heading, "") + data
