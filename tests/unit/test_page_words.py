"""The words of the web page: the check that `npm run lint` runs finds what it is there to find."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parents[2] / "frontend"

PLANTED_PAGE = """<script lang="ts">
  import { t } from "../lib/i18n.svelte";
  const words = "Shuffle the cards";
</script>

<p title="Written here">Hello {words} {t("planted.gone")}</p>
"""


@pytest.mark.skipif(not (FRONTEND / "node_modules").exists(), reason="needs the page's tools: make frontend")
def test_text_in_the_sources_and_gaps_in_a_language_are_found(tmp_path: Path) -> None:
    messages = tmp_path / "messages"
    messages.mkdir()
    english = {
        "shown": "{count, plural, one {# card} other {# cards}}",
        "hidden": "Nobody reads this",
        "said": "{name} wins",
    }
    german = {"shown": "{count, plural, other {# Karten}}", "said": "{nom} gewinnt", "extra": "zu viel"}
    (messages / "en.json").write_text(json.dumps(english))
    (messages / "de.json").write_text(json.dumps(german))
    (tmp_path / "Planted.svelte").write_text(PLANTED_PAGE + '<p>{t("shown", { count: 1 })} {t("said")}</p>\n')
    node = shutil.which("node")
    assert node, "the page's tools need Node"
    command = [node, str(FRONTEND / "tools" / "messages.mjs"), f"{tmp_path}/"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert sorted(found.stderr.splitlines()) == [
        'Planted.svelte:3: "Shuffle the cards" is not a message',
        'Planted.svelte:6: "Hello" is not a message',
        'Planted.svelte:6: "Written here" is not a message',
        "de.json: extra is not in en.json",
        "de.json: hidden is not translated",
        'de.json: said has the values "nom", not "name"',
        "de.json: shown lacks the plural one",
        "en.json: nothing shows hidden",
    ]


def test_people_without_a_name_are_known_in_every_language() -> None:
    """The page calls the player of a finished game "You", unless they gave a name."""
    source = (FRONTEND / "src" / "lib" / "study.ts").read_text(encoding="utf-8")
    known = re.search(r"NAMELESS = /\^\((.+?)\)", source)
    assert known
    files = (FRONTEND / "src" / "messages").glob("*.json")
    assert set(known[1].split("|")) == {json.loads(file.read_text(encoding="utf-8"))["player"] for file in files}
