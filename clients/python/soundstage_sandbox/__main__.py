"""Runs the program: `python -m soundstage_sandbox serve` is `soundstage serve`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NoReturn

from .binary import find_binary, unusable
from .errors import BinaryError

__all__ = ["main"]


def main() -> NoReturn:
    """Replace this process by the program, with the same arguments. On Windows, which can't, wait for it."""
    try:
        path = find_binary()
        try:
            if sys.platform == "win32":
                sys.exit(_wait([str(path), *sys.argv[1:]]))
            os.execv(path, ["soundstage", *sys.argv[1:]])
        except OSError as error:
            raise unusable(path, error) from error
    except BinaryError as error:
        print("soundstage:", error, file=sys.stderr)
        sys.exit(127)


def _wait(command: "list[str]") -> int:
    with subprocess.Popen(command) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the console sends it to the program, too
                continue


if __name__ == "__main__":
    main()
