#!/bin/sh
# Ends the sandbox that start.sh has started, and shows its log. It fails when the sandbox had ended by itself or does not end.
set -eu
state=$RUNNER_TEMP/soundstage
if [ ! -f "$state/pid" ]; then
	echo "No sandbox was started."
	exit 0
fi
pid=$(cat "$state/pid")
status=0
alive() { # a zombie is not
	case $(ps -o stat= -p "$pid" 2>/dev/null) in '' | Z*) return 1 ;; esac
}
if alive; then
	kill "$pid"
	ticks=150
	while alive && [ "$ticks" -gt 0 ]; do
		ticks=$((ticks - 1))
		sleep 0.1
	done
	if alive; then
		echo "::error::The sandbox did not end in 15 seconds; it is killed." >&2
		kill -KILL "$pid" 2>/dev/null || true
		status=1
	fi
else
	echo "::error::The sandbox had ended by itself." >&2
	status=1
fi
echo "::group::Log of the sandbox"
cat "$state/log"
echo "::endgroup::"
rm -rf "$state"
exit $status
