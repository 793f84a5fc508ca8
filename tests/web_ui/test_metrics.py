"""/healthz and /metrics of a running table: figures that move with it, and no name or tile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from companion.table.config import parse_config
from companion.table.inputs import Part, Post
from companion.table.running import RunningTable
from tests.waiting import until
from tests.web_ui.conftest import build, services
from tests.web_ui.test_table import NOW, ScriptedTable
from vision.sources.health import Words
from web_ui.app import create_app


def figures(text: str) -> dict[str, float]:
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_health_and_figures_of_a_table(tmp_path: Path) -> None:
    config = parse_config("[players]\nnames = ['Ana', 'Dan', 'Ștefania']\n", folder=tmp_path)
    with RunningTable(config) as table:
        client = create_app(replace(services(), game=table, table=ScriptedTable(NOW))).test_client()
        found = client.get("/healthz").get_json()
        assert (found["status"], found["table"]["state"], found["table"]["game"]) == ("ok", "well", 1)
        before = figures(client.get("/metrics").get_data(as_text=True))
        table.table.post(Post("pause", {}, None)).result(30)
        table.table.said(Part("camera", "source", well=False, why=Words("unplugged", "scoasă")))
        assert until(lambda: any(not part["well"] for part in table.document()["parts"]))
        client.get("/nowhere")
        text = client.get("/metrics").get_data(as_text=True)
        after = figures(text)
        assert after["remi_version"] > before["remi_version"]
        assert after["remi_publication"] > before["remi_publication"]
        assert after["remi_part_well camera"] == 0
        assert after["remi_reading"] == 7
        assert after["remi_requests_total none GET 404"] == 1
        assert after["remi_requests_total metrics.show GET 200"] == 1
        assert "Ștefania" not in text
        found = client.get("/healthz").get_json()["table"]
        assert found["state"] == "impaired"
        assert found["parts"]["camera"] == {"state": "source", "well": False}
    assert client.get("/healthz").get_json()["table"]["state"] == "ended"


def test_each_app_has_figures_of_its_own() -> None:
    first, second = build().test_client(), build().test_client()
    first.get("/photo")
    assert "remi_requests_total pages.index GET 200" in figures(first.get("/metrics").get_data(as_text=True))
    assert "remi_version" not in figures(second.get("/metrics").get_data(as_text=True))
    with pytest.raises(KeyError):
        figures(second.get("/metrics").get_data(as_text=True))["remi_requests_total pages.index GET 200"]
