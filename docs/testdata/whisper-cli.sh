#!/bin/sh
# Stands in for whisper.cpp's whisper-cli: it writes the JSON of -ojf for any WAV file.
wav=
while [ $# -gt 0 ]; do
	[ "$1" = -f ] && wav=$2
	shift
done
cp "$(dirname "$0")/../whisper.json" "$wav.json"
