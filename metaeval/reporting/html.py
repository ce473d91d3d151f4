"""Pages and fragments from blocks: Jinja2 with everything escaped, one self-contained file."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import metaeval
from metaeval.reporting.embed import embedded, inside_script
from metaeval.reporting.page import Block, Page, Papers
from metaeval.reporting.palette import DARK, LIGHT
from metaeval.reporting.plain import plain

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")


def render_page(page: Page) -> str:
    """The page as one HTML document that asks nobody for anything."""
    environment = _environment()
    style = _style("blocks.css", "page.css")
    scripts = {name: _source(f"{name}.js") for name in ("theme", "page")}
    policy = "; ".join(
        [
            "default-src 'none'",
            "style-src " + _hash(style),
            "script-src " + " ".join(map(_hash, scripts.values())),
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return environment.get_template("page.html").render(
        page=page,
        policy=policy,
        style=_trusted(style),
        scripts={name: _trusted(source) for name, source in scripts.items()},
        data={name: _trusted(embedded(frame)) for name, frame in page.frames().items()},
        about=_trusted(inside_script(page.about)),
        cited=[
            paper for block in page.blocks() if isinstance(block, Papers) for paper in block.papers
        ],
        version=metaeval.__version__,
    )


def fragment(*blocks: Block, title: str = "") -> str:
    """Blocks as a piece of HTML with its own style, for notebooks."""
    return (
        _environment()
        .get_template("fragment.html")
        .render(
            blocks=[block.still() for block in blocks],
            title=title,
            style=_trusted(_style("blocks.css")),
        )
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@lru_cache(maxsize=16)
def _source(name: str) -> str:
    return files("metaeval.reporting").joinpath(f"templates/{name}").read_text(encoding="utf-8")


def _style(*names: str) -> str:
    from jinja2 import Environment

    # Style sheets hold colours from the palette and nothing that a user wrote.
    template = Environment(autoescape=False, trim_blocks=True).from_string
    return "".join(template(_source(name)).render(light=LIGHT, dark=DARK) for name in names)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files("metaeval.reporting").joinpath("templates")
    sources = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".html")
    }
    environment = Environment(
        loader=DictLoader(sources),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"prose": prose, "trusted": _trusted, "plain": plain}
    return environment


def prose(text: str) -> Markup:
    """Escaped text; `backquotes` mark names and **stars** what is strong."""
    from markupsafe import Markup, escape

    safe = str(escape(plain(text)))
    safe = _CODE.sub(r"<code>\1</code>", safe)
    return Markup(_STRONG.sub(r"<strong>\1</strong>", safe))


def _trusted(text: str) -> Markup:
    """Markup that was made here, not by a user."""
    from markupsafe import Markup

    return Markup(text)


def render_blocks(blocks: Sequence[Block]) -> Any:
    """Blocks one after the other, as a page shows them."""
    environment = _environment()
    parts = [environment.get_template(b.template).render(block=b) for b in blocks]
    return _trusted("\n".join(parts))
