// Package formats writes transcripts as json, txt, vtt, srt, csv, docx and pdf, and reads those that other tools wrote.
//
// Every writer has the same shape, takes the same Options and is listed in All:
//
//	formats.WriteVTT(w, transcript, formats.Options{Names: map[string]string{"Speaker 0": "Ada"}})
//
// All of them see the transcript after the same preparation (prepare.go): speakers have their assigned names, text is
// valid UTF-8 on one line, times are whole milliseconds that never run backwards. No word is ever dropped. The same
// input gives the same bytes, nothing is written before the whole file is made, and nothing is shared between calls.
//
// The transcript's rules of captions are in cues.go; what the third-party libraries get wrong is repaired in vtt.go,
// srt.go, docx.go and pdf.go.
package formats
