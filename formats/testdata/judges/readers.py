"""Prints what a Python reader reads from files, as a JSON list. Usage: readers.py srt|pysrt|csv|docx FILE ..."""

import csv
import datetime
import json
import sys


def read_srt(file):
    import srt

    def ms(t):
        return t // datetime.timedelta(milliseconds=1)

    with open(file, encoding="utf-8", newline="") as f:
        cues = srt.parse(f.read().replace("\r\n", "\n"))
        return {"errors": [], "cues": [{"start": ms(c.start), "end": ms(c.end), "text": c.content, "voice": ""} for c in cues]}


def read_pysrt(file):
    import pysrt

    # Not pysrt.open: it uses a file mode that newer versions of Python removed.
    with open(file, encoding="utf-8") as f:
        cues = pysrt.from_string(f.read(), error_handling=pysrt.SubRipFile.ERROR_RAISE)
    return {"errors": [], "cues": [{"start": c.start.ordinal, "end": c.end.ordinal, "text": c.text, "voice": ""} for c in cues]}


def read_csv(file):
    with open(file, encoding="utf-8-sig", newline="") as f:
        return list(csv.reader(f))


def read_docx(file):
    import docx

    d = docx.Document(file)
    p = d.core_properties
    return {
        "title": p.title,
        "author": p.author,
        "language": p.language,
        "created": p.created.strftime("%Y-%m-%dT%H:%M:%S") if p.created else "",  # has a time zone since 1.2
        "paragraphs": [[q.style.name, q.text] for q in d.paragraphs],
        "runs": sorted({r.style.name for q in d.paragraphs for r in q.runs}),
    }


readers = {"srt": read_srt, "pysrt": read_pysrt, "csv": read_csv, "docx": read_docx}
print(json.dumps([readers[sys.argv[1]](f) for f in sys.argv[2:]]))
