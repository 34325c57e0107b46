#!/bin/sh
# Builds soundstage unless SOUNDSTAGE_BIN is one, starts the sandbox in the background, and tells the following steps where it is.
# ARGS are flags of `soundstage serve`, WAIT how many seconds it may take. GITHUB_ENV, GITHUB_OUTPUT, GITHUB_PATH and RUNNER_TEMP are
# the runner's.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
state=$RUNNER_TEMP/soundstage
if [ -f "$state/pid" ] && kill -0 "$(cat "$state/pid")" 2>/dev/null; then
	echo "::error::A sandbox is running already; stop it with action/stop first." >&2
	exit 1
fi
rm -rf "$state"
mkdir -p "$state/bin"
bin=${SOUNDSTAGE_BIN:-}
if [ -z "$bin" ]; then
	bin=$state/bin/soundstage
	(cd "$root" && go build -trimpath -ldflags '-s -w' -o "$bin" ./cmd/soundstage)
fi

# shellcheck disable=SC2086 # a list of flags
nohup "$bin" serve --addr 127.0.0.1:0 ${ARGS:-} --ready-file "$state/ready.json" >"$state/log" 2>&1 </dev/null &
pid=$!
echo "$pid" >"$state/pid"
ticks=$((${WAIT:-30} * 10))
until [ -f "$state/ready.json" ]; do
	if ! kill -0 "$pid" 2>/dev/null || [ "$ticks" -le 0 ]; then
		echo "::error::The sandbox did not start." >&2
		cat "$state/log" >&2
		kill "$pid" 2>/dev/null || true
		rm -f "$state/pid"
		exit 1
	fi
	ticks=$((ticks - 1))
	sleep 0.1
done

# value NAME: a member of the ready file, which has one on each line.
value() {
	sed -n 's/^ *"'"$1"'": "\(.*\)",\{0,1\}$/\1/p' "$state/ready.json" | head -n 1
}
# tell VARIABLE MEMBER: hands a member on to the following steps, if it is there. Secrets of your own stay out of the log.
tell() {
	told=$(value "$2")
	[ -n "$told" ] || return 0
	case $1:$told in
	*SECRET*:sk_sandbox_*) ;;
	*SECRET*) echo "::add-mask::$told" ;;
	esac
	echo "$1=$told" >>"$GITHUB_ENV"
}
tell SOUNDSTAGE_URL url
tell SOUNDSTAGE_CONTROL_URL control_url
tell SOUNDSTAGE_SECRET secret
for role in none core automation platform other; do
	tell "SOUNDSTAGE_SECRET_$(echo "$role" | tr '[:lower:]' '[:upper:]')" "$role"
done
{ echo "url=$(value url)"; echo "secret=$(value secret)"; } >>"$GITHUB_OUTPUT"
dirname "$bin" >>"$GITHUB_PATH"
echo "The sandbox $(value version) answers at $(value url)."
