package formats_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// A tag or a name is the language of the service, if it has it, and else a tag in canonical form.
func TestLanguage(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]transcript.Language{
		"en": "en", "EN": "en", "en-US": "en", "en_us": "en", "eng": "en", "English": "en", " de ": "de", "nb-NO": "no", "cmn-Hans-CN": "zh", "in": "id",
		"chinese": "zh", "nynorsk": "no",
		"ar": "ar", "AR": "ar", "ara": "ar", "ar_EG": "ar-EG", "arabic": "ar", "he": "he", "iw": "he", "th": "th", "sr-latn-rs": "sr-Latn-RS", "yue": "yue",
		"haitian creole": "ht", "ca-valencia": "ca-valencia",
		"": "", "und": "", "x-private": "", "klingonese": "", "c": "", "ar\"><b>": "", strings.Repeat("ar-", 1<<20): "",
	} {
		require.Equal(t, want, formats.Language(tag), "%.40q", tag)
	}
	for _, l := range transcript.Languages() {
		require.Equal(t, l, formats.Language(l.Name()))
	}
}

// Files in every format that states a language keep it, also one that the service doesn't have.
func TestParsedLanguage(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"service.json":  `{"recording_id":"x","language":"ar","utterances":[{"speaker":"A","text":"مرحبا","start":0,"end":900}]}`,
		"whisper.json":  `{"text":"مرحبا","language":"ar","segments":[{"start":0,"end":1,"text":"مرحبا"}]}`,
		"openai.json":   `{"text":"مرحبا","language":"arabic","segments":[{"start":0,"end":1,"text":"مرحبا"}]}`,
		"assembly.json": `{"language_code":"ar","audio_duration":1,"utterances":[{"speaker":"A","text":"مرحبا","start":0,"end":900,"words":[]}]}`,
		"cpp.json":      `{"result":{"language":"ar"},"transcription":[{"offsets":{"from":0,"to":900},"text":"مرحبا"}]}`,
		"header.vtt":    "WEBVTT\nLanguage: ar\n\n00:00.000 --> 00:01.000\nمرحبا\n",
		"script.ass":    "[Script Info]\nLanguage: ar\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:00.00,0:00:01.00,,,0,0,0,,مرحبا\n",
		"song.lrc":      "[la:ar]\n[00:00.00]مرحبا\n[00:01.00]\n",
		"timed.ttml":    `<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="ar"><body><div><p begin="0s" end="1s">مرحبا</p></div></body></tt>`,
		"deepgram.json": `{"results":{"channels":[{"detected_language":"ar","alternatives":[{"transcript":"مرحبا","words":[{"word":"مرحبا","start":0,"end":1,"confidence":1}]}]}]}}`,
	} {
		parsed, err := formats.Parse(name, strings.NewReader(text))
		require.NoError(t, err, name)
		require.Equal(t, transcript.Language("ar"), parsed.Language, name)
	}
}

// Exports state a language that the service doesn't have, and differ in nothing else from those of an unknown language. A text that is no tag
// is never written.
func TestOtherLanguage(t *testing.T) {
	t.Parallel()
	written := func(f formats.Format, l transcript.Language) string {
		words := []transcript.Word{{Text: "Hello", End: time.Second}, {Text: "مرحبا", Start: time.Second, End: 2 * time.Second}}
		if f.Name == "stl" { // has no Arabic
			words[1].Text = "again"
		}
		tr := transcript.Transcript{Language: l, Duration: 2 * time.Second, Utterances: []transcript.Utterance{{Text: transcript.JoinWords(words, l), Words: words, End: 2 * time.Second}}}
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, tr, formats.Options{Title: "x"}))
		return b.String()
	}
	for _, f := range formats.All() {
		name := f.Name
		switch name {
		case "docx":
			all := parts(t, []byte(written(f, "ar-EG")))
			require.Contains(t, all["docProps/core.xml"], "<dc:language>ar-EG</dc:language>")
			require.Contains(t, all["word/styles.xml"], `w:bidi="ar-EG"`)
		case "pdf":
			require.Contains(t, written(f, "ar-EG"), "<dc:language><rdf:Bag><rdf:li>ar-EG</rdf:li>")
		case "xlsx":
		default:
			same := strings.NewReplacer("[la:ar-EG]\n", "", "Language: ar-EG\r\n", "", `"ar-EG" dir="rtl"`, `"und" dir="ltr"`, `"language":"ar-EG"`, `"language":null`, "ar-EG", "und")
			require.Equal(t, written(f, ""), same.Replace(written(f, "ar-EG")), name)
		}
		if name != "json" && name != "lrc" { // which escape any text
			require.NotContains(t, written(f, `ar"/><evil a="`), "evil", name)
		}
	}
	html, ok := formats.Lookup("html")
	require.True(t, ok)
	require.Contains(t, written(html, "ar-EG"), `<html lang="ar-EG" dir="rtl">`)
	ttml, ok := formats.Lookup("ttml")
	require.True(t, ok)
	require.Contains(t, written(ttml, "ar-EG"), `xml:lang="ar-EG"`)
}
