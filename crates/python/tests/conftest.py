# SPDX-License-Identifier: GPL-3.0-or-later
def pytest_addoption(parser):
    parser.addoption("--games", type=int, default=100, help="random games of each comparison of rules")
