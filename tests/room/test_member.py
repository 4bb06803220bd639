"""The page of a member: what a browser fetches, and at which addresses."""

import gzip
import json
import re
from html import unescape

import pytest

from svmlab.core.rich_text import TAGS
from svmlab.lab import words
from svmlab.lab.frame.base_path import single_part_path
from svmlab.lab.frame.language import Pseudo
from svmlab.lab.room import member
from svmlab.lab.words import ENGLISH


def test_the_script_is_one_and_each_module_comes_after_those_that_it_needs():
    every = member.modules()
    names = [path.name for path in every]
    assert names[-1] == "member.js"
    assert not {"paint.js", "layout.js", "messages.js", "drag_socket.js"} & set(names), "they need the page of the app"
    script = member.script()
    assert not re.search(r"^\s*(import|export)\b", script, re.M)
    for i, path in enumerate(every):
        for imported in re.findall(r'^import \{[^}]*\} from "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
            assert every.index((path.parent / imported).resolve()) < i


def test_modules_that_need_each_other_are_refused(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n', encoding="utf-8")
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n', encoding="utf-8")
    with pytest.raises(ValueError, match="imports itself"):
        member.modules(tmp_path / "a.js")


def test_the_page_names_its_files_and_all_of_it_is_small_and_in_the_language_of_the_server():
    files = member.files()
    page = gzip.decompress(member.page(ENGLISH)).decode()
    for name, (data, _kind) in files.items():
        assert f'"-/{name}"' in page
        assert len(gzip.decompress(data)) > len(data)
    assert sum(len(data) for data, _kind in files.values()) + len(member.page(ENGLISH)) < 60_000
    said = json.loads(unescape(re.search('data-words="([^"]*)"', page)[1]))
    assert set(said) == set(member.WORDS)
    pseudo = unescape(gzip.decompress(member.page(Pseudo())).decode())
    shown = [text for text in re.findall(">([^<>{}]+)<", pseudo) if text.strip()]
    words.set_translations(ENGLISH)
    assert shown
    assert all("⟦" in text for text in shown), "a word without its mark"
    assert "{" not in re.sub('data-words="[^>]*', "", pseudo)


def test_the_browser_builds_the_elements_that_the_server_sends():
    source = (member.FOLDER.parents[1] / "lecturer" / "js" / "rich_text.js").read_text(encoding="utf-8")
    sets = re.findall(r"new Set\(\[(.*?)\]\)", source, re.S)
    assert {name for each in sets for name in re.findall(r'"(\w+)"', each)} == TAGS


def test_the_address_of_a_room_is_not_redirected():
    assert single_part_path("/r/K7Q4") is None
    assert single_part_path("/course/r/K7Q4", "course") is None
    assert single_part_path("/r/K7Q4/lab") == "../../r-K7Q4-lab"
    assert single_part_path("/s/K7Q4") == "../s-K7Q4"
