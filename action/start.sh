#!/bin/sh
# Downloads or builds soundstage unless SOUNDSTAGE_BIN is set, starts the sandbox in the background, and exports its address and secrets
# to later steps. VERSION is a release, "latest", or "source" to build. ARGS are flags of `soundstage serve`. WAIT is the maximum number
# of seconds until it is ready. The runner sets GITHUB_ENV, GITHUB_OUTPUT, GITHUB_PATH, RUNNER_ARCH, RUNNER_OS, and RUNNER_TEMP.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
state=$RUNNER_TEMP/soundstage
if [ -f "$state/pid" ] && kill -0 "$(cat "$state/pid")" 2>/dev/null; then
	echo "::error::A sandbox is already running. Stop it with action/stop first." >&2
	exit 1
fi
rm -rf "$state"
mkdir -p "$state/bin"
bin=${SOUNDSTAGE_BIN:-}
if [ -z "$bin" ] && [ "${VERSION:-latest}" = source ]; then
	bin=$state/bin/soundstage
	(cd "$root" && go build -trimpath -ldflags '-s -w' -o "$bin" ./cmd/soundstage)
elif [ -z "$bin" ]; then
	"$root/action/download.sh" "${VERSION:-latest}" "$state/bin"
	bin=$(ls "$state"/bin/soundstage*)
fi

set -f # a flag such as --allowed-host * is no pattern of files
# shellcheck disable=SC2086 # a list of flags
nohup "$bin" serve --addr 127.0.0.1:0 ${ARGS:-} --ready-file "$state/ready.json" >"$state/log" 2>&1 </dev/null &
pid=$!
set +f
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

# value NAME: prints a field of the ready file, which has one field per line. Releases up to 0.1.0 wrote &, <, and > as escapes.
value() {
	sed -n 's/^ *"'"$1"'": "\(.*\)",\{0,1\}$/\1/p' "$state/ready.json" | head -n 1 |
		sed -e 's/\\u0026/\&/g' -e 's/\\u003c/</g' -e 's/\\u003e/>/g' -e 's/\\\(["\]\)/\1/g'
}
# export_field VARIABLE FIELD: exports a field to later steps, if it is set. Your own secrets are masked in the log.
export_field() {
	field=$(value "$2")
	[ -n "$field" ] || return 0
	case $1:$field in
	*SECRET*:sk_sandbox_*) ;;
	*SECRET*) printf '::add-mask::%s\n' "$(printf '%s' "$field" | sed 's/%/%25/g')" ;;
	esac
	printf '%s\n' "$1=$field" >>"$GITHUB_ENV" # not echo, which may know escapes
}
export_field SOUNDSTAGE_URL url
export_field SOUNDSTAGE_CONTROL_URL control_url
export_field SOUNDSTAGE_SECRET secret
for role in none core automation platform other; do
	export_field "SOUNDSTAGE_SECRET_$(echo "$role" | tr '[:lower:]' '[:upper:]')" "$role"
done
printf '%s\n' "url=$(value url)" "secret=$(value secret)" >>"$GITHUB_OUTPUT"
dirname "$bin" >>"$GITHUB_PATH"
echo "The sandbox $(value version) is ready at $(value url)."
