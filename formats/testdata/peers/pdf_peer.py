"""Converts a transcript with reportlab. Usage: pdf_peer.py IN.json OUT.pdf"""

import json
import sys
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

transcript = json.load(open(sys.argv[1], encoding="utf-8"))
styles = getSampleStyleSheet()
story = [Paragraph("Three hours", styles["Title"])]
for u in transcript["utterances"]:
    s = u["start"] // 1000
    story.append(Paragraph("<b>%s</b> %02d:%02d:%02d" % (escape(u["speaker"]), s // 3600, s // 60 % 60, s % 60), styles["Normal"]))
    story.append(Paragraph(escape(u["text"]), styles["Normal"]))
SimpleDocTemplate(sys.argv[2], pagesize=A4).build(story)
