"""Matplotlib's SVG made fit for a page: no styles, no stray ids, colours by role.

The page's content security policy forbids style attributes, its theme decides the colours, and
several figures share one document. So style attributes become presentation attributes, known
colours become classes, and ids that nothing refers to go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from metaeval.reporting.palette import LIGHT

_ROLES = {colour: role for role, colour in LIGHT.items()}
_NAMESPACE = re.compile(r"^\{[^}]*\}")
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_DROPPED = {"metadata", "style"}
# The page chooses the font, and a rotation by nothing is nothing.
_NOT_KEPT = {"font-family", "stroke-dashoffset"}


def clean(source: str, name: str, alt: str, titles: Sequence[str] = ()) -> str:
    """The figure as an inline `<svg>`; `titles` are shown over the cells of its first mesh."""
    root = ElementTree.fromstring(source)
    _simplify(root)
    for title, cell in zip(titles, _mesh_cells(root), strict=False):
        ElementTree.SubElement(cell, "title").text = title
    _rename_ids(root, name)
    width, height = (root.attrib[side].removesuffix("pt") for side in ("width", "height"))
    root.attrib = {
        "viewBox": root.attrib["viewBox"],
        "width": _shorten(width),
        "height": _shorten(height),
        "role": "img",
        "aria-label": alt,
    }
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _simplify(element: ElementTree.Element) -> None:
    element.tag = _NAMESPACE.sub("", element.tag)
    for child in list(element):
        if _NAMESPACE.sub("", child.tag) in _DROPPED:
            element.remove(child)
        else:
            _simplify(child)
    element.attrib = dict(_attributes(element.attrib))
    if not (element.text or "").strip():
        element.text = None
    element.tail = None


def _attributes(given: dict[str, str]) -> Iterator[tuple[str, str]]:
    classes = []
    for key, value in given.items():
        plain = _NAMESPACE.sub("", key)
        if plain == "style":
            for role, name, setting in _styles(value):
                if role:
                    classes.append(role)
                else:
                    yield name, setting
        elif plain in ("d", "x", "y", "points", "transform"):
            text = " ".join(_shorten(value).split())
            if not text.startswith("rotate(-0 "):
                yield plain, text
        else:
            yield plain, value
    if classes:
        yield "class", " ".join(classes)


def _styles(text: str) -> Iterator[tuple[str, str, str]]:
    """Role class (or nothing), property and value of each declaration."""
    for declaration in text.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if not name or name in _NOT_KEPT:
            continue
        role = _ROLES.get(value.lower())
        if role and name in ("fill", "stroke"):
            yield f"{name[0]}-{role}", "", ""
        else:
            yield "", name, _shorten(value)


def _shorten(text: str) -> str:
    return _NUMBER.sub(lambda match: f"{float(match.group()):.2f}".rstrip("0").rstrip("."), text)


def _mesh_cells(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    for element in root.iter("g"):
        if element.attrib.get("id", "").startswith("QuadMesh"):
            yield from list(element)
            return


def _rename_ids(root: ElementTree.Element, name: str) -> None:
    used: dict[str, str] = {}

    def new(old: str) -> str:
        return used.setdefault(old, f"{name}-{len(used)}")

    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "href" and value.startswith("#"):
                element.attrib[key] = "#" + new(value[1:])
            else:
                element.attrib[key] = _REFERENCE.sub(lambda m: f"url(#{new(m.group(1))})", value)
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in used:
            element.attrib["id"] = used[own]
