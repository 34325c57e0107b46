package formats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

var example = transcript.Transcript{Language: "en", Duration: 4 * time.Second, Utterances: []transcript.Utterance{
	{Speaker: "Speaker 0", Text: "Who wrote the first program?", Start: 0, End: 2 * time.Second},
	{Speaker: "Speaker 1", Text: "Ada Lovelace.", Start: 2100 * time.Millisecond, End: 3 * time.Second},
}}

func ExampleWriteTXT() {
	_ = formats.WriteTXT(os.Stdout, example, formats.Options{Names: map[string]string{"Speaker 0": "Grace"}})
	// Output:
	// [00:00:00] Grace:
	// Who wrote the first program?
	//
	// [00:00:02] Speaker 2:
	// Ada Lovelace.
}

func ExampleWriteSRT() {
	var b strings.Builder
	_ = formats.WriteSRT(&b, example, formats.Options{})
	fmt.Println(strings.ReplaceAll(b.String(), "\r\n", "\n"))
	// Output:
	// 1
	// 00:00:00,000 --> 00:00:02,016
	// Speaker 0: Who wrote the first program?
	//
	// 2
	// 00:00:02,100 --> 00:00:03,500
	// Speaker 1: Ada Lovelace.
}

func ExampleWriteCSV() {
	var b strings.Builder
	_ = formats.WriteCSV(&b, example, formats.Options{})
	fmt.Println(strings.TrimPrefix(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\uFEFF"))
	// Output:
	// index,start,end,start_ms,end_ms,speaker,text
	// 1,00:00:00.000,00:00:02.000,0,2000,"Speaker 0","Who wrote the first program?"
	// 2,00:00:02.100,00:00:03.000,2100,3000,"Speaker 1","Ada Lovelace."
}

func ExampleWriteJSON() {
	bare := transcript.Transcript{Language: "en", Duration: 2 * time.Second, Utterances: example.Utterances[:1]}
	_ = formats.WriteJSON(os.Stdout, bare, formats.Options{RecordingID: "r-1", Names: map[string]string{"Speaker 0": "Grace"}})
	// Output:
	// {"recording_id":"r-1","language":"en","audio_duration":2,"utterances":[{"speaker":"Speaker 0","speaker_name":"Grace","text":"Who wrote the first program?","start":0,"end":2000,"confidence":0,"words":[]}]}
}

func ExampleWriteMD() {
	_ = formats.WriteMD(os.Stdout, example, formats.Options{Title: "1. The *first* program", Names: map[string]string{"Speaker 1": "Grace"}})
	// Output:
	// # 1\. The \*first\* program
	//
	// - Duration: 00:00:04
	// - Speakers: Speaker 1, Grace
	//
	// **Speaker 1** 00:00:00
	//
	// Who wrote the first program?
	//
	// **Grace** 00:00:02
	//
	// Ada Lovelace.
}

func ExampleWriteHTML() {
	var page strings.Builder
	err := formats.WriteHTML(&page, example, formats.Options{Media: "talk #1.mp3"})
	fmt.Println(strings.Contains(page.String(), `<audio src="talk%20%231.mp3" controls`), err)
	err = formats.WriteHTML(&page, example, formats.Options{Media: "javascript:alert(1)"})
	fmt.Println(fault.Message(err))
	// Output:
	// true <nil>
	// The media's address can't be "javascript:alert(1)".
}

func ExampleWriteDOCX() {
	var b bytes.Buffer
	err := formats.WriteDOCX(&b, example, formats.Options{Title: "The first program", Created: time.Unix(1e9, 0)})
	fmt.Println(err, string(b.Bytes()[:2]))
	// Output:
	// <nil> PK
}

func ExampleWritePDF() {
	fonts, err := formats.NewFonts(formats.FontOptions{NoSystem: true}) // the same file on every machine
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	fmt.Println(formats.WritePDF(&b, example, formats.Options{Title: "The first program", Fonts: fonts}))
	fmt.Println(string(b.Bytes()[:8]))
	err = formats.WritePDF(&b, transcript.Transcript{Utterances: []transcript.Utterance{{Text: "नमस्ते"}}}, formats.Options{Fonts: fonts})
	fmt.Println(fault.Message(err))
	// Output:
	// <nil>
	// %PDF-1.7
	// No font found for Devanagari text.
}

func ExampleNewFonts() {
	fonts, err := formats.NewFonts(formats.FontOptions{Families: []formats.FontFamily{{Regular: gomono.TTF, Bold: gomonobold.TTF}}})
	fmt.Println(fonts != nil, err)
	// Output:
	// true <nil>
}

// Converts a transcript of another tool.
func ExampleParse() {
	file := strings.NewReader("1\n00:00:01,000 --> 00:00:02,500\nAda: Hello there.\n")
	p, err := formats.Parse("talk.srt", file)
	if err != nil {
		panic(err)
	}
	_ = formats.WriteTXT(os.Stdout, p.Transcript, formats.Options{Names: p.Names})
	// Output:
	// [00:00:01] Ada:
	// Hello there.
}

func ExampleParseVTT() {
	_, err := formats.ParseVTT(strings.NewReader("WEBVTT\n\n00:01.000 --> soon\nHello.\n"))
	fmt.Println(fault.Message(err))
	// Output:
	// line 3, column 15: expected a time like 00:00:01.000; the cue was skipped.
}

func ExampleParseTTML() {
	p, err := formats.ParseTTML(strings.NewReader(`<tt xml:lang="en"><body><div><p begin="1s" dur="1.5s">Hello,<br/>you.</p></div></body></tt>`))
	fmt.Println(p.Language, p.Utterances[0].Start, p.Utterances[0].End, p.Utterances[0].Text, err)
	// Output:
	// en 1s 2.5s Hello, you. <nil>
}

func ExampleCheck() {
	file := strings.NewReader("1\n00:00:01,000 --> 00:00:05,000\nA line of forty columns is too much here.\n")
	report, err := formats.Check("talk.srt", file, formats.CheckOptions{Limits: captions.Options{Columns: 37}})
	for _, f := range report.Findings {
		fmt.Println(f.Line, f.Rule, f.Value, f.Message, err)
	}
	// Output:
	// 2 width 41 text line 1 has 41 columns; at most 37 are allowed. <nil>
}

func ExampleFix() {
	file := strings.NewReader("WEBVTT\n\n00:01.000 --> 00:05.000\nStraßenbahnhaltestelle Donaudampfschifffahrt\n")
	err := formats.Fix(os.Stdout, "talk.vtt", file, formats.CheckOptions{Language: "de"})
	fmt.Println(err)
	// Output:
	// WEBVTT
	//
	// 1
	// 00:00:01.000 --> 00:00:05.000
	// Straßenbahnhaltestelle
	// Donaudampfschifffahrt
	// <nil>
}

func ExampleParseJSON() {
	p, err := formats.ParseJSON(strings.NewReader(`{"segments": [{"start": 0.5, "end": 1.25, "text": " Hi.", "speaker": "SPEAKER_00"}], "language": "en"}`))
	fmt.Println(p.Utterances[0].Speaker, p.Utterances[0].Start, p.Utterances[0].Text, err)
	// Output:
	// SPEAKER_00 500ms Hi. <nil>
}

func ExampleUtterances() {
	wire, _ := json.Marshal(formats.Utterances(example)[1:])
	fmt.Println(string(wire))
	// Output:
	// [{"speaker":"Speaker 1","text":"Ada Lovelace.","start":2100,"end":3000,"confidence":0,"words":[]}]
}

func ExampleWriteVTT() {
	_ = formats.WriteVTT(os.Stdout, example, formats.Options{})
	// Output:
	// WEBVTT
	//
	// 1
	// 00:00:00.000 --> 00:00:02.016
	// <v Speaker 0>Who wrote the first program?
	//
	// 2
	// 00:00:02.100 --> 00:00:03.500
	// <v Speaker 1>Ada Lovelace.
}

func ExampleLookup() {
	f, ok := formats.Lookup("json")
	fmt.Println(f.ContentType, ok)
	_ = f.Write(os.Stdout, transcript.Transcript{}, formats.Options{})
	// Output:
	// application/json true
	// {"recording_id":null,"language":null,"audio_duration":0,"utterances":[]}
}

func ExampleContentDisposition() {
	fmt.Println(formats.ContentDisposition("Café: part 1", ".vtt"))
	// Output:
	// attachment; filename="Cafe- part 1.vtt"; filename*=UTF-8''Caf%C3%A9-%20part%201.vtt
}

func ExampleWriteDOCX_template() {
	template, err := os.ReadFile("../examples/template.docx")
	if err != nil {
		fmt.Println(err)
		return
	}
	var doc bytes.Buffer
	err = formats.WriteDOCX(&doc, example, formats.Options{Title: "Talk", Source: "https://example.com/talk.mp4", Template: template})
	fmt.Println(doc.Len() > 0, err)
	err = formats.WriteDOCX(&doc, example, formats.Options{Title: "Talk", Template: template})
	fmt.Println(fault.Message(err))
	// Output:
	// true <nil>
	// The template links to {{source}}, but the source "" is no http or https address.
}

func ExamplePlaceholders() {
	fmt.Println(formats.Placeholders())
	// Output:
	// [title date source duration speakers summary chapters transcript]
}
