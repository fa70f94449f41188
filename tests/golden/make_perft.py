"""Writes positions.txt: the number of courses of play from many positions.

    python -m tests.golden.make_perft

Each line is: rules; seed; plies of seeded play; depth; how many sequences of that many actions there are from there.
"""

from collections.abc import Iterator

from lastcard.rules import PRESETS, Rules, format_rules, parse_rules
from tests.golden.seeded import HERE, position

PATH = HERE / "positions.txt"
FEWEST, MOST = 100, 300_000
FEW = 2_000
MAX_DEPTH = 14

PLAYERS = (2, 3, 4, 7, 10)
COMBINATIONS = (
    "official wild_draw_four=bluff",
    "official wild_draw_four=free",
    "official wild_draw_four=last_resort",
    "official uno_penalty=1",
    "official uno_penalty=4 jump_in=on",
    "official stacking=same",
    "official stacking=any_up wild_draw_four=bluff uno_penalty=2",
    "official draw_until_playable=on",
    "official draw_until_playable=on drawn_card=must_play wild_draw_four=last_resort",
    "official must_play=on",
    "official drawn_card=must_play",
    "official drawn_card=end_turn",
    "official seven_zero=on",
    "official jump_in=on",
    "official hand_size=1 uno_penalty=2 wild_draw_four=bluff stacking=any_up",
    "official hand_size=2 uno_penalty=2 jump_in=on seven_zero=on",
    "official max_plies=30",
    "tournament stacking=same jump_in=on",
    "tournament hand_size=2",
    "house wild_draw_four=bluff",
    "house wild_draw_four=free drawn_card=must_play",
    "house hand_size=2 players=2",
    "house hand_size=2 players=3",
    "study stacking=any_up uno_penalty=2",
    "numbers seven_zero=on jump_in=on",
    "mini drawn_card=may_play must_play=off",
    "mini seven_zero=on jump_in=on max_plies=60",
    "mini uno_penalty=1 must_play=off max_plies=60",
)
NEWER = ("family",)
"""Presets that come last, since the seeds of positions are counted and the older ones stay as they are."""
PLIES = (0, 2, 5, 9, 14, 20, 28, 38, 50)


def all_rules() -> Iterator[Rules]:
    """Every preset with several numbers of players, then the combinations."""
    for preset in PRESETS:
        for players in PLAYERS:
            if preset not in NEWER and (preset != "mini" or players <= 4):
                yield Rules.preset(preset, players=players)
    for i, text in enumerate(COMBINATIONS):
        rules = parse_rules(text)
        small = text.startswith("mini")
        yield rules if small or "players" in text else rules.replace(players=2 + i % 3)
    for preset in NEWER:
        for players in PLAYERS:
            yield Rules.preset(preset, players=players)


def choose_depth(rules: Rules, seed: int, plies: int, most: int) -> tuple[int, int] | None:
    """The greatest depth whose count is not too large, and the count."""
    state, _ = position(rules, seed, plies)
    best = None
    for depth in range(1, MAX_DEPTH + 1):
        count = state.perft(depth)
        if count > most:
            break
        best = depth, count
    return best if best and best[1] >= FEWEST else None


def lines() -> Iterator[str]:
    """One for each position that has enough to count."""
    for number, rules in enumerate(all_rules()):
        for i, plies in enumerate(PLIES):
            seed = 100 * number + i
            chosen = choose_depth(rules, seed, plies, FEW if i % 4 == 2 else MOST)
            if chosen:
                yield f"{format_rules(rules)}; {seed}; {plies}; {chosen[0]}; {chosen[1]}"


if __name__ == "__main__":
    written = list(lines())
    PATH.write_text("\n".join(written) + "\n", encoding="utf-8")
    print(f"{len(written)} positions in {PATH.name}")
