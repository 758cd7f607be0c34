#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses the page of `halfply serve` in a real browser, as a person would: plays a game to its end by clicks, leaves it and comes
back, walks it, opens a game of a file, branches and reviews it, sets up a position, edits a table and tries it, compares two
tables, follows a search, watches a tournament while it is played, replays a game, and browses runs.

    apt-get install chromium chromium-driver
    pip install selenium==4.51.0
    python3 tests/clients/use_page.py target/release/halfply [--screenshots DIR]

Exit status 1 on any fault: something does not happen, the browser reports an error, or the page loads anything from elsewhere.
"""

import argparse
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

PATIENCE = 60
# A tournament that takes longer than to watch it. It is stopped when enough was seen.
TOURNAMENT = ["tournament", "run", "--evaluation-b", "piece-count", "--nodes", "2000", "--threads", "1"]
LEARN = ["learn", "--nodes", "100", "--max-evaluations", "12"]
# A game against a search of so few nodes takes seconds.
NODES = "300"
# In the third move Black overlooks a mate.
BLUNDER = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Bc4 {a comment} Nc6 (2... Nf6! 3. d3 (3. Nc3 {Vienna} Bc5 $14) c6) 3. Qh5 {[%clk 0:01:00]} Nf6 4. Qxf7# 1-0
"""
LONGEST = 300

BROWSER = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


class Page:
    """The page in the browser."""

    def __init__(self, address, profile):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in [*BROWSER, f"--user-data-dir={profile}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.address = address
        self.resize(1200, 900)
        self.open()

    def open(self):
        self.driver.get(self.address)
        self.wait("the board", lambda: self.all("#board .source"))

    def open_run(self, name):
        """Goes to a run by the list of all."""
        self.driver.get(f"{self.address}runs")
        link = f'#runs a[href="/runs?run={name}"]'
        self.wait(f"{name} in the list of runs", lambda: self.all(link))
        self.click(link)
        self.wait(f"the page of {name}", lambda: self.text("#title"))

    def resize(self, width, height):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def dark(self):
        features = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def in_report(self, selector):
        """How many such elements the report of a run has, in its frame."""
        script = "return document.querySelector('#report').contentDocument?.querySelectorAll(arguments[0]).length"
        return self.driver.execute_script(script, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def click(self, selector):
        self.one(selector).click()

    def choose(self, selector, value):
        Select(self.one(selector)).select_by_value(value)

    def write(self, selector, text):
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def wait(self, what, condition):
        """Waits until a condition holds. The page may replace elements while they are read."""
        waiting = WebDriverWait(self.driver, PATIENCE, ignored_exceptions=[Exception])
        return waiting.until(lambda _: condition(), f"this did not happen: {what}")

    def status(self):
        return self.text("#status")

    def wait_for_turn(self):
        """Waits until a person may move, or the game is over."""
        def is_ready():
            can_move = self.all("#board .source") or self.one("#pass").is_displayed()
            return "Game over" in self.status() or (" to move" in self.status() and can_move)

        self.wait("our turn", is_ready)
        return "Game over" not in self.status()


def begin_game(page, game, nodes=NODES):
    page.choose("#game", game)
    page.click("#tab-opponent")
    page.write("#limit", nodes)
    page.click("#tab-game")
    page.click("#new")
    # The page offers the clocks of the game before.
    page.choose("#new-clock", "")
    page.click("#start")
    page.wait("the start of the game", lambda: page.text("#status") and not page.all("#moves li"))
    page.wait_for_turn()


def play_by_clicks(page, game):
    """Plays a whole game. Which moves are possible is what the page shows."""
    begin_game(page, game)
    chance = random.Random(7)
    for _ in range(LONGEST):
        if not page.wait_for_turn():
            break
        before = len(page.all("#moves button"))
        if page.one("#pass").is_displayed():
            page.click("#pass")
            page.wait("our pass", lambda: len(page.all("#moves button")) > before)
            continue
        chance.choice(page.all("#board .source")).click()
        if not page.all("#board .target"):
            continue
        if len(page.all("#moves button")) == before and page.all("#board .selected"):
            chance.choice(page.all("#board .target")).click()
        if page.one("#choice").is_displayed():
            page.click("#choices button")
        page.wait("our move", lambda: len(page.all("#moves button")) > before)
    assert "Game over" in page.status(), page.status()
    assert not page.all("#board .source"), "moves are shown after the end"
    if game == "othello":
        assert re.search(r"(wins|draw) \d+–\d+\.$", page.status()), page.status()
        assert page.text("#player-below").endswith("discs"), page.text("#player-below")
    print(f"{game}: {page.status()}")


def play_by_keys(page):
    begin_game(page, "breakthrough")
    page.one("[data-square=b2]").send_keys(Keys.ENTER)
    page.one("[data-square=b2]").send_keys(Keys.ARROW_UP)
    assert page.driver.switch_to.active_element.get_attribute("data-square") == "b3"
    assert page.one("[data-square=b3]").get_attribute("aria-label") == "b3, empty, can move here"
    page.one("[data-square=b3]").send_keys(Keys.ENTER)
    page.wait("an answer to b2b3", lambda: page.text("#moves button") == "b2b3" and len(page.all("#moves button")) == 2)


def take_back_and_flip(page):
    # The page comes back with its game.
    page.open()
    page.wait("its moves", lambda: page.text("#moves button") == "b2b3")
    page.click("#undo")
    page.wait("the start of the game", lambda: not page.all("#moves li"))
    assert page.one("#board button").get_attribute("data-square") == "a8"
    page.click("#flip")
    assert page.one("#board button").get_attribute("data-square") == "h1"
    page.click("#flip")


def moves(page):
    return [move.text for move in page.all("#moves button")]


def main_line(page):
    return [move.text for move in page.all("#moves > li:not(.variation) > button")]


def variations(page):
    """All variations of the first level, and with comments what else is said between the rows."""
    return [item.text.replace("\n", " ") for item in page.all("#moves .variation, #moves li.said")]


def copied(page):
    """The game as PGN."""
    page.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    page.click("#copy-moves")
    page.wait("that it is copied", lambda: page.text("#copy-moves") == "Copied")
    page.wait("that this is over", lambda: page.text("#copy-moves") == "Copy PGN")
    return page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")


def board(page):
    return page.driver.execute_script(
        "return [...document.querySelectorAll('#board [data-square]')].map(square => square.dataset.name).sort().join()")


def go_back(page):
    """Opens the last of the earlier games."""
    page.click("#earlier")
    page.click("#games .entry")


def begin_as(page, side):
    """Begins another game of the same kind, and plays this side."""
    page.click("#new")
    page.choose("#new-human", side)
    page.click("#start")


def lose_no_game(page):
    """Whatever else is looked at, a game is there again, with the side that was played."""
    begin_game(page, "breakthrough")
    begin_as(page, "black")
    page.wait("the first move of the program", lambda: len(moves(page)) == 1 and page.all("#board .source"))
    assert page.text("#player-below").startswith("black: You"), page.text("#player-below")
    page.all("#board .source")[0].click()
    page.all("#board .target")[0].click()
    page.wait("an answer", lambda: len(moves(page)) == 3 and page.all("#board .source"))
    played, position = moves(page), board(page)

    def is_back():
        return moves(page) == played and board(page) == position and page.text("#player-below").startswith("black: You")

    # Another game, and back.
    page.choose("#game", "othello")
    page.wait("Othello", lambda: page.all("#board.plain"))
    page.choose("#game", "breakthrough")
    page.wait("the game after another one", is_back)
    # Test positions, where both sides are played, a move in one of them, and a new game.
    page.click("#tab-compare")
    for _ in range(2):
        before = board(page)
        page.click("#problem")
        page.wait("a test position", lambda: board(page) != before and not moves(page) and page.all("#board .source"))
    page.all("#board .source")[0].click()
    page.all("#board .target")[0].click()
    page.wait("a move in it", lambda: len(moves(page)) == 1)
    page.click("#tab-game")
    begin_as(page, "white")
    page.wait("a new game", lambda: not moves(page) and page.text("#player-below").startswith("white: You"))
    go_back(page)
    page.wait("the test position", lambda: len(moves(page)) == 1)
    go_back(page)
    page.wait("the game before it", is_back)
    # Set from a position, and loaded again, in this tab and in another one.
    page.write("#fen", "8/2p5/3P4/8/8/8/8/8 w - - 0 1")
    page.click("#set-position button")
    page.wait("the position", lambda: len(page.all("#board .piece")) == 2)
    page.open()
    go_back(page)
    page.wait("the game after the page was loaded again", is_back)
    tab = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open()
    page.wait("the game in another tab", is_back)
    page.driver.close()
    page.driver.switch_to.window(tab)


def walk(page):
    """The game of before, by buttons, keys and the list of moves."""
    played, end = moves(page), board(page)
    page.click("#first")
    page.wait("the first position", lambda: "After 0 of 3" in page.status() and len(page.all("#board .piece")) == 32)
    assert moves(page) == played, "the list has all moves"
    assert not page.one("#first").is_enabled() and page.one("#last").is_enabled()
    page.click("#on")
    page.wait("a move", lambda: page.text("#moves [aria-current]") == played[0])
    # After a click on the board too, the arrow keys walk the game.
    page.click("#board [data-square=d4]")
    for key, place in [(Keys.ARROW_RIGHT, 1), (Keys.ARROW_LEFT, 0), (Keys.ARROW_RIGHT, 1)]:
        page.driver.switch_to.active_element.send_keys(key)
        page.wait("a step by a key", lambda: page.text("#moves [aria-current]") == played[place])
    page.all("#moves button")[0].click()
    page.wait("a step by a click", lambda: "After 1 of 3" in page.status())
    page.click("#back")
    page.wait("a step back", lambda: "After 0 of 3" in page.status())
    page.click("#last")
    page.wait("the end", lambda: board(page) == end and page.all("#board .source"))


def read_words(page):
    """What one needs to know is said in place."""
    for game, unit in [("breakthrough", "pieces"), ("chess", "pawns"), ("othello", "discs expected")]:
        begin_game(page, game)
        rules = page.text("#rules-text")
        assert len(re.findall(r"\.(?= |$)", rules)) == 3, rules
        page.click("#hint")
        page.wait("a hint", lambda: "would play" in page.status())
        assert unit in page.text("#thinking") or "wins" in page.text("#thinking"), page.text("#thinking")
        page.click("#tab-table")
        page.wait("its atoms", lambda: page.text("#an-atom") and page.text("#its-meaning"))
        page.click("#tab-game")


def open_by_book(page):
    """The opening book: shown, clicked, and played from by the opponent, who then searches nothing."""
    begin_game(page, "chess")
    assert not page.one("#book").is_displayed()
    begin_game(page, "othello")
    page.click("#tab-opponent")
    page.choose("#openings", "book")
    page.click("#tab-game")
    assert re.search(r"[\d,]{5,} games of self-play .* black scored \d+ %", page.text("#book")), page.text("#book")
    first = page.text("#book tbody button")
    page.click("#book tbody button")
    page.wait("an answer of the book", lambda: len(moves(page)) == 2 and page.all("#board .source"))
    assert moves(page)[0] == first and "has not run yet" in page.text("#thinking"), moves(page)
    page.click("#tab-opponent")
    page.choose("#openings", "search")
    page.click("#tab-game")


def play_by_clock(page):
    """A game with clocks: they run in turn, survive a reload, and end the game."""
    begin_game(page, "breakthrough")
    assert not page.one("#clock-below").is_displayed()
    page.click("#new")
    page.driver.execute_script("document.querySelector('#new-clock').lastElementChild.value = '6+9'")
    page.choose("#new-clock", "6+9")
    page.click("#start")
    page.wait("clocks", lambda: page.text("#clock-below") == page.text("#clock-above") == "6.0" and page.all("#board .source"))
    page.click("#board [data-square=b2]")
    page.click("#board [data-square=b3]")
    page.wait("the answer", lambda: len(moves(page)) == 2 and page.one("#clock-below.running"))
    # It gained nine seconds, and used one.
    assert page.text("#clock-above").startswith("0:1"), page.text("#clock-above")
    page.open()
    page.wait("the game again", lambda: len(moves(page)) == 2 and page.one("#clock-below.running"))
    page.wait("its end", lambda: page.status().endswith("Game over: black wins on time, 0-1."))
    assert page.text("#clock-below") == "0.0" and not page.all("#board .source")
    text = copied(page)
    for part in ['[Result "0-1"]', '[Termination "time forfeit"]', '[TimeControl "6+9"]', " 0-1\n"]:
        assert part in text, text
    # A move at an earlier position is a variation of a game that is over.
    page.click("#first")
    page.wait("the first position", lambda: "After 0 of 2" in page.status())
    page.click("#board [data-square=c2]")
    page.click("#board [data-square=c3]")
    page.wait("a variation", lambda: page.all("#moves .variation [aria-current]"))
    page.wait("its answer", lambda: len(page.all("#moves .variation button")) > 1 and page.all("#board .source"))
    # To take it back changes nothing of how the game ended.
    page.click("#undo")
    page.wait("the first position", lambda: not page.all("#moves .variation") and page.all("#board .source"))
    assert '[Termination "time forfeit"]' in copied(page)
    # A variation that becomes the main line is another game, which nobody has lost.
    page.click("#board [data-square=c2]")
    page.click("#board [data-square=c3]")
    page.wait("a variation", lambda: len(page.all("#moves .variation button")) > 1 and page.all("#board .source"))
    page.click("#promote")
    page.wait("another main line", lambda: main_line(page)[0].endswith("c3"))
    assert "forfeit" not in copied(page) and "wins on time" not in page.status(), page.status()
    # White is the second player of Othello.
    page.choose("#game", "othello")
    page.click("#new")
    page.driver.execute_script("document.querySelector('#new-clock').lastElementChild.value = '2+1'")
    page.choose("#new-clock", "2+1")
    page.click("#start")
    page.wait("a clock", lambda: page.text("#clock-below") == "2.0" and page.all("#board .source"))
    page.click("#board .source")
    page.wait("the end of that", lambda: page.status().endswith("Game over: white wins on time, 1-0."))
    assert '[Result "1-0"]' in copied(page)


def stop_thinking(page):
    """A program that is stopped plays the best move that it knows."""
    begin_game(page, "breakthrough", "900000000")
    page.click("#board [data-square=b2]")
    page.click("#board [data-square=b3]")
    page.wait("thoughts", lambda: "is thinking" in page.status() and page.all("#thinking .figures"))
    # It would think for minutes.
    time.sleep(2)
    assert "is thinking" in page.status() and len(moves(page)) == 1, page.status()
    page.click("#stop")
    page.wait("its move", lambda: len(moves(page)) == 2 and page.all("#board .source"))


def study(page, width):
    """A game of a file: opened, walked, branched, reviewed, kept and shared."""
    page.resize(width, 900)
    page.click("#open")
    page.write("#open-text", "1. e4 e5\n2. Ke3")
    page.click("#open-form .main")
    page.wait("the line of the error", lambda: "pasted text:2: move 3, Ke3" in page.text("#open-error"))
    page.write("#open-text", "1. e4 {")
    page.click("#open-form .main")
    page.wait("another error", lambda: "has no end" in page.text("#open-error"))
    file = pathlib.Path(tempfile.mkdtemp()) / "games.pgn"
    file.write_text("1. d4 d5 *\n\n" + BLUNDER)
    page.one("#open-file").send_keys(str(file))
    page.wait("the choice of a game", lambda: page.one("#open-which").is_displayed())
    page.choose("#open-which", "2")
    page.click("#open-form .main")
    played = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    page.wait("the game", lambda: main_line(page) == played and "Ann" in page.text("#player-below"))
    told = ["Bc4 a comment", "2… Nf6! 3. d3 (3. Nc3 Vienna 3… Bc5+/=) 3… c6"]
    assert variations(page) == told, variations(page)
    check_width(page, width, "an opened game")
    # What is copied has all of it, and can be opened again.
    text = copied(page)
    assert "Nf6 $1" in text and "{[%clk 0:01:00]}" in text and '[Result "1-0"]' in text and text.strip().endswith("1-0"), text
    page.click("#open")
    page.driver.execute_script("arguments[0].value = arguments[1]", page.one("#open-text"), text.replace("Vienna", "again"))
    page.click("#open-form .main")
    page.wait("the same game", lambda: variations(page) == [said.replace("Vienna", "again") for said in told])
    assert main_line(page) == played and copied(page) == text.replace("Vienna", "again")
    page.all("#moves button")[2].click()
    page.wait("a comment below the board", lambda: page.text("#said") == "a comment")
    page.write("#comment", "another one")
    page.wait("it in the list", lambda: variations(page)[0] == "Bc4 another one")
    page.choose("#move-mark", "5")
    page.choose("#position-mark", "14")
    page.wait("its marks", lambda: page.text("#moves [aria-current]") == "Bc4!?+/=" and "Bc4 $5 $14" in copied(page))
    page.choose("#move-mark", "0")
    page.choose("#position-mark", "0")
    page.wait("no marks", lambda: page.text("#moves [aria-current]") == "Bc4")
    # What White threatens, from where Black is to move.
    next(move for move in page.all("#moves button") if move.text == "Qh5").click()
    page.wait("the position before the blunder", lambda: "After 5 of 7" in page.status())
    page.click("#threat")
    page.wait("the threat", lambda: page.status() == "If black passed, white would play Qxf7#.")
    assert page.all("#board .arrows .threat polygon") and page.text("#thinking").startswith("If black passed:")
    assert not page.one("#graph").is_displayed(), "a threat is no value of a position"
    page.all("#moves button")[2].click()
    page.wait("the position of before", lambda: "After 3 of 7" in page.status())
    # An analysis goes on with each position.
    page.click("#analyse")
    page.click("#on")
    page.wait("the worth of the next position", lambda: "expect" in page.one("#bar").get_attribute("title") and "After 4 of 7" in page.status())
    page.click("#analyse")
    page.wait("the end of the analysis", lambda: not page.one("#stop").is_displayed())
    told[0] = "Bc4 another one"
    told[1] = told[1].replace("Vienna", "again")
    page.one("#board [data-square=a3]").click()
    page.driver.switch_to.active_element.send_keys(Keys.END)
    page.wait("the last position", lambda: not page.one("#on").is_enabled())

    turn = "document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {deltaY: arguments[0], cancelable: true}))"
    page.driver.execute_script(turn, -100)
    page.wait("a step by the wheel", lambda: "After 6 of 7" in page.status())
    page.driver.execute_script(turn, -20)
    page.click("#back")
    page.wait("a step back", lambda: "After 5 of 7" in page.status())
    page.click("#board [data-square=g7]")
    page.click("#board [data-square=g6]")
    page.wait("a variation", lambda: variations(page) == [*told, "3… g6"])
    assert main_line(page) == played, "the main line is kept"
    page.open()
    page.wait("the variation after the page was loaded again", lambda: page.all("#moves .variation [aria-current]"))
    page.click("#promote")
    page.wait("another main line", lambda: main_line(page)[-1] == "g6")
    page.all("#moves .variation")[-1].find_element(By.TAG_NAME, "button").click()
    page.wait("the old line", lambda: "Nf6" in page.text("#moves [aria-current]"))
    page.click("#promote")
    page.wait("the main line", lambda: variations(page)[-1] == "3… g6")
    page.all("#moves .variation")[-1].find_element(By.TAG_NAME, "button").click()
    page.wait("the variation", lambda: page.text("#moves [aria-current]") == "g6")
    page.click("#cut")
    page.wait("no variation", lambda: variations(page) == told and main_line(page) == played)

    page.click("#review")
    page.wait("the review", lambda: "Accuracy" in page.text("#summary"))
    assert "Turning point: 3... Nf6??" in page.text("#summary"), page.text("#summary")
    page.wait("the blunder", lambda: page.text("#moves .blunder") == "Nf6??")
    page.click("#moves .blunder")
    page.wait("what was better", lambda: re.match(r"Blunder: \d+ % to 0 % expected; better \S+", page.text("#verdict")))
    assert page.all("#graph circle.blunder") and page.all("#board .arrows polygon")
    assert "white can expect 100 %" in page.one("#bar").get_attribute("title"), page.one("#bar").get_attribute("title")
    page.one("#graph svg").click()
    page.wait("a step by the graph", lambda: "After 5 of 7" in page.status())
    check_width(page, width, "a review")
    text = copied(page)
    assert re.search(r"Nf6 \$4 \{\[%eval #1\]\} \(3\.\.\. ", text) and "{again}" in text and "another one" in text, text

    page.driver.get(f"{page.address}#game=othello&moves=f5+d6+c3&ply=2")
    page.wait("the game of an address", lambda: len(moves(page)) == 3 and "After 2 of 3" in page.status())
    page.driver.get(f"{page.address}#game=othello&moves=f5+f5")
    page.wait("what is wrong with an address", lambda: "move 2" in page.status())
    page.choose("#game", "chess")
    page.wait("the reviewed game", lambda: page.all("#moves .blunder") and page.text("#summary").startswith("Accuracy"))
    begin_game(page, "chess")
    page.click("#earlier")
    before = len(page.all("#games li"))
    assert "Ann – Bob, 7 moves" in page.text("#games li"), page.text("#games li")
    check_width(page, width, "the list of games")
    page.click("#games li button:last-child")
    page.wait("one game less", lambda: len(page.all("#games li")) == before - 1)
    page.click("#games-close")
    page.click("#setup")
    page.click("#setup-board [data-square=e2]")
    page.click("#setup-board [data-square=e1]")
    page.click("#setup-form .main")
    page.wait("a position without a king", lambda: page.text("#setup-error"))
    page.click("#setup-palette [value=K]")
    page.click("#setup-board [data-square=e1]")
    check_width(page, width, "setting up")
    page.click("#setup-form .main")
    page.wait("the position", lambda: len(page.all("#board .piece")) == 31)
    page.resize(1200, 900)


def set_position(page):
    page.write("#fen", "8/8/nonsense w")
    page.click("#set-position button")
    page.wait("an error", lambda: "8 rows" in page.text("#fen-error"))
    page.write("#fen", "8/2p5/3P4/8/8/8/8/8 w - - 0 1")
    page.click("#set-position button")
    page.wait("the position", lambda: len(page.all("#board .piece")) == 2)
    assert page.text("#fen-error") == ""


def edit_table(page):
    page.click("#tab-table")
    rows = "#opponent-table textarea"
    page.write(rows, "Xx@0.5")
    page.wait("an error", lambda: "there is no atom" in page.text("#opponent-table .error"))
    page.write(rows, "C@0.25")
    page.wait("costs", lambda: page.text("#costs .matched").startswith("d6c7\n0.25") or page.text("#costs .matched").startswith("d6c7 0.25"))
    assert len(page.all("#costs .matched")) == 1
    # The table is what the opponent searches with.
    page.click("#hint")
    page.wait("a hint", lambda: "would play" in page.status())


def compare_tables(page):
    page.click("#tab-compare")
    page.click("#problem")
    page.write("#table-a textarea", "Ud-Rdt@0.5")
    page.write("#compare-nodes", "20k")
    page.wait("what the row means", lambda: "Ud-Rdt" in page.text("#table-a .meaning"))
    page.click("#compare .main")
    page.wait("both results", lambda: len(page.all("#comparison .figures .value")) == 2)
    page.wait("the end", lambda: "matched a row" in page.text("#comparison .twins"))
    assert len(page.all("#comparison tbody tr")) > 2


def analyse(page):
    """A search without a limit is followed, and stops; its place is free again."""
    # In a test position it would end with the proof of the win.
    begin_game(page, "breakthrough")
    page.click("#tab-opponent")
    page.write("#lines", "3")
    page.click("#tab-game")
    page.click("#analyse")
    page.wait("arrows of three lines", lambda: len(page.all(".arrows .best, .arrows .further")) == 3)
    page.click("#stop")
    # Marks of one's own: drawn, removed, and drawn along a move.
    square = page.one("#board [data-square=e5]")
    for marks in [1, 0]:
        ActionChains(page.driver).context_click(square).perform()
        page.wait("a mark, or none", lambda: len(page.all(".arrows circle.own")) == marks)
    page.driver.execute_script("""const fire = (square, type) => { const {x, y, width} = square.getBoundingClientRect();
        square.dispatchEvent(new PointerEvent(type, {button: 2, bubbles: true, clientX: x + width / 2, clientY: y + width / 2})); };
        fire(arguments[0], "pointerdown"); fire(arguments[1], "pointerup");""", square, page.one("#board [data-square=e6]"))
    page.wait("an arrow", lambda: page.all(".arrows g.own"))
    page.click("#board [data-square=d4]")
    page.wait("no mark", lambda: not page.all(".arrows .own"))
    for _ in range(3):
        page.click("#analyse")
        page.wait("an iteration", lambda: "depth" in page.text("#thinking") and page.one("#stop").is_displayed())
        page.wait("a point in the graph", lambda: page.all("#graph circle"))
        page.click("#stop")
        page.wait("the end of the search", lambda: not page.one("#stop").is_displayed())


def begin_run(program, arguments, out):
    """Starts a run in that folder; it is not waited for."""
    command = [program, *arguments, "--out", out]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish_run(program, arguments, out):
    assert begin_run(program, arguments, out).wait(timeout=10 * PATIENCE) == 0, arguments


def watch_tournament(page, program, runs):
    """Games appear while they are played; the tournament is stopped, and resumed to its end."""
    process = begin_run(program, [*TOURNAMENT, "--games", "20000"], runs / "live")
    try:
        page.open_run("live")
        page.wait("that it runs", lambda: page.text("#state") == "running")
        page.wait("a game", lambda: page.all("#games tbody tr") and page.all("#board .piece"))
        before = len(page.all("#games tbody tr"))
        page.wait("another game", lambda: len(page.all("#games tbody tr")) > before)
        page.wait("a pair of games", lambda: page.in_report(".plot .band"))
        assert "of 20,000 games" in page.text("#headline"), page.text("#headline")
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
    page.wait("that it was stopped", lambda: page.text("#state") == "interrupted")
    # It wanted too many games: the same run with fewer is complete.
    finish_run(program, [*TOURNAMENT, "--games", "2"], runs / "live")
    page.wait("the end", lambda: page.text("#state") == "complete" and "after 2 games" in page.text("#headline"))
    page.wait("its files", lambda: "report.html" in page.text("#files"))


def replay(page):
    """A game of the tournament, move by move."""
    page.wait("a game", lambda: page.all("#games button"))
    page.click("#games tbody tr:last-child button")
    page.wait("game 1", lambda: page.text("#game-title") == "GAME 1" and "-" in page.text("#status"))
    end = page.status()
    assert not page.all("#board .source"), "moves can be made in a game that is over"
    page.click("#first")
    page.wait("the first position", lambda: "After 0 of" in page.status() and len(page.all("#board .piece")) == 32)
    page.click("#on")
    page.wait("a move", lambda: "After 1 of" in page.status() and page.text("#moves [aria-current]"))
    page.all("#moves button")[2].click()
    page.wait("the third move", lambda: "After 3 of" in page.status())
    page.click("#back")
    page.click("#back")
    page.wait("the way back", lambda: "After 1 of" in page.status())
    page.one("#on").send_keys(Keys.ARROW_RIGHT)
    page.wait("another move", lambda: "After 2 of" in page.status())
    page.click("#play")
    page.wait("moves by themselves", lambda: "After 4 of" in page.status())
    page.click("#play")
    page.click("#last")
    page.wait("the end", lambda: page.status() == end)
    played = moves(page)
    page.click("#study")
    page.wait("the game on the board for play", lambda: page.all("#undo") and moves(page) == played and page.all("#promote"))
    assert " to move" not in page.status() and "You" not in page.text("#player-below"), page.status()
    page.click("#first")
    page.wait("moves to try", lambda: "After 0 of" in page.status() and page.all("#board .source"))


def browse(page):
    """Runs that are complete: the tree of one that learned, its report, and the way back."""
    page.open_run("learned")
    page.wait("the tree", lambda: page.in_report(".tree li") and page.text("#state") == "complete")
    page.click("#files a[href$='report.html']")
    page.wait("the report", lambda: "What the names mean" in page.text("body"))
    page.driver.back()
    page.wait("the way back", lambda: page.in_report(".tree li"))
    page.driver.get(f"{page.address}runs")
    page.wait("all runs", lambda: len(page.all("#runs li")) == 2)
    page.write("#find", "learn complete")
    page.wait("one of them", lambda: len(page.all("#runs li")) == 1)
    page.driver.get(f"{page.address}runs?run=../live")
    page.wait("a refusal", lambda: "there is nothing at this address" in page.text("#fault"))


def check_width(page, width, name):
    # Not innerWidth: on a phone it grows with what does not fit.
    wide = page.driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width, f"{name} is {wide} wide"


def fit_a_phone(page):
    width = 360
    page.resize(width, 740)
    page.open()
    for tab in ["game", "opponent", "table", "compare"]:
        page.click(f"#tab-{tab}")
        check_width(page, width, tab)
    for run in ["live", "learned"]:
        page.open_run(run)
        page.wait(run, lambda: page.in_report(".plot"))
        check_width(page, width, run)
    page.open()
    page.click("#tab-game")


def take_pictures(page, folder):
    page.resize(360, 740)
    page.driver.save_screenshot(str(folder / "phone.png"))
    page.dark()
    page.resize(1200, 800)
    page.driver.save_screenshot(str(folder / "dark.png"))
    page.open_run("live")
    page.wait("the games", lambda: page.all("#board .piece"))
    page.driver.save_screenshot(str(folder / "run.png"))


def check_browser(page):
    """The browser has nothing to complain about, and has loaded nothing from elsewhere."""
    complaints = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
    # Refusals that were asked for above are reported too.
    complaints = [text for text in complaints if "status of 422" not in text and "status of 404" not in text]
    assert not complaints, complaints
    loaded = page.driver.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert loaded and all(name.startswith(page.address) for name in loaded), loaded


def use(program, address, runs, screenshots):
    with tempfile.TemporaryDirectory() as profile:
        page = Page(address, profile)
        try:
            games = [option.get_attribute("value") for option in page.all("#game option")]
            print(f"{len(games)} games at {address}: {', '.join(games)}")
            # Pieces that move, and discs that are put on the board, with passes.
            play_by_clicks(page, "breakthrough")
            play_by_clicks(page, "othello")
            for game in games:
                begin_game(page, game)
                assert page.all("#board .piece"), game
            for step in [play_by_keys, take_back_and_flip, lose_no_game, walk, read_words, open_by_book, play_by_clock, stop_thinking]:
                step(page)
                print(f"{step.__name__}: done")
            for width in [1200, 400]:
                study(page, width)
            print("study: done")
            begin_game(page, "breakthrough")
            for step in [set_position, edit_table, compare_tables, analyse]:
                step(page)
                print(f"{step.__name__}: done")
            watch_tournament(page, program, runs)
            print("watch_tournament: done")
            for step in [replay, browse, fit_a_phone]:
                step(page)
                print(f"{step.__name__}: done")
            check_browser(page)
            if screenshots:
                take_pictures(page, screenshots)
        except Exception:
            page.driver.save_screenshot("use_page_failed.png")
            print(f"FAULT at {page.driver.current_url}; the page is in use_page_failed.png")
            raise
        finally:
            page.driver.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    # Whoever stops this test wants its server and browser to end, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    program = str(pathlib.Path(arguments.program).resolve())
    folder = tempfile.TemporaryDirectory()
    runs = pathlib.Path(folder.name)
    finish_run(program, LEARN, runs / "learned")
    command = [program, "serve", "--port", "0", "--runs", runs]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    address = server.stderr.readline().split()[0]
    start = time.monotonic()
    try:
        use(program, address, runs, arguments.screenshots)
        # Not SIGINT: a shell starts its background jobs with it ignored. The program then handles neither of the two.
        server.send_signal(signal.SIGTERM)
        status = server.wait(timeout=PATIENCE)
        assert status in (0, -signal.SIGTERM), f"the server ended with status {status}"
    finally:
        server.kill()
        folder.cleanup()
    print(f"the page works: {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
