#!/bin/sh
# Makes docs/pictures/clips/focus.jpg: a talk of two people, and what the focuses auto and both show of it.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/soundstage" ./cmd/soundstage
face=render/focus/testdata/face.jpg
mouth='drawbox=x=100:y=204:w=36:h=10:color=0x582820:t=fill' # it moves while somebody speaks
ffmpeg -v error -y -f lavfi -i 'color=0xf0e8e6:s=1280x720:r=25:d=6' -loop 1 -r 25 -t 6 -i $face -f lavfi -i 'sine=d=6' -filter_complex "
[1]split[a][b];
[a]$mouth:enable='lt(t,3)*lt(mod(t,0.4),0.2)'[left];
[b]$mouth:enable='gte(t,3)*lt(mod(t,0.4),0.2)',hflip,hue=h=-8:s=0.9[right];
[0][left]overlay=x=150:y=210[c];[c][right]overlay=x=890:y=190,drawbox=y=488:h=232:w=iw:color=0x886c52:t=fill" \
	-preset veryfast -pix_fmt yuv420p "$work/talk.mp4"
cat > "$work/talk.vtt" <<'VTT'
WEBVTT

00:00.000 --> 00:02.900
<v Ann>We met at the table to talk about it.

00:03.000 --> 00:05.900
<v Ben>Then let us look at each other.
VTT
frame() { # frame VIDEO SECONDS PICTURE
	ffmpeg -v error -y -ss "$2" -i "$1" -frames:v 1 -vf scale=-2:300 "$3"
}
frame "$work/talk.mp4" 4.7 "$work/0.png"
n=1
for how in 'auto 9:16' 'both 9:16' 'both 1:1'; do
	"$work/soundstage" render "$work/talk.mp4" "$work/talk.vtt" --focus "${how% *}" --aspect "${how#* }" --style bold-pop -o "$work/$n.mp4" >/dev/null
	frame "$work/$n.mp4" 4.7 "$work/$n.png"
	n=$((n + 1))
done
pad='pad=iw+12:ih:0:0:white'
ffmpeg -v error -y -i "$work/0.png" -i "$work/1.png" -i "$work/2.png" -i "$work/3.png" -filter_complex \
	"[0]$pad[a];[1]$pad[b];[2]$pad[c];[a][b][c][3]hstack=4" -q:v 3 docs/pictures/clips/focus.jpg
