# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks, which are kept without outputs, and docs/python.md run from beginning to end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def code_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return "".join(block.split("```")[0] for block in text.split("```python")[1:])
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    return "\n".join("".join(cell["source"]) for cell in cells)


@pytest.mark.parametrize("name", ["examples/learn.ipynb", "examples/play.ipynb", "examples/review.ipynb", "docs/python.md"])
def test_an_example_runs(name, tmp_path):
    for module in ("chess", "matplotlib", "pandas", "pyspiel"):
        pytest.importorskip(module)
    code, environment = code_of(ROOT / name), {**os.environ, "MPLBACKEND": "Agg", "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, timeout=60, text=True)
    assert code.count("\n") > 20 and done.returncode == 0, done.stderr
