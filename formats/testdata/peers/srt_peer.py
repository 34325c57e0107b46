"""Writes the words of a transcript as SubRip with python3-srt. Usage: srt_peer.py IN.json OUT.srt

The library has no line breaking. Lines are filled as the writer of openai-whisper fills them with max_line_width=42 and max_line_count=2: a
word that doesn't fit begins a line, a third line begins a cue, and so does a pause of three seconds or another utterance.
"""

import datetime
import json
import sys

import srt

cues = []
for u in json.load(open(sys.argv[1], encoding="utf-8"))["utterances"]:
    lines = []
    for w in u["words"]:
        if lines and w["start"] - cues[-1].end / datetime.timedelta(milliseconds=1) > 3000:
            lines = []
        if not lines or len(lines[-1]) + 1 + len(w["text"]) > 42:
            if len(lines) in (0, 2):
                lines = []
                cues.append(srt.Subtitle(0, datetime.timedelta(milliseconds=w["start"]), datetime.timedelta(), ""))
            lines.append(w["text"])
        else:
            lines[-1] += " " + w["text"]
        cues[-1].end = datetime.timedelta(milliseconds=w["end"])
        cues[-1].content = "\n".join(lines)
open(sys.argv[2], "w", encoding="utf-8").write(srt.compose(cues))
