#!/bin/sh
# Writes the secrets of compose.yaml to deploy/secrets. It never changes a secret that is there.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
write() { # write FILE: standard input becomes a new file
	if [ -e "$1" ]; then cat >/dev/null; else cat >"$1.new" && mv "$1.new" "$1" && echo "wrote deploy/secrets/$1"; fi
}
random | write database-password
echo "postgres://soundstage:$(cat database-password)@postgres:5432/soundstage?sslmode=disable" | write database-url
random | write signing-key
printf 'AWS_ACCESS_KEY_ID=soundstage\nAWS_SECRET_ACCESS_KEY=%s\n' "$(random)" | write s3.env
sed 's/^AWS_/ROOT_/' s3.env | write s3-server.env
# Compose mounts the files with their owner and mode. The program refuses secrets that others can read, so it runs as their owner.
user="$(id -u):$(id -g)"
if [ "$(id -u)" = 0 ]; then
	user=10001:10001
	chown "$user" database-url signing-key
fi
[ -e ../.env ] || { echo "SOUNDSTAGE_USER=$user" >../.env && echo "wrote deploy/.env"; }
