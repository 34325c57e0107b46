package formats_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// line is what the parser tests compare: speaker, text, and times in milliseconds.
type line struct {
	speaker, text string
	start, end    int64
}

func linesOf(p formats.Parsed) []line {
	var lines []line
	for _, u := range p.Utterances {
		lines = append(lines, line{u.Speaker, u.Text, u.Start.Milliseconds(), u.End.Milliseconds()})
	}
	return lines
}

// parsed lists files of other tools and their content. They also seed the fuzz tests.
var parsed = []struct {
	claim, name, in string
	language        transcript.Language
	want            []line
}{{
	claim: "WebVTT's voice tags, classes, escapes, settings, comments and styles are parsed.",
	name:  "a.vtt", language: "en",
	in: "\uFEFFWEBVTT - title\r\nLanguage: en-US\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE a comment\r\n\r\nintro\r\n00:01.000 --> 00:02.500 align:start\r\n" +
		"<v.loud Ada &amp; Co>Hello <i>there</i>,\r\nR&amp;D &lt;3</v>\r\n\r\n1:00:00.000 --> 1:00:01.000\r\n<v A>Yes.</v>\r\n<v B>No.</v>\r\n",
	want: []line{{"Ada & Co", "Hello there, R&D <3", 1000, 2500}, {"A", "Yes.", 3_600_000, 3_601_000}, {"B", "No.", 3_600_000, 3_601_000}},
}, {
	claim: "An unescaped arrow ends the text of a cue, as in browsers.",
	name:  "a.vtt", in: "WEBVTT\n\n00:01.000 --> 00:02.000\nc > d\na --> b\ne\n",
	want: []line{{"", "c > d", 1000, 2000}},
}, {
	claim: "Japanese lines are joined without a space.",
	name:  "a.vtt", in: "WEBVTT\n\n00:01.000 --> 00:02.000\nすべての人間は、\n自由である。\n",
	want: []line{{"", "すべての人間は、自由である。", 1000, 2000}},
}, {
	claim: "SubRip may have LF, blank lines in a cue, a spoken number, and style tags.",
	name:  "a.srt", in: "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>one</i> <3\n\ntwo\n42\n\n2\n00:00:03,000 --> 00:00:04,000 X1:1\n<font color=\"red\">three</font>\n",
	want: []line{{"", "one <3 two 42", 1000, 2000}, {"", "three", 3000, 4000}},
}, {
	claim: "A name before the first cue means that names are speakers; a name applies until the next one.",
	name:  "a.srt", in: "1\r\n00:00:01,000 --> 00:00:02,000\r\nAda: one\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\ntwo: three, four\r\n\r\n3\r\n00:00:05,000 --> 00:00:06,000\r\nB:\r\nfive\r\n\r\n4\r\n00:00:07,000 --> 00:00:08,000\r\nsix\r\n",
	want: []line{{"Ada", "one", 1000, 2000}, {"two", "three, four", 3000, 4000}, {"B", "five", 5000, 6000}, {"B", "six", 7000, 8000}},
}, {
	claim: "A space before the colon, as in French, makes no name unless the first name has one.",
	name:  "a.srt", in: "00:00:01.000 --> 00:00:02.000\nAnne: un\n\n00:00:03.000 --> 00:00:04.000\nVoilà : deux\n\n00:00:05.000 --> 00:00:06.000\nEt voilà\u202f: trois\n",
	want: []line{{"Anne", "un", 1000, 2000}, {"Anne", "Voilà : deux", 3000, 4000}, {"Anne", "Et voilà\u202f: trois", 5000, 6000}},
}, {
	claim: "With a space before the first colon, names have either form.",
	name:  "a.srt", in: "00:00:01.000 --> 00:00:02.000\nAnne : un\n\n00:00:03.000 --> 00:00:04.000\nLuc : deux\n\n00:00:05.000 --> 00:00:06.000\nAnne: trois\n",
	want: []line{{"Anne", "un", 1000, 2000}, {"Luc", "deux", 3000, 4000}, {"Anne", "trois", 5000, 6000}},
}, {
	claim: "LRC has the same names as SubRip.",
	name:  "a.lrc", in: "[00:01.00]Anne: un\n[00:03.00]Voilà : deux\n[00:04.00]Luc: trois\n[00:05.00]\n",
	want: []line{{"Anne", "un", 1000, 3000}, {"Anne", "Voilà : deux", 3000, 4000}, {"Luc", "trois", 4000, 5000}},
}, {
	claim: "Without a name before the first cue, a colon is text.",
	name:  "a.srt", in: "00:00:01.000 --> 00:00:02.000\nHe said\n\n00:00:03.000 --> 00:00:04.000\nNote: this\n",
	want: []line{{"", "He said", 1000, 2000}, {"", "Note: this", 3000, 4000}},
}, {
	claim: "Soundstage.",
	name:  "a.json", language: "en",
	in:   `{"recording_id":"r","language":"en","audio_duration":9,"utterances":[{"speaker":"Speaker 0","speaker_name":"Ada","text":"Hello there.","start":250,"end":950,"confidence":0.9,"words":[{"text":"Hello","start":250,"end":500,"confidence":0.8,"speaker":"Speaker 0"},{"text":"there.","start":500,"end":950,"confidence":1,"speaker":"Speaker 0"}]}]}`,
	want: []line{{"Speaker 0", "Hello there.", 250, 950}},
}, {
	claim: "AssemblyAI, with utterances.",
	name:  "a.json", language: "en",
	in:   `{"id":"x","language_code":"en_us","status":"completed","audio_duration":3.5,"text":"Hi. Ho.","words":[],"utterances":[{"speaker":"A","text":"Hi.","start":10,"end":20,"confidence":0.5,"words":[{"text":"Hi.","start":10,"end":20,"confidence":0.5,"speaker":"A"}]},{"speaker":"B","text":"Ho.","start":30,"end":40,"confidence":0.5,"words":[]}],"error":null}`,
	want: []line{{"A", "Hi.", 10, 20}, {"B", "Ho.", 30, 40}},
}, {
	claim: "AssemblyAI, without speakers: words become utterances.",
	name:  "a.json", language: "de",
	in:   `{"language_code":"de","audio_duration":9,"utterances":null,"words":[{"text":"Guten","start":10,"end":20,"speaker":null},{"text":"Tag.","start":30,"end":40,"speaker":null},{"text":"Ja.","start":5000,"end":5100}]}`,
	want: []line{{"", "Guten Tag.", 10, 40}, {"", "Ja.", 5000, 5100}},
}, {
	claim: "Deepgram, with utterances.",
	name:  "a.json", language: "es",
	in:   `{"metadata":{"duration":4.2},"results":{"channels":[{"detected_language":"es","alternatives":[{"transcript":"hola","words":[]}]}],"utterances":[{"start":0.5,"end":1.25,"confidence":0.9,"channel":0,"transcript":"Hola.","words":[{"word":"hola","punctuated_word":"Hola.","start":0.5,"end":1.25,"confidence":0.9,"speaker":1}],"speaker":1}]}}`,
	want: []line{{"Speaker 1", "Hola.", 500, 1250}},
}, {
	claim: "Deepgram, without utterances: two channels are two speakers.",
	name:  "a.json",
	in:    `{"results":{"channels":[{"alternatives":[{"words":[{"word":"yes","start":1,"end":2}]}]},{"alternatives":[{"words":[{"word":"no","punctuated_word":"No.","start":0.25,"end":0.5}]}]}]}}`,
	want:  []line{{"Speaker 1", "No.", 250, 500}, {"Speaker 0", "yes", 1000, 2000}},
}, {
	claim: "Deepgram, with channels and speakers: a label for each.",
	name:  "a.json",
	in:    `{"results":{"channels":[{"alternatives":[{"words":[{"word":"yes","start":1,"end":2,"speaker":0}]}]},{"alternatives":[]},{"alternatives":[{"words":[{"word":"no","start":3,"end":4,"speaker":1}]}]}]}}`,
	want:  []line{{"Speaker 0.0", "yes", 1000, 2000}, {"Speaker 2.1", "no", 3000, 4000}},
}, {
	claim: "Deepgram, with one channel and no speakers: no label.",
	name:  "a.json",
	in:    `{"results":{"channels":[{"alternatives":[{"words":[{"word":"yes","start":1,"end":2}]}]}]}}`,
	want:  []line{{"", "yes", 1000, 2000}},
}, {
	claim: "Deepgram, with utterances and without channels.",
	name:  "a.json",
	in:    `{"results":{"channels":[],"utterances":[{"start":1,"end":2,"transcript":"yes","words":[]}]}}`,
	want:  []line{{"", "yes", 1000, 2000}},
}, {
	claim: "AssemblyAI, its sentences.",
	name:  "a.json",
	in:    `{"sentences":[{"text":"Hi there.","start":10,"end":20,"confidence":0.5,"words":[{"text":"Hi","start":10,"end":14,"confidence":0.5,"speaker":"A"},{"text":"there.","start":14,"end":20,"confidence":0.5,"speaker":"A"}],"speaker":"A","channel":null}],"id":"x","confidence":0.9,"audio_duration":3.5}`,
	want:  []line{{"A", "Hi there.", 10, 20}},
}, {
	claim: "AssemblyAI, its paragraphs.",
	name:  "a.json",
	in:    `{"id":"x","confidence":0.9,"audio_duration":3.5,"paragraphs":[{"text":"Hi. Ho.","start":10,"end":20,"confidence":0.5,"words":[]},{"text":"He.","start":30,"end":40,"confidence":0.5,"words":[]}]}`,
	want:  []line{{"", "Hi. Ho.", 10, 20}, {"", "He.", 30, 40}},
}, {
	claim: "Deepgram, in several languages, with paragraphs.",
	name:  "a.json", language: "de",
	in: `{"metadata":{"transaction_key":"deprecated","request_id":"x","sha256":"x","created":"2026-01-01T00:00:00.000Z","duration":2.5,"channels":1,"models":["x"],"model_info":{"x":{"name":"general","version":"1","arch":"nova-3"}}},` +
		`"results":{"channels":[{"alternatives":[{"transcript":"Ja. No.","confidence":0.99,"languages":["de","en"],"words":[{"word":"ja","start":0.5,"end":1,"confidence":0.9,"language":"de","punctuated_word":"Ja.","speaker":0,"speaker_confidence":0.7},{"word":"no","start":1.5,"end":2,"confidence":0.9,"language":"en","punctuated_word":"No.","speaker":1,"speaker_confidence":0.7}],` +
		`"paragraphs":{"transcript":"\nSpeaker 0: Ja.\n\nSpeaker 1: No.","paragraphs":[{"sentences":[{"text":"Ja.","start":0.5,"end":1}],"num_words":1,"start":0.5,"end":1,"speaker":0}]}}]}]}}`,
	want: []line{{"Speaker 0", "Ja.", 500, 1000}, {"Speaker 1", "No.", 1500, 2000}},
}, {
	claim: "The OpenAI API, with segments, and the name of the language.",
	name:  "a.json", language: "uk",
	in:   `{"task":"transcribe","language":"ukrainian","duration":3.2,"text":"Так. Ні.","words":[{"word":"Так","start":0.0,"end":0.5}],"segments":[{"id":0,"seek":0,"start":0.0,"end":1.5,"text":" Так.","tokens":[1],"temperature":0.0,"avg_logprob":-0.2,"compression_ratio":1.2,"no_speech_prob":0.01},{"id":1,"start":1.5,"end":3.2,"text":" Ні."}],"usage":{"type":"duration","seconds":4}}`,
	want: []line{{"", "Так.", 0, 1500}, {"", "Ні.", 1500, 3200}},
}, {
	claim: "The OpenAI API, with words alone.",
	name:  "a.json", language: "en",
	in:   `{"task":"transcribe","language":"english","duration":8.47,"text":"The beach. Really?","words":[{"word":"The","start":0.1,"end":0.24},{"word":"beach","start":0.24,"end":0.68},{"word":"Really","start":3.5,"end":4}],"usage":{"type":"duration","seconds":9}}`,
	want: []line{{"", "The beach", 100, 680}, {"", "Really", 3500, 4000}},
}, {
	claim: "The OpenAI API, with speakers.",
	name:  "a.json",
	in:    `{"task":"transcribe","duration":4.0,"text":"Hi. Ho.","segments":[{"type":"transcript.text.segment","id":"seg_001","start":0.0,"end":1.5,"text":"Hi.","speaker":"agent"},{"type":"transcript.text.segment","id":"seg_002","start":1.5,"end":4.0,"text":"Ho.","speaker":"A"}]}`,
	want:  []line{{"agent", "Hi.", 0, 1500}, {"A", "Ho.", 1500, 4000}},
}, {
	claim: "whisper-timestamped.",
	name:  "a.json", language: "fr",
	in:   `{"text":" Bonjour!","segments":[{"id":0,"start":0.5,"end":1.2,"text":" Bonjour!","confidence":0.51,"words":[{"text":"Bonjour!","start":0.5,"end":1.2,"confidence":0.51}]}],"language":"fr"}`,
	want: []line{{"", "Bonjour!", 500, 1200}},
}, {
	claim: "Members that have another meaning elsewhere don't matter.",
	name:  "a.json",
	in:    `{"speakers":["A"],"chunks":3,"sentences":"x","paragraphs":{},"duration":"4 s","segments":[{"start":3,"end":4,"text":"Three."}]}`,
	want:  []line{{"", "Three.", 3000, 4000}},
}, {
	claim: "A list of segments, as programs with faster-whisper write it.",
	name:  "a.json",
	in:    ` [{"id":1,"seek":0,"start":0.0,"end":2.5,"text":" One two.","words":[{"start":0.0,"end":1.0,"word":" One","probability":0.9},{"start":1.0,"end":2.5,"word":" two.","probability":0.8}]},{"start":3,"end":4,"text":"Three."}]`,
	want:  []line{{"", "One two.", 0, 2500}, {"", "Three.", 3000, 4000}},
}, {
	claim: "Transformers, with an open end.",
	name:  "a.json",
	in:    `{"text":" One two. Three.","chunks":[{"timestamp":[0.0,2.5],"text":" One two."},{"timestamp":[2.5,null],"text":" Three."}]}`,
	want:  []line{{"", "One two.", 0, 2500}, {"", "Three.", 2500, 2501}},
}, {
	claim: "insanely-fast-whisper, with speakers.",
	name:  "a.json",
	in:    `{"speakers":[{"speaker":"SPEAKER_00","text":" One two.","timestamp":[0.5,2.5]}],"chunks":[{"timestamp":[0.0,2.5],"text":" One two."}],"text":" One two."}`,
	want:  []line{{"SPEAKER_00", "One two.", 500, 2500}},
}, {
	claim: "Transformers, with words.",
	name:  "a.json",
	in:    `{"text":" One two. Three.","chunks":[{"timestamp":[0.0,0.5],"text":" One"},{"timestamp":[0.5,1.0],"text":" two."},{"timestamp":[4.0,4.5],"text":" Three."}]}`,
	want:  []line{{"", "One two.", 0, 1000}, {"", "Three.", 4000, 4500}},
}, {
	claim: "A line in brackets is a speaker, if text follows; a number in the middle of a cue is text.",
	name:  "a.srt", in: "1\n00:00:01,000 --> 00:00:02,000\n[Ada]\none\n2\n3\n\n4\n00:00:03,000 --> 00:00:04,000\n[music]\n",
	want: []line{{"Ada", "one 2 3", 1000, 2000}, {"Ada", "[music]", 3000, 4000}},
}, {
	claim: "A line that starts with a tag keeps its text; an unclosed tag hides the rest of the cue, as in browsers.",
	name:  "a.vtt", in: "WEBVTT\n\n00:01.000 --> 00:02.000\n<i>one</i>\n<\n\n00:03.000 --> 00:04.000\n<>two\n\n00:05.000 --> 00:06.000\nthree <v four\n",
	want: []line{{"", "one", 1000, 2000}, {"", "two", 3000, 4000}, {"", "three", 5000, 6000}},
}, {
	claim: "Only lines of Japanese on both sides are joined without a space.",
	name:  "a.vtt", in: "WEBVTT\n\n00:01.000 --> 00:02.000\nすべて\nall\nすべて\n",
	want: []line{{"", "すべて all すべて", 1000, 2000}},
}, {
	claim: "whisper.cpp, with tokens.",
	name:  "a.json", language: "en",
	in:   `{"systeminfo":"x","params":{"language":"auto"},"result":{"language":"en"},"transcription":[{"timestamps":{"from":"00:00:00,000","to":"00:00:01,000"},"offsets":{"from":0,"to":1000},"text":" And so","speaker_turn_next":true,"tokens":[{"text":"[_BEG_]","offsets":{"from":0,"to":0},"p":1},{"text":" A","offsets":{"from":10,"to":90},"p":0.9},{"text":"nd","offsets":{"from":90,"to":200},"p":0.9},{"text":" so","offsets":{"from":300,"to":500},"p":0.9}]},{"offsets":{"from":1000,"to":2000},"text":" on."}]}`,
	want: []line{{"Speaker 0", "And so", 0, 1000}, {"Speaker 1", "on.", 1000, 2000}},
}, {
	claim: "WhisperX, with a word that has no times.",
	name:  "a.json", language: "en",
	in:   `{"segments":[{"start":1.0,"end":3.0,"text":" In 1843 yes.","words":[{"word":"In","start":1.0,"end":1.5,"score":0.9,"speaker":"SPEAKER_01"},{"word":"1843"},{"word":"yes.","start":2.5,"end":3.0,"score":0.7}],"speaker":"SPEAKER_01"}],"word_segments":[],"language":"en"}`,
	want: []line{{"SPEAKER_01", "In 1843 yes.", 1000, 3000}},
}}

// Files of other tools are parsed correctly.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range parsed {
		p, err := formats.Parse(c.name, strings.NewReader(c.in))
		require.NoError(t, err, c.claim)
		require.Equal(t, c.want, linesOf(p), c.claim)
		require.Equal(t, c.language, p.Language, c.claim)
		require.GreaterOrEqual(t, p.Duration, p.Utterances[len(p.Utterances)-1].End)
	}
}

// Words are parsed too: joined from tokens, and with times even if a tool has none.
func TestParseWords(t *testing.T) {
	t.Parallel()
	words := map[string][]string{}
	for _, c := range parsed {
		p, err := formats.Parse(c.name, strings.NewReader(c.in))
		require.NoError(t, err)
		for _, u := range p.Utterances {
			for _, w := range u.Words {
				require.Less(t, w.Start, w.End)
				words[c.claim] = append(words[c.claim], w.Text)
			}
		}
	}
	require.Equal(t, []string{"And", "so"}, words["whisper.cpp, with tokens."])
	require.Equal(t, []string{"In", "1843", "yes."}, words["WhisperX, with a word that has no times."])
	require.Equal(t, []string{"Hola."}, words["Deepgram, with utterances."])
}

// A speaker of SubRip is a name of at most 60 characters with a colon, or a line in brackets with text below.
func TestParseSRTSpeakers(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("ñ", 60)
	for in, want := range map[string]line{
		name + ": one":       {name, "one", 1000, 2000},
		name + "ñ: one":      {"", name + "ñ: one", 1000, 2000},
		"[Ada]\none":         {"Ada", "one", 1000, 2000},
		"[Ada]\n\none":       {"Ada", "one", 1000, 2000},
		"[Ada]":              {"", "[Ada]", 1000, 2000},
		"[Ada\none":          {"", "[Ada one", 1000, 2000},
		"Ada]\none":          {"", "Ada] one", 1000, 2000},
		"Ada:one":            {"", "Ada:one", 1000, 2000},
		"Ada:\none":          {"Ada", "one", 1000, 2000},
		": one":              {"", ": one", 1000, 2000},
		"Yes, Ada: one":      {"", "Yes, Ada: one", 1000, 2000},
		"Really? Ada: one":   {"", "Really? Ada: one", 1000, 2000},
		"<b>Ada</b>: one":    {"Ada", "one", 1000, 2000},
		"  Ada: one":         {"Ada", "one", 1000, 2000},
		"Ada: one\nBob: two": {"Ada", "one Bob: two", 1000, 2000},
	} {
		p, err := formats.ParseSRT(strings.NewReader("1\n00:00:01,000 --> 00:00:02,000\n" + in + "\n"))
		require.NoError(t, err)
		require.Equal(t, []line{want}, linesOf(p), "%q", in)
	}
}

// Without a helpful name, the format is detected from the content: SubRip starts with a digit and has a time line.
func TestParseDetectsFormat(t *testing.T) {
	t.Parallel()
	srt := "\n 00:00:01,000 --> 00:00:02,000\none\n"
	for _, in := range []string{"1" + srt, "0" + srt, "9" + srt, strings.TrimSpace(srt), "\r\n\t 10" + srt, "WEBVTT\n\n1" + srt, `{"utterances":[{"text":"one","start":1000,"end":2000}]}`} {
		p, err := formats.Parse("upload", strings.NewReader(in))
		require.NoError(t, err, "%q", in)
		require.Equal(t, []line{{"", "one", 1000, 2000}}, linesOf(p), "%q", in)
	}
	for _, in := range []string{"", " \n", "x" + srt, "/" + srt, ":" + srt, "1. one\n2. two\n"} {
		_, err := formats.Parse("upload", strings.NewReader(in))
		require.Equal(t, "The file is not a supported transcript.", fault.Message(err), "%q", in)
	}
}

// The confidence of a WhisperX segment is the mean of its words'; without words it is 1.
func TestParseWhisperConfidence(t *testing.T) {
	t.Parallel()
	p, err := formats.Parse("a.json", strings.NewReader(`{"segments":[{"start":1,"end":3,"text":"a b","words":[{"word":"a","start":1,"end":2,"score":0.9},{"word":"b","start":2,"end":3,"probability":0.5}]},{"start":4,"end":5,"text":"c"}]}`))
	require.NoError(t, err)
	require.InDelta(t, 0.7, p.Utterances[0].Confidence, 1e-9)
	require.InDelta(t, 0.9, p.Utterances[0].Words[0].Confidence, 1e-9)
	require.InDelta(t, 0.5, p.Utterances[0].Words[1].Confidence, 1e-9)
	require.InDelta(t, 1, p.Utterances[1].Confidence, 1e-9)
}

// JSON with an utterance that ends before it starts is read, and that is reported.
func TestParseJSONBackwards(t *testing.T) {
	t.Parallel()
	p, err := formats.Parse("a.json", strings.NewReader(`{"segments":[{"start":1,"end":3,"text":"a"},{"start":4,"end":3.5,"text":"b"},{"start":5,"text":"c"}]}`))
	require.NoError(t, err)
	require.Equal(t, []line{{"", "a", 1000, 3000}, {"", "b", 4000, 4001}, {"", "c", 5000, 5001}}, linesOf(p))
	require.Equal(t, []formats.Problem{{Message: "utterance 2 ends at 00:00:03.500, before its start at 00:00:04.000."}}, p.Problems)
}

// A small file of the file system is parsed, too.
func TestParseOpenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.srt")
	require.NoError(t, os.WriteFile(path, []byte("1\n00:00:01,000 --> 00:00:02,000\none\n"), 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	p, err := formats.Parse("a.srt", f)
	require.NoError(t, err)
	require.Equal(t, []line{{"", "one", 1000, 2000}}, linesOf(p))
}

// A file without anything is an error in every format, whatever it is named.
func TestParseEmpty(t *testing.T) {
	t.Parallel()
	for _, extension := range []string{"srt", "ass", "lrc", "vtt", "ttml", "stl", "json", "txt"} {
		for _, in := range []string{"", "\ufeff", " \r\n\n"} {
			_, err := formats.Parse("a."+extension, strings.NewReader(in))
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%s %q", extension, in)
			_, err = formats.Check("a."+extension, strings.NewReader(in), formats.CheckOptions{})
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%s %q", extension, in)
		}
	}
	_, err := formats.ParseSRT(strings.NewReader(""))
	require.Equal(t, "line 1, column 1: the file is empty.", fault.Message(err))
	for _, in := range []string{"[]", " [ ]\n"} {
		_, err := formats.Parse("a.json", strings.NewReader(in))
		require.Equal(t, "line 1, column 1: the JSON is an empty list.", fault.Message(err))
	}
	p, err := formats.Parse("a.vtt", strings.NewReader("WEBVTT\n")) // nobody speaks
	require.NoError(t, err)
	require.Empty(t, p.Utterances)
}

// An invalid file is an error with its position.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"a.vtt", "", "line 1, column 1: a WebVTT file must start with WEBVTT."},
		{"a.vtt", "WEBVTTX\n", "line 1, column 1: a WebVTT file must start with WEBVTT."},
		{"a.vtt", "WEBVTT\n\n1\n00:00:01.000 --> 00:00:0x.000\nx\n", "line 4, column 18: expected a time like 00:00:01.000; the cue was skipped."},
		{"a.vtt", "WEBVTT\n\n1\n00:00:01.000 -> 00:00:02.000\nx\n", "line 3: text without a time line was skipped."},
		{"a.vtt", "WEBVTT\n\nwhat is this\n\n", "line 3: text without a time line was skipped."},
		{"a.srt", "1\n00:00:01 --> 00:00:02,000\nx\n", "line 2, column 9: expected a time like 00:00:01.000; the cue was skipped."},
		{"a.srt", "1\n00:00:01,000 --> 00:00:02\nx\n", "line 2, column 26: expected a time like 00:00:01.000; the cue was skipped."},
		{"a.srt", "1\n00:00:01,000 --> 00:00:02,\nx\n", "line 2, column 27: expected a time like 00:00:01.000; the cue was skipped."},
		{"a.srt", "1\n00:00:01,000 --> 00:00:\nx\n", "line 2, column 24: expected a time like 00:00:01.000; the cue was skipped."},
		{"a.srt", "1\n00:00:01,000 --> 1:2:3:4,0\nx\n", "line 2, column 23: expected a time like 00:00:01.000; the cue was skipped."},
		{"a.srt", "hello\n", "line 1, column 1: expected a cue number or a time line; the text was skipped."},
		{"a.json", "{\n  \"utterances\": [\n    {]\n", "line 3, column 6: invalid JSON: invalid character ']' looking for beginning of object key string."},
		{"a.json", "{\"utterances\": [\n{\"text\": 7}]}", "line 2, column 10: utterances.text can't be a number."},
		{"a.json", "{\"segments\": 3}", "line 1, column 14: segments can't be a number."},
		{"a.json", "{\"chunks\": [\n{\"text\": 7}]}", "line 2, column 10: chunks.text can't be a number."},
		{"a.json", "[\n{\"text\": 7}]", "line 2, column 10: text can't be a number."},
		{"a.json", "{}", "line 1, column 1: the JSON is not a known transcript format."},
		{"a.json", "", "line 1, column 1: invalid JSON: unexpected end of JSON input."},
		{"a.json", `{"status":"error","error":"x","utterances":null}`, "line 1, column 1: the transcript is not completed: its status is error."},
		{"a.doc", "hello", "The file is not a supported transcript."},
	} {
		_, err := formats.Parse(c.name, strings.NewReader(c.in))
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), c.in)
		require.Equal(t, c.want, fault.Message(err), c.in)
	}
}

// UTF-16 files of Windows tools are parsed too.
func TestParseUTF16(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune("\uFEFF1\r\n00:00:01,000 --> 00:00:02,000\r\nžluť 𠮷\r\n")) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	p, err := formats.ParseSRT(&b)
	require.NoError(t, err)
	require.Equal(t, []line{{"", "žluť 𠮷", 1000, 2000}}, linesOf(p))
}

// Our JSON parses back completely and is written again with the same bytes, in every language.
func TestRoundTripJSON(t *testing.T) {
	t.Parallel()
	bad, badOptions := hostile()
	usual, usualOptions := interview()
	check := func(tr transcript.Transcript, o formats.Options) {
		first := write(t, "json", tr, o)
		p, err := formats.ParseJSON(bytes.NewReader(first))
		require.NoError(t, err)
		again := write(t, "json", p.Transcript, formats.Options{RecordingID: p.RecordingID, Names: p.Names})
		a, b := formats.Document{}, formats.Document{}
		require.NoError(t, json.Unmarshal(first, &a))
		require.NoError(t, json.Unmarshal(again, &b))
		a.AudioDuration, b.AudioDuration = 0, 0 // the file has whole seconds
		require.Equal(t, a, b)
	}
	check(bad, badOptions)
	check(usual, usualOptions)
	for _, language := range transcript.Languages() {
		check(passage(t, language), formats.Options{})
	}
}

// Our cues parse back with the same times, speakers and text, however hostile.
func TestRoundTripCaptions(t *testing.T) {
	t.Parallel()
	bad, badOptions := hostile()
	check := func(tr transcript.Transcript, o formats.Options) {
		for _, f := range []string{"vtt", "srt"} {
			p, err := formats.Parse("a."+f, bytes.NewReader(write(t, f, tr, o)))
			require.NoError(t, err)
			o.Captions.SpeakerPrefix, o.Captions.Flat, o.Captions.Dialogues = f == "srt", f == "srt", true
			cues := captions.Build(tr, o.Names, o.Captions)
			var want []string // of each utterance
			var times [][]time.Duration
			for _, c := range cues {
				texts := []string{c.Text()}
				if c.Dialogue() { // each line is an utterance
					texts = []string{c.Lines[0].Text[2:], c.Lines[1].Text[2:]}
				}
				for _, text := range texts {
					want, times = append(want, letters(text)), append(times, []time.Duration{c.Start, c.End})
				}
			}
			require.Len(t, p.Utterances, len(want))
			for i, u := range p.Utterances {
				require.Equal(t, times[i], []time.Duration{u.Start, u.End})
				if f == "vtt" {
					require.Equal(t, want[i], letters(u.Text))
				}
			}
		}
	}
	check(bad, badOptions)
	for _, language := range transcript.Languages() {
		tr := passage(t, language)
		check(tr, formats.Options{})
		for _, f := range []string{"vtt", "srt"} {
			p, err := formats.Parse("a."+f, bytes.NewReader(write(t, f, tr, formats.Options{})))
			require.NoError(t, err)
			require.Equal(t, lettersOf(tr), lettersOf(p.Transcript), "%s %s", f, language)
			require.Equal(t, tr.Labels(), p.Labels())
		}
	}
}

// A parser returns an error or a transcript that every writer accepts, for any bytes.
func FuzzParse(f *testing.F) {
	for _, c := range parsed {
		f.Add(c.name, c.in)
	}
	for _, c := range vttRules {
		f.Add("a.vtt", c.in)
	}
	for _, c := range txtFiles {
		f.Add("a.txt", c.in)
	}
	for _, c := range stlFiles {
		f.Add("a.stl", c.in)
	}
	for _, c := range lrcFiles {
		f.Add("a.lrc", c.in)
	}
	for _, c := range assFiles {
		f.Add("a.ass", c.in)
	}
	f.Add("a.ttml", tt("", `<body><div><p begin="1s" end="2s">a<br/>b</p></div></body>`))
	bad, o := hostile()
	for _, format := range textFormats {
		f.Add("a."+format, string(write(f, format, bad, o)))
	}
	f.Add("a.vtt", "WEBVTT\n\n1\n-->\n")
	f.Add("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v>\n<\n")
	f.Fuzz(func(t *testing.T, name, in string) {
		p, err := formats.Parse(name, strings.NewReader(in))
		if err != nil {
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
			return
		}
		// The transcript can be written, and parsed again with the same text.
		for _, format := range textFormats {
			write(t, format, p.Transcript, formats.Options{Names: p.Names})
		}
		again, err := formats.ParseJSON(bytes.NewReader(write(t, "json", p.Transcript, formats.Options{RecordingID: p.RecordingID, Names: p.Names})))
		require.NoError(t, err)
		require.Equal(t, lettersOf(p.Transcript), lettersOf(again.Transcript))
	})
}

// The lines of a dialogue are utterances of their own. Other dashes are text.
func TestParseDialogue(t *testing.T) {
	t.Parallel()
	const srt = "1\n00:00:01,000 --> 00:00:02,000\nAnn: Ready?\n\n2\n00:00:02,100 --> 00:00:03,000\n- Bob: No.\n- Ann: Hm.\n\n" +
		"3\n00:00:04,000 --> 00:00:05,000\n- One\nmore.\n\n4\n00:00:06,000 --> 00:00:07,000\n- Alone.\n"
	const vtt = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ann>Ready?\n\n00:00:02.100 --> 00:00:03.000\n<v Bob>- No.</v>\n<v Ann>- Hm.</v>\n\n" +
		"00:00:04.000 --> 00:00:05.000\n<v Ann>- One\nmore.\n\n00:00:06.000 --> 00:00:07.000\n<v Ann>- Alone.\n"
	for name, text := range map[string]string{"a.srt": srt, "a.vtt": vtt} {
		p, err := formats.Parse(name, strings.NewReader(text))
		require.NoError(t, err)
		var got []string
		for _, u := range p.Utterances {
			got = append(got, u.Speaker+": "+u.Text)
		}
		require.Equal(t, []string{"Ann: Ready?", "Bob: No.", "Ann: Hm.", "Ann: - One more.", "Ann: - Alone."}, got, name)
	}
}

// Negative times in JSON become 0, and that is reported, once for the words of an utterance.
func TestParseJSONNegative(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		`{"audio_duration":-3,"utterances":[{"text":"a","start":-500,"end":1000},{"text":"b","start":2000,"end":3000}]}`: {"utterance 1 is at -0.5 to 1 s; negative times became 0."},
		`{"segments":[{"start":0,"end":3,"text":"a b c","words":[{"word":"a","start":-1,"end":1},{"word":"b","start":-2,"end":2},{"word":"c","start":2,"end":3}]}]}`: {
			`the word "a" of utterance 1 is at -1 to 1 s; negative times became 0.`},
		`{"transcription":[{"offsets":{"from":-1000,"to":-10},"text":"a"}]}`:                                         {"utterance 1 is at -1 to -0.01 s; negative times became 0."},
		`{"results":{"channels":[],"utterances":[{"start":-1e300,"end":1,"transcript":"a"}]}}`:                       {"utterance 1 is at -3.6e+07 to 1 s; negative times became 0."},
		`{"results":{"channels":[{"alternatives":[{"words":[{"word":"a","start":-0.25,"end":0.5}]}]}]}}`:             {"utterance 1 is at -0.25 to 0.5 s; negative times became 0.", `the word "a" of utterance 1 is at -0.25 to 0.5 s; negative times became 0.`},
		`{"segments":[{"start":0,"end":3,"text":"a","words":[{"word":"a","start":0,"end":1}]}],"audio_duration":-1}`: nil,
	} {
		p, err := formats.Parse("a.json", strings.NewReader(in))
		require.NoError(t, err, in)
		var got []string
		for _, problem := range p.Problems {
			got = append(got, problem.String())
		}
		require.Equal(t, want, got, in)
		require.GreaterOrEqual(t, p.Duration, time.Duration(0))
		for _, u := range p.Utterances {
			require.GreaterOrEqual(t, u.Start, time.Duration(0))
			require.Greater(t, u.End, u.Start)
		}
	}
}
