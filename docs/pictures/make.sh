#!/bin/sh
# Makes the pictures of the README from the project's own test media: a captioned clip, an audiogram, and a page of a PDF.
# `make demo` writes them to demo-output, `make pictures` to docs/pictures. It needs ffmpeg, and pdftoppm for the PDF.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-docs/pictures}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
media=testdata/conversation words=docs/pictures/podcast.vtt
go build -o "$work/soundstage" ./cmd/soundstage

"$work/soundstage" render $media.mp4 $words --to 12s --style karaoke-pill --title "A podcast that people finish" -o "$work/clip.mp4" >/dev/null
"$work/soundstage" render $media.m4a $words --to 12s --aspect 1:1 --title "A podcast that people finish" -o "$work/audiogram.mp4" >/dev/null
"$work/soundstage" export $words --to pdf --title "A podcast that people finish" -o "$work" >/dev/null

frame() { # frame VIDEO SECONDS HEIGHT PICTURE
	ffmpeg -v error -y -ss "$2" -i "$1" -frames:v 1 -vf "scale=-2:$3" -q:v 3 "$4"
}
frame "$work/clip.mp4" 2.9 800 "$out"/clip.jpg
frame "$work/audiogram.mp4" 8.6 800 "$out"/audiogram.jpg
if ! command -v pdftoppm >/dev/null; then
	echo "pdftoppm is not installed: no picture of the PDF"
	exit
fi
pdftoppm -r 160 -f 1 -l 1 -singlefile -png "$work/podcast.pdf" "$work/page"
ffmpeg -v error -y -i "$work/page.png" -vf "crop=iw*0.84:iw*0.58:iw*0.06:iw*0.07,scale=-2:800,drawbox=color=gray@0.5:t=3" -q:v 3 "$out"/pdf.jpg
