#!/bin/sh
# Generates every media file in this folder: espeak-ng speaks, sox joins, ffmpeg encodes. README.md describes the files.
# Takes about two minutes, most of it for the picture of conversation.mp4. Needs: apt-get install espeak-ng sox ffmpeg. Pass
# file names to generate only those: ./make.sh cover.mp3
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
wanted=" $* "

# want FILE: reports whether FILE was requested.
want() { case "$wanted" in "  " | *" $1 "*) true ;; *) false ;; esac; }

# enc FILE OPTION...: runs ffmpeg with the options and writes FILE if it was requested. It writes no dates and no encoder
# names, so that the same tools write the same bytes.
enc() {
	file=$1
	shift
	want "$file" || return 0
	ffmpeg -nostdin -hide_banner -v error -y "$@" -flags +bitexact -fflags +bitexact "$file"
}

# speak FILE TEXT ESPEAK-OPTION...: speech at 16 kHz mono, trimmed, with its peak at -3 dBFS.
speak() {
	out=$1 text=$2
	shift 2
	espeak-ng "$@" -w "$tmp/raw.wav" "$text"
	sox -R -D "$tmp/raw.wav" -b 16 "$out" rate -h 16000 silence 1 0.01 0.1% reverse silence 1 0.01 0.1% reverse gain -n -3
}

pause() { sox -R -D -n -r 16000 -b 16 -c 1 "$1" trim 0 "$2"; }

# --- the conversation: five turns of two voices, 0.9 s between them ---------------------------------------------------

start=0.4
pause "$tmp/join.wav" $start
: > "$tmp/turns"
while IFS='|' read -r who text; do
	case $who in
	host) speak "$tmp/turn.wav" "$text" -v en-us+m3 -p 45 -s 172 ;;        # a man, around 110 Hz
	guest) speak "$tmp/turn.wav" "$text" -v en-gb-x-rp+f5 -p 55 -s 168 ;;  # a woman, around 215 Hz
	esac
	echo "$who $start $(soxi -D "$tmp/turn.wav")" >> "$tmp/turns"
	pause "$tmp/pause.wav" 0.9
	sox -R -D "$tmp/join.wav" "$tmp/turn.wav" "$tmp/pause.wav" "$tmp/next.wav"
	mv "$tmp/next.wav" "$tmp/join.wav"
	start=$(soxi -D "$tmp/join.wav")
done < conversation.txt
awk '{ printf "SPEAKER conversation 1 %.3f %.3f <NA> <NA> %s <NA> <NA>\n", $2, $3, $1 }' "$tmp/turns" > conversation.rttm

title="Two people plan a podcast"
enc conversation.wav -i "$tmp/join.wav" -map_metadata -1
enc conversation.mp3 -i conversation.wav -metadata title="$title" -id3v2_version 3 -c:a libmp3lame -b:a 40k
enc conversation.m4a -i conversation.wav -metadata title="$title" -metadata:s:a language=eng -c:a aac -b:a 40k
enc conversation.ogg -i conversation.wav -metadata title="$title" -metadata:s:a language=eng -c:a libopus -b:a 24k
enc opening.flac -i conversation.wav -t 5 -compression_level 12

# --- its picture: the sky, two layers of waves, and a light per voice that glows while the voice speaks ---------------

# glow WHO: 1 while WHO speaks, else 0, with soft edges of 0.25 s.
glow() {
	awk -v who="$1" '$1 == who { printf "%sclip((T-%.3f)/0.25+0.5,0,1)*clip((%.3f-T)/0.25+0.5,0,1)", sep, $2, $2 + $3; sep = "+" }' "$tmp/turns"
}
disc() { echo "clip(27-hypot(X-$1,Y-74),0,1)"; }          # 1 in a disc around $1,74
halo() { echo "exp(-pow(hypot(X-$1,Y-74)/42,2))*0.45"; }  # a glow around it
wave() { echo "clip(Y-($1+$2*sin(X/$3+T*$4)+$2*0.6*sin(X/($3*0.62)-T*$4*0.7)),0,1)"; } # 1 below a curve
over() { echo "st(4,ld(4)+($1-ld(4))*$2)"; }              # blends a colour over the current one with an opacity

# channel TOP BOTTOM HOST GUEST FAR NEAR: one colour channel, given its value for each painted part.
channel() {
	echo "st(0,$(glow host));st(1,$(glow guest));st(4,$1+($2-$1)*Y/H);$(over "$3" "$(halo 100)*ld(0)");$(over "$4" "$(halo 220)*ld(1)");$(over "$3" "$(disc 100)*(0.3+0.7*ld(0))");$(over "$4" "$(disc 220)*(0.3+0.7*ld(1))");$(over "$5" "$(wave 132 7 34 0.9)");$(over "$6" "$(wave 148 6 26 -1.2)");ld(4)"
}
enc conversation.mp4 -i conversation.wav -f lavfi -i "color=s=320x180:r=25:d=$(soxi -D conversation.wav),format=gbrp,geq=r='$(channel 13 38 255 64 30 20)':g='$(channel 17 42 190 214 48 32)':b='$(channel 38 92 84 205 104 74)'" \
	-map 1:v -map 0:a -metadata title="$title" -metadata:s:a language=eng -vf scale=out_color_matrix=bt709 \
	-c:v libx264 -preset veryslow -tune animation -crf 23 -g 100 -pix_fmt yuv420p \
	-colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:a aac -b:a 40k -movflags +faststart

# --- containers and tags -------------------------------------------------------------------------------------------

speak "$tmp/german.wav" "Guten Tag. Heute geht es um Podcasts, die man gerne hört." -v de -s 160
enc german.m4a -i "$tmp/german.wav" -metadata title="Über Podcasts" -metadata:s:a language=deu -c:a aac -b:a 40k
enc cover.mp3 -i opening.flac -f lavfi -i "gradients=s=200x200:c0=0x0d1126:c1=0x40d6cd:d=1:seed=1" -map 0:a -map 1:v -frames:v 1 -t 2 \
	-metadata title="With a cover" -c:v mjpeg -q:v 6 -c:a libmp3lame -b:a 40k -disposition:v attached_pic
# Silence, then speech: an estimate from the first bytes is wrong.
sox -R -D "$tmp/pause.wav" "$tmp/pause.wav" "$tmp/pause.wav" opening.flac "$tmp/uneven.wav"
enc vbr.mp3 -i "$tmp/uneven.wav" -c:a libmp3lame -q:a 5 -write_xing 0 -id3v2_version 0
enc raw.aac -i "$tmp/uneven.wav" -c:a aac -b:a 40k
if want streamed.webm; then
	ffmpeg -nostdin -v error -y -t 4 -i conversation.mp4 -c:v libvpx -b:v 60k -c:a libopus -b:a 24k -map_metadata -1 \
		-flags +bitexact -fflags +bitexact -f webm - | cat > streamed.webm # a pipe: no duration, no cues
fi
enc videoonly.mp4 -f lavfi -i "gradients=s=160x90:r=25:d=2:c0=0x0d1126:c1=0x40d6cd:seed=1" -c:v libx264 -crf 30 -pix_fmt yuv420p
enc tone.wav -f lavfi -i "sine=frequency=440:sample_rate=16000:duration=1" -c:a pcm_s16le
enc late.mkv -f lavfi -i "color=s=64x36:r=10:d=2:c=0x0d1126" -itsoffset 1 -i tone.wav -map 0:v -map 1:a -c:v libx264 -c:a flac
enc silence.wav -f lavfi -i "anullsrc=r=16000:cl=mono:d=3" -c:a pcm_s16le
enc tooshort.wav -f lavfi -i "sine=frequency=440:sample_rate=16000:duration=0.1" -c:a pcm_s16le

# --- truncated files and files that aren't media ------------------------------------------------------------------

# Truncated in the middle of the samples: everything before can be played.
if want truncated.mp4; then head -c "$(($(wc -c < conversation.mp4) / 2))" conversation.mp4 > truncated.mp4; fi
# Truncated before the index, which comes last: nothing can be played.
if want truncated-nomoov.mp4; then
	ffmpeg -nostdin -v error -y -i videoonly.mp4 -i tone.wav -c:v copy -c:a aac -flags +bitexact -fflags +bitexact "$tmp/whole.mp4"
	head -c "$(($(wc -c < "$tmp/whole.mp4") / 2))" "$tmp/whole.mp4" > truncated-nomoov.mp4
fi
if want empty.wav; then : > empty.wav; fi
if want notmedia.wav; then echo "This is a text. It only has the name of a sound." > notmedia.wav; fi
# Text that makes a careless reader open another file.
if want playlist.mp4; then printf '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nconversation.mp4\n#EXT-X-ENDLIST\n' > playlist.mp4; fi
if want concat.mp4; then printf 'ffconcat version 1.0\nfile conversation.mp4\n' > concat.mp4; fi
