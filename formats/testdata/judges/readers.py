"""Prints what a Python reader reads from files, as a JSON list. Usage: readers.py srt|pysrt|csv|docx|xlsx FILE ..."""

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
    from docx.oxml.ns import qn

    def text(p):
        """The text with that of links, which Paragraph.text leaves out before version 1.0."""
        names = {qn("w:t"): lambda e: e.text or "", qn("w:tab"): lambda e: "\t", qn("w:br"): lambda e: "\n"}
        return "".join(names[e.tag](e) for e in p.iter(*names) if e.getparent().tag == qn("w:r"))

    d = docx.Document(file)
    links = [e for e in d.element.body.iter(qn("w:hyperlink")) if e.get(qn("r:id"))]
    p = d.core_properties
    return {
        "title": p.title,
        "author": p.author,
        "language": p.language,
        "created": p.created.strftime("%Y-%m-%dT%H:%M:%S") if p.created else "",  # has a time zone since 1.2
        "paragraphs": [[q.style.name, text(q._p)] for q in d.paragraphs],
        "runs": sorted({r.style.name for q in d.paragraphs for r in q.runs}),
        "tables": [[["\n".join(text(q._p) for q in c.paragraphs) for c in r.cells] for r in t.rows] for t in d.tables],
        "links": {text(e): d.part.rels[e.get(qn("r:id"))].target_ref for e in links},
    }


def read_xlsx(file):
    import openpyxl

    book = openpyxl.load_workbook(file)
    return {
        "title": book.properties.title,
        "sheets": [
            {
                "name": s.title,
                "freeze": s.freeze_panes or "",
                "filter": s.auto_filter.ref or "",
                "formulas": [c.coordinate for r in s.iter_rows() for c in r if c.data_type == "f"],
                "types": sorted({c.data_type for r in s.iter_rows() for c in r}),
                "rows": [[excel_value(c.value) for c in r] for r in s.iter_rows()],
                "columns": [s.column_dimensions[chr(65 + i)].width for i in range(s.max_column)],
                "rtl": [c.coordinate for r in s.iter_rows() for c in r if c.alignment.readingOrder == 2],
            }
            for s in book.worksheets
        ],
    }


def excel_value(v):
    """Times become milliseconds, texts and numbers stay."""
    if isinstance(v, datetime.datetime):
        v = v - datetime.datetime(1899, 12, 30)
    if isinstance(v, datetime.time):
        v = datetime.timedelta(hours=v.hour, minutes=v.minute, seconds=v.second, microseconds=v.microsecond)
    if isinstance(v, datetime.timedelta):
        return round(v / datetime.timedelta(milliseconds=1))
    return v


readers = {"srt": read_srt, "pysrt": read_pysrt, "csv": read_csv, "docx": read_docx, "xlsx": read_xlsx}
print(json.dumps([readers[sys.argv[1]](f) for f in sys.argv[2:]]))
