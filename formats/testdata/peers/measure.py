"""Runs a command and prints its processor time and wall time in milliseconds and its peak memory in KiB.

Linux includes the memory of the parent process, so the parent must be small. Usage: measure.py COMMAND [ARGUMENT ...]
"""

import os
import subprocess
import sys
import time

start = time.monotonic()
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
if status:
    sys.exit(1)
print(round((usage.ru_utime + usage.ru_stime) * 1000), round((time.monotonic() - start) * 1000), usage.ru_maxrss)
