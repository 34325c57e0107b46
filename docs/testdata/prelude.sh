# Run before the commands of each page.
set -eu

# `soundstage serve` and `soundstage listen` run until they are stopped. Here they go to the background until the script ends.
soundstage() {
	case "$1" in
	serve)
		stop
		shift
		rm -f serve.log
		command soundstage serve --addr 127.0.0.1:8765 "$@" >serve.log 2>&1 &
		echo $! >server.pid
		if ! wait_until command soundstage healthcheck --url http://127.0.0.1:8765; then
			cat serve.log
			exit 1
		fi
		;;
	listen)
		command soundstage "$@" --server http://127.0.0.1:8765 >listen.log 2>&1 &
		echo $! >listen.pid
		wait_until test -s listen.log
		;;
	proxy) # it also runs until it is stopped: before the next command that reads its recording
		stop_proxy
		command soundstage "$@" --addr 127.0.0.1:8766 --ready-file proxy.json >proxy.log 2>&1 &
		echo $! >proxy.pid
		if ! wait_until test -s proxy.json; then
			cat proxy.log
			exit 1
		fi
		;;
	drift | fixtures)
		stop_proxy
		command soundstage "$@"
		;;
	trigger | snapshot | conformance)
		stop_proxy
		SOUNDSTAGE_URL=http://127.0.0.1:8765 command soundstage "$@"
		;;
	*) command soundstage "$@" ;;
	esac
}

# An HTTP error fails the script, unless the command prints the status itself.
curl() {
	case "$*" in
	*http_code*) command curl -sS "$@" ;;
	*) command curl -sS --fail-with-body "$@" ;;
	esac
}

wait_until() {
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || return 1
		sleep 0.1
	done
}

stop_proxy() {
	if [ -e proxy.pid ]; then
		kill -INT "$(cat proxy.pid)" 2>/dev/null || true
		while kill -0 "$(cat proxy.pid)" 2>/dev/null; do sleep 0.05; done
		rm proxy.pid
	fi
}

stop() {
	for file in proxy.pid listen.pid server.pid; do
		if [ -e $file ]; then
			kill "$(cat $file)" 2>/dev/null || true
			while kill -0 "$(cat $file)" 2>/dev/null; do sleep 0.05; done
			rm $file
		fi
	done
}
trap stop EXIT
