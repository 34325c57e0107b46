#!/bin/bash
# Renders the same 12 s of speech with the same words and the same font with soundstage and with Remotion, one after the other, and prints what
# each took. It writes docs/pictures/clips/remotion.jpg: a frame of each, side by side. It isn't part of CI.
#
# Usage: npm ci --ignore-scripts && ./compare.sh [ROUNDS]. It needs Go, ffmpeg, and Chromium (BROWSER, default chromium).
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-3}
browser=$(command -v "${BROWSER:-chromium}")
root=../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/public"

(cd $root && CGO_ENABLED=0 go build -o "$work/soundstage" ./cmd/soundstage)
ffmpeg -v error -f lavfi -i 'gradients=seed=4:s=1920x1080:r=30:d=12:n=3:c0=0x1d3557:c1=0xe76f51:c2=0x2a9d8f:x0=0:y0=0:x1=1920:y1=1080:speed=0.02' \
	-i $root/testdata/conversation.wav -t 12 -c:v libx264 -preset fast -crf 16 -pix_fmt yuv420p -c:a aac -b:a 128k "$work/public/talk.mp4"
gzip -dc $root/render/fonts/Montserrat-ExtraBold.ttf.gz >"$work/public/font.ttf"
node words.mjs $root/testdata "$work"
node bundle.mjs "$work/public" "$work/page" >/dev/null

# Children count: those of ffmpeg and of the browser, too.
TIMEFORMAT='%R s of wall clock, %U s + %S s of CPU time'
for round in $(seq "$rounds"); do
	echo "round $round"
	echo -n '  soundstage: '
	time "$work/soundstage" clip "$work/public/talk.mp4" "$work/words.json" --to 12 --style bold-pop --fit crop --force -o "$work/soundstage.mp4" >/dev/null 2>&1
	echo -n '  remotion:   '
	time node render.mjs "$work/page" "$work/captions.json" "$work/remotion.mp4" "$browser" >/dev/null 2>"$work/remotion.log" || cat "$work/remotion.log"
done
for clip in soundstage remotion; do
	echo "$clip.mp4: $(stat -c %s "$work/$clip.mp4") bytes, $(ffprobe -v error -select_streams v -show_entries stream=width,height,r_frame_rate,nb_frames -of csv=p=0 "$work/$clip.mp4")"
	ffmpeg -hide_banner -nostats -i "$work/$clip.mp4" -af ebur128 -f null - 2>&1 | grep -A 1 'Integrated loudness' | tail -n 1
	at=3.1
	[ $clip = remotion ] || at=2.85 # the clip of soundstage begins 0.15 s before the first word, at 0.25 s
	ffmpeg -v error -y -ss $at -i "$work/$clip.mp4" -frames:v 1 -vf scale=360:-2 "$work/$clip.png"
done
ffmpeg -v error -y -i "$work/soundstage.png" -i "$work/remotion.png" -filter_complex '[0]pad=iw+12:ih:0:0:white[a];[a][1]hstack' -q:v 4 $root/docs/pictures/clips/remotion.jpg
