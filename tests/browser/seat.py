"""A person at the page: looks, and acts by mouse, finger or keyboard."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from playwright.sync_api import Locator, Page, expect

How = Literal["mouse", "touch", "keyboard"]
KEYS = {"uno": "u", "catch": "c", "challenge": "c", "accept": "t", "draw": "d", "keep": "k", "pass": "p"}
PREFERENCE = ("uno", "catch", "challenge", "keep", "draw", "accept", "pass")
"""Actions to take when no card is played: the first of these that is offered."""
LIE_STILL = """async (item) => {
    const isEnding = (each) => each.effect.getComputedTiming().endTime < Infinity;
    for (let still = 0; still < 3; still++) {
        await new Promise(requestAnimationFrame);
        const running = item.getAnimations({ subtree: true }).filter(isEnding);
        if (running.length > 0) still = -1;
        await Promise.allSettled(running.map((each) => each.finished));
    }
}"""
"""Waits for frames without motion: one measures the hand, the next moves its cards. On a busy machine the cards stay
where they were for more frames; then a click starts on one card, ends on another, and counts for none."""


class Watching(Protocol):
    """A listener to the page."""

    complaints: list[str]
    is_server_up: bool

    def follow(self, page: Page) -> None: ...


class Seat:
    """One page, and what a person does there."""

    def __init__(self, page: Page, url: str, watch: Watching) -> None:
        self.page = page
        self.url = url
        self.watch = watch
        self.done: list[str] = []
        """The kinds of action so far, and the cards played."""

    # Sitting down

    def open_start(self) -> None:
        self.page.goto(self.url)
        self.page.get_by_role("button", name="Play", exact=True).wait_for()

    def deal(self) -> None:
        self.page.get_by_role("button", name="Play", exact=True).click()
        self.board.wait_for()

    def sit(self, **wanted: Any) -> None:
        """Begins a game that the start page cannot ask for in few clicks."""
        self.open_start()
        body = {"opponents": ["beginner"], "rules": "official", "length": "round", "pace": 0.0, **wanted}
        game = self.page.evaluate(
            """async (body) => {
                const headers = { "Content-Type": "application/json" };
                const answer = await fetch("api/games", { method: "POST", headers, body: JSON.stringify(body) });
                const place = await answer.json();
                if (!answer.ok) throw new Error(place.error.message);
                const { game, token, seat, invite } = place;
                const held = { game, token, seat, invite, at: Date.now(), over: false };
                localStorage.setItem("lastcard.games", JSON.stringify([held]));
                location.hash = `#/game/${place.game}`;
                return place.game;
            }""",
            body,
        )
        assert isinstance(game, str)
        self.board.wait_for()

    # Looking

    @property
    def board(self) -> Locator:
        return self.page.locator("main[data-ask]")

    @property
    def is_over(self) -> bool:
        return self.board.get_attribute("data-ask") == "over"

    @property
    def hand(self) -> list[str]:
        cards: list[str] = self.page.locator(".hand [data-card]").evaluate_all("all => all.map(b => b.dataset.card)")
        return cards

    @property
    def top_card(self) -> str | None:
        return self.page.locator("[data-top]").get_attribute("data-top")

    def wait_for_decision(self) -> str:
        """Waits until something is asked, and says what; "over" after the end."""
        self.page.wait_for_function("() => document.querySelector('main[data-ask]:not([data-ask=nothing])') !== null")
        asked = self.board.get_attribute("data-ask")
        return asked or "nothing"

    def offered(self) -> list[str]:
        """The actions that have a button."""
        actions: list[str] = self.page.locator(".controls [data-action]").evaluate_all(
            "all => all.map(b => b.dataset.action)"
        )
        return actions

    # Acting

    def play_until_over(self, how: How, most: int = 400) -> None:
        for _ in range(most):
            if self.wait_for_decision() == "over":
                return
            self.act(how)
        raise AssertionError(f"the round goes on after {most} decisions")

    def act(self, how: How) -> None:
        """Decides, and waits for what it led to: every action is answered with a view."""
        before = int(self.board.get_attribute("data-views") or 0)
        self.decide(how)
        self.page.wait_for_function("n => Number(document.querySelector('main').dataset.views) > n", arg=before)

    def decide(self, how: How) -> None:
        """Makes the decision that is asked for: UNO or a catch first, then a card, then what else there is."""
        offered = self.offered()
        playable = self.page.locator(".hand li.playable")
        swaps = self.page.locator("button.choosable")
        first = next((action for action in PREFERENCE[:3] if action in offered), None)
        if first:
            self._press(first, how)
        elif swaps.count():
            self.page.keyboard.press("1") if how == "keyboard" else swaps.first.click()
            self.done.append("swap")
        elif any(action.startswith("color:") for action in offered):
            self._name_color(how)
        elif playable.count():
            self._play(playable.first, how)
        else:
            self._press(next(action for action in PREFERENCE if action in offered), how)

    def _press(self, action: str, how: How) -> None:
        target = self.page.locator(f".controls [data-action={action}]")
        if how == "keyboard":
            self.page.keyboard.press(KEYS[action])
        else:
            self._point(target, how)
        self.done.append(action)

    def _play(self, item: Locator, how: How) -> None:
        card = item.locator("[data-card]").get_attribute("data-card") or ""
        if how == "keyboard":
            self.page.keyboard.press("ArrowDown")
            focused = self.page.locator(".hand button:focus")
            expect(focused).to_have_attribute("aria-disabled", "false")
            card = focused.get_attribute("data-card") or ""
            self.page.keyboard.press("Enter")
        else:
            # Cards overlap: what one sees and aims at is the corner, once it lies still. A card that has not begun its
            # flight seems to, and then what is pressed is not what is let go.
            item.evaluate(LIE_STILL)
            corner = item.locator(".index")
            self._point(corner, how)
            if how == "touch":
                expect(self.page.locator(".hand li.lifted [data-card]")).to_have_attribute("data-card", card)
                self._point(corner, how)
        if card.startswith("w"):
            self._name_color(how)
        self.done.append(card)

    def _name_color(self, how: How) -> None:
        if how == "keyboard":
            self.page.locator(".controls .color").first.wait_for()
            self.page.keyboard.press("3")
        else:
            self._point(self.page.locator(".controls .color").nth(2), how)

    def _point(self, target: Locator, how: How) -> None:
        if how == "touch":
            target.tap()
        else:
            target.click()
