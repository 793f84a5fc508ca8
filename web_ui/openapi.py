"""The OpenAPI document of /api/v1, made from the app's routes, their descriptions and pydantic models."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, current_app, jsonify, render_template

from web_ui.shared import services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from pydantic import BaseModel
    from werkzeug.routing import Rule

    from web_ui.openapi_operations import Operation

openapi = Blueprint("openapi", __name__, url_prefix="/api/v1")

PREFIX: Final = "/api/v1"
_REF: Final = "#/components/schemas/"
_KINDS: Final = {"IntegerConverter": {"type": "integer", "minimum": 0}}


@openapi.get("/openapi.json")
def document() -> Response:
    """Return this document."""
    return jsonify(_document())


@openapi.get("/docs")
def page() -> str:
    """Return the document as a page to read."""
    return render_template("api_docs.html", document=_document())


def _document() -> dict[str, Any]:
    """The document of the app that answers; an app's routes stay as they are, so it is made once."""
    made: dict[str, dict[str, Any]] = current_app.extensions
    if "remi_openapi" not in made:
        made["remi_openapi"] = openapi_document(current_app, services().version)
    return made["remi_openapi"]


def api_routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Yield path (as OpenAPI writes it), method in small letters and endpoint of all under /api/v1."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(PREFIX):
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield _path(rule), method.lower(), rule.endpoint


def openapi_document(app: Flask, version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of an app; what is not described in it is left out."""
    from apispec import APISpec

    from web_ui.openapi_operations import OPERATIONS

    spec = APISpec(
        title="Remi Companion",
        version=version or "0",
        openapi_version="3.1.0",
        info={
            "description": "The live table and photo counting. Racks are never shown before they are laid "
            "out. Names are fixed: later versions add, and never rename.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        servers=[{"url": "/"}],
    )
    for name, schema in _schemas(OPERATIONS).items():
        spec.components.schema(name, component=schema)
    spec.components.security_scheme(
        "pin", {"type": "apiKey", "in": "header", "name": "X-Remi-Pin", "description": "[page] pin"}
    )
    described = {(one.endpoint, one.method): one for one in OPERATIONS}
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            found = described.get((rule.endpoint, method.lower()))
            if found is not None:
                paths.setdefault(_path(rule), {})[method.lower()] = _operation(found, rule)
    for path in sorted(paths):
        spec.path(path=path, operations=paths[path])
    return dict(spec.to_dict())


def _path(rule: Rule) -> str:
    return re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)


def _schemas(operations: tuple[Operation, ...]) -> dict[str, Any]:
    from pydantic.json_schema import models_json_schema

    from web_ui.openapi_operations import ERROR

    models: dict[str, type[BaseModel]] = {ERROR.__name__: ERROR}
    for one in operations:
        for model in (*one.answers.values(), one.body):
            if isinstance(model, type):
                models[model.__name__] = model
    _, schema = models_json_schema(
        [(model, "validation") for model in models.values()], ref_template=_REF + "{model}"
    )
    return dict(schema["$defs"])


def _operation(one: Operation, rule: Rule) -> dict[str, Any]:
    from web_ui.openapi_operations import ERROR

    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _KINDS.get(
                type(rule._converters[name]).__name__,  # Werkzeug tells it nowhere else
                {"type": "string", "minLength": 1},
            ),
        }
        for name in sorted(rule.arguments)
    ]
    answers = {str(status): _answer(model) for status, model in one.answers.items()}
    answers |= {str(status): _answer(ERROR) for status in one.errors}
    found: dict[str, Any] = {
        "operationId": one.endpoint.replace(".", "_") + ("" if one.method == "get" else f"_{one.method}"),
        "summary": one.summary,
        "tags": [one.tag],
        "parameters": [*parameters, *one.parameters],
        "responses": answers,
    }
    if one.security:
        found["security"] = [{"pin": []}]
    if isinstance(one.body, type):
        found["requestBody"] = {"required": True, "content": {"application/json": _content(one.body)}}
    elif one.body is not None:
        found["requestBody"] = {"required": True, "content": dict(one.body)}
    return found


def _content(model: type[BaseModel]) -> dict[str, Any]:
    return {"schema": {"$ref": _REF + model.__name__}}


def _answer(model: type[BaseModel] | str | None) -> dict[str, Any]:
    if model is None:
        return {"description": "Without a body"}
    if isinstance(model, str):
        return {"description": model, "content": {model: {"schema": {"type": "string"}}}}
    meaning = (model.__doc__ or model.__name__).strip()
    return {"description": meaning, "content": {"application/json": _content(model)}}
