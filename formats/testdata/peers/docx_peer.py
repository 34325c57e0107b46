"""Converts a transcript with python-docx. Usage: docx_peer.py IN.json OUT.docx"""

import json
import sys

import docx

transcript = json.load(open(sys.argv[1], encoding="utf-8"))
d = docx.Document()
d.add_heading("Three hours", 0)
for u in transcript["utterances"]:
    s = u["start"] // 1000
    p = d.add_paragraph()
    p.add_run(u["speaker"]).bold = True
    p.add_run("  %02d:%02d:%02d" % (s // 3600, s // 60 % 60, s % 60))
    d.add_paragraph(u["text"])
d.save(sys.argv[2])
