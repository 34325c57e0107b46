// Package formats writes transcripts as JSON, TXT, VTT, SRT, CSV, DOCX, PDF, TTML, EBU-TT-D, EBU STL, ASS, and LRC, and parses transcripts of
// other tools.
//
// Start with a writer. All of them have the same signature, take the same Options, and are listed in All:
//
//	err := formats.WriteVTT(w, transcript, formats.Options{Names: map[string]string{"Speaker 0": "Ada"}})
//
// Parse reads a file of another tool:
//
//	parsed, err := formats.Parse("talk.json", file)
//
// Every writer normalises the transcript first (prepare.go): it applies assigned names, makes each text one line of valid
// UTF-8, and rounds times to milliseconds that never decrease. It never drops a word. The same input gives the same bytes. A
// writer writes nothing before the whole file is complete, and may be called concurrently.
//
// Package captions has the rules for caption breaks. Defects of third-party libraries are worked around in vtt.go, srt.go,
// ttml.go, ass.go, docx.go and pdf.go.
package formats
