# SPDX-License-Identifier: GPL-3.0-or-later
"""What `pip install .` calls. maturin builds either a program or a module, and the wheel has both: the program is built first,
and is a script of the module's wheel."""

import os
import shutil
import subprocess
from pathlib import Path

import maturin

NAME = "halfply.exe" if os.name == "nt" else "halfply"


def _build_program():
    subprocess.run(["cargo", "build", "--profile", "dist", "--locked", "--bin", "halfply"], check=True)
    scripts = Path("target/halfply.data/scripts")
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy2(Path(os.environ.get("CARGO_TARGET_DIR", "target"), "dist", NAME), scripts)


def build_wheel(*arguments, **options):
    _build_program()
    return maturin.build_wheel(*arguments, **options)


def build_editable(*arguments, **options):
    _build_program()
    return maturin.build_editable(*arguments, **options)
