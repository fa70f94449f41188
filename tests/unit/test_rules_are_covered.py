"""Every numbered rule names the tests that cover it, and those tests exist."""

import ast
import re
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "rules.md"


def rules_and_their_tests(page: str) -> dict[str, list[str] | None]:
    """Maps each rule number of the page to the tests named below it; None without a line of tests."""
    parts = re.split(r"^\*\*(\d+\.\d+)\*\* ", page, flags=re.MULTILINE)[1:]
    named: dict[str, list[str] | None] = {}
    for number, text in zip(parts[::2], parts[1::2], strict=True):
        assert number not in named, f"rule {number} is stated twice"
        lines = re.findall(r"^Tests: (.*)$", text.partition("\n## ")[0], flags=re.MULTILINE)
        assert len(lines) <= 1, f"rule {number} has {len(lines)} lines of tests"
        named[number] = re.findall(r"`(\w+)`", lines[0]) if lines else None
    return named


def names_of_tests() -> list[str]:
    """The names of the test functions in the files of rules tests."""
    return [
        node.name
        for path in sorted(HERE.glob("test_rules_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_rule_")
    ]


def number_of(test: str) -> str:
    """The rule that a test is named after."""
    found = re.match(r"test_rule_(\d+)_(\d+)_[a-z]", test)
    assert found, f"{test} is not named after a rule"
    return f"{found[1]}.{found[2]}"


NAMED = rules_and_their_tests(PAGE.read_text(encoding="utf-8"))
TESTS = names_of_tests()


def test_the_page_has_every_rule_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in NAMED]
    assert numbers == sorted(numbers)
    assert {section for section, _ in numbers} == set(range(1, 12))
    for section in range(1, 12):
        in_section = [rule for number, rule in numbers if number == section]
        assert in_section == list(range(1, len(in_section) + 1))


def test_every_rule_has_a_line_of_tests() -> None:
    assert [number for number, tests in NAMED.items() if not tests] == []


def test_every_test_that_is_named_exists() -> None:
    assert [test for tests in NAMED.values() for test in tests or [] if test not in TESTS] == []


def test_every_test_is_named_after_a_rule_of_the_page() -> None:
    assert [test for test in TESTS if number_of(test) not in NAMED] == []


def test_every_test_is_named_below_its_rule() -> None:
    assert [test for test in TESTS if test not in (NAMED.get(number_of(test)) or [])] == []


def test_no_test_is_named_below_another_rule() -> None:
    assert [
        (number, test) for number, tests in NAMED.items() for test in tests or [] if number_of(test) != number
    ] == []


def test_no_two_tests_have_the_same_name() -> None:
    assert [test for test, count in Counter(TESTS).items() if count > 1] == []
    named = Counter(test for tests in NAMED.values() for test in tests or [])
    assert [test for test, count in named.items() if count > 1] == []


def test_the_page_is_read_as_it_is_written() -> None:
    page = "# Rules\n\n**1.1** A.\n\nTests: `test_rule_1_1_a`, `test_rule_1_1_b`\n\n**1.2** B.\n\n## 2\n\nTests: `x`\n"
    assert rules_and_their_tests(page) == {"1.1": ["test_rule_1_1_a", "test_rule_1_1_b"], "1.2": None}
