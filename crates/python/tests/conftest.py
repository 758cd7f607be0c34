# SPDX-License-Identifier: GPL-3.0-or-later
import signal


def pytest_addoption(parser):
    parser.addoption("--games", type=int, default=100, help="random games of each comparison of rules")


def pytest_configure():
    # Where SIGINT is ignored, as under nohup, Python sets no handler, and the tests of Ctrl-C would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
