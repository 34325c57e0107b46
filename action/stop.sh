#!/bin/sh
# Stops the sandbox that start.sh started, and prints its log. Fails if the sandbox had already exited, or doesn't stop in 15 s.
set -eu
state=$RUNNER_TEMP/soundstage
if [ ! -f "$state/pid" ]; then
	echo "No sandbox is running."
	exit 0
fi
pid=$(cat "$state/pid")
status=0
alive() { # a zombie doesn't count, where ps can tell; that of Windows can't
	kill -0 "$pid" 2>/dev/null || return 1
	case $(ps -o stat= -p "$pid" 2>/dev/null) in Z*) return 1 ;; esac
}
if alive; then
	kill "$pid"
	ticks=150
	while alive && [ "$ticks" -gt 0 ]; do
		ticks=$((ticks - 1))
		sleep 0.1
	done
	if alive; then
		echo "::error::The sandbox did not stop in 15 s and was killed." >&2
		kill -KILL "$pid" 2>/dev/null || true
		status=1
	fi
else
	echo "::error::The sandbox exited before it was stopped. Its log follows." >&2
	status=1
fi
echo "::group::Sandbox log"
cat "$state/log"
echo "::endgroup::"
rm -rf "$state"
exit $status
