package formats_test

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

//go:embed testdata/languages/*.txt
var languageTexts embed.FS

// wordsIn returns the words of a passage of the Universal Declaration of Human Rights, slightly extended.
func wordsIn(t testing.TB, language transcript.Language) []string {
	t.Helper()
	text, err := languageTexts.ReadFile("testdata/languages/" + string(language) + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// say returns an utterance of timed words: 300 ms each, 50 ms apart.
func say(speaker string, start time.Duration, words ...string) transcript.Utterance {
	u := transcript.Utterance{Speaker: speaker, Start: start, Confidence: 0.9}
	for i, w := range words {
		from := start + time.Duration(i)*350*time.Millisecond
		u.Words = append(u.Words, transcript.Word{Text: w, Start: from, End: from + 300*time.Millisecond, Confidence: 0.9, Speaker: speaker})
		u.End = from + 300*time.Millisecond
	}
	u.Text = strings.Join(words, " ")
	return u
}

// spoken returns a transcript of utterances, with text joined by the language's rules.
func spoken(language transcript.Language, utterances ...transcript.Utterance) transcript.Transcript {
	t := transcript.Transcript{Language: language, Utterances: utterances}
	for i, u := range utterances {
		if len(u.Words) > 0 {
			t.Utterances[i].Text = transcript.JoinWords(u.Words, language)
		}
		t.Duration = max(t.Duration, u.End)
	}
	return t
}

// passage returns the language's text as a conversation of two speakers.
func passage(t testing.TB, language transcript.Language) transcript.Transcript {
	t.Helper()
	words := wordsIn(t, language)
	half := len(words) / 2
	return spoken(language,
		say("Speaker 0", time.Second, words[:half]...),
		say("Speaker 1", time.Second+time.Duration(half)*350*time.Millisecond, words[half:]...),
	)
}

// talk returns synthetic speech of the given number of hours, with 10,000 words and 500 utterances per hour, sentences of
// natural length, and pauses at punctuation. It is deterministic.
func talk(t testing.TB, language transcript.Language, hours float64) transcript.Transcript {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(len(language))))
	vocabulary := wordsIn(t, language)
	for i, w := range vocabulary {
		vocabulary[i] = strings.TrimRight(w, ".,;:?!。、，।：")
	}
	stop, comma := ".", ","
	switch language {
	case "ja":
		stop, comma = "。", "、"
	case "zh":
		stop, comma = "。", "，"
	case "hi":
		stop = "।"
	}
	zipf := rand.NewZipf(r, 1.1, 8, uint64(len(vocabulary)-1))
	at := time.Second
	var utterances []transcript.Utterance
	for range int(500 * hours) {
		u := transcript.Utterance{Speaker: fmt.Sprintf("Speaker %d", r.IntN(3)), Start: at, Confidence: 0.91}
		for left := 20; left > 0; {
			n := min(left, 5+r.IntN(10))
			if left-n < 4 {
				n = left
			}
			left -= n
			for i := range n {
				word := vocabulary[zipf.Uint64()]
				pause := 30 * time.Millisecond
				switch {
				case i == n-1:
					word, pause = word+stop, time.Duration(300+r.IntN(500))*time.Millisecond
				case i > 2 && i < n-3 && r.IntN(5) == 0:
					word, pause = word+comma, time.Duration(100+r.IntN(200))*time.Millisecond
				}
				length := time.Duration(140+r.IntN(220)) * time.Millisecond
				u.Words = append(u.Words, transcript.Word{Text: word, Start: at, End: at + length, Confidence: 0.91, Speaker: u.Speaker})
				u.End = at + length
				at += length + pause
			}
		}
		utterances = append(utterances, u)
		at += time.Duration(r.IntN(400)) * time.Millisecond
	}
	return spoken(language, utterances...)
}

// hostile returns a transcript with every known problem.
func hostile() (transcript.Transcript, formats.Options) {
	text := func(speaker string, start, end time.Duration, text string) transcript.Utterance {
		return transcript.Utterance{Speaker: speaker, Start: start, End: end, Text: text, Confidence: 0.5}
	}
	const s = time.Second
	t := transcript.Transcript{Language: "en", Duration: 124 * time.Hour, Utterances: []transcript.Utterance{
		text("Speaker 1", 2*s, 4*s, "nul\x00 bell\a tab\tvt\vff\fnel\u0085bom\uFEFF end"),      // T1
		text("Speaker 0", 5*s, 6*s, "bad \xff\xfe utf8 and a surrogate \xed\xa0\x80 here"),     // T2
		text("Speaker 0", 7*s, 8*s, "two\n\nlines\r\rand\u2028sep\u2029par"),                   // T3
		text("Speaker 1", -5*s, -4*s, "negative start"),                                        // T4
		text("Speaker 0", 20*s, 10*s, "end before start"),                                      // T5
		text("Speaker 0", 21*s, 21*s, "end equals start"),                                      // T6
		text("Speaker 1", 1*s, 2*s, "out of order"),                                            // T7
		text("Speaker 0", 123*time.Hour+4500*time.Millisecond, 123*time.Hour+6*s, "very late"), // T8
		text("Speaker 0", 30999900*time.Microsecond, 32*s, "rounding"),                         // T9
		text("", 33*s, 34*s, "nobody speaks"),                                                  // T14
		text("Speaker 0", 35*s, 36*s, "a --> b"),                                               // V1
		text("Speaker 0", 37*s, 38*s, "c > d"),                                                 // V2
		text("Speaker 0", 39*s, 41*s, "R&D a < b <b>x</b> &amp; &lt; &nbsp;"),                  // V3
		text("Speaker 2", 42*s, 43*s, "a name of trouble"),                                     // V5, V6
		text("Speaker 0", 44*s, 45*s, "NOTE x"),                                                // V7
		text("Speaker 0", 46*s, 47*s, "WEBVTT"),
		text("Speaker 0", 48*s, 49*s, "42"),
		text("Speaker 0", 50*s, 51*s, "00:00:01.000 --> 00:00:02.000"),
		text("Speaker 0", 52*s, 53*s, "Bonjour\u00a0! R&D"),              // S1
		text("Speaker 0", 54*s, 55*s, "{y:i} and List<String>"),          // S4
		text("Speaker 0", 56*s, 57*s, `she said "hi, there"; then left`), // C1
		text("Speaker 0", 58*s, 59*s, `=HYPERLINK("http://x")`),          // C2
		text("Speaker 0", 60*s, 61*s, "+1"),
		text("Speaker 0", 62*s, 63*s, "- a dash"),
		text("Speaker 0", 64*s, 65*s, "＝1"),
		text("Speaker 3", 66*s, 67*s, "@SUM(1)"),
		text("Speaker 0", 68*s, 75*s, strings.Repeat("longword", 38)), // T13
		text("Speaker 0", 76*s, 77*s, "see ]]> and \uFFFE\uFFFF and emoji 👩‍👩‍👧 𠮷野家 e\u0301"),
		text("Speaker 0", 78*s, 79*s, "   "),
		text("Speaker 0", 80*s, 81*s, "שלום עולם said he"),
	}}
	mixed := say("Speaker 0", 82*s, "words", "with", "and", "without", "times")
	mixed.Words[2].Start, mixed.Words[2].End = 0, 0 // T12
	mixed.Words[4].End = mixed.Words[4].Start - s
	t.Utterances = append(t.Utterances, mixed)
	return t, formats.Options{
		RecordingID: "rec-1",
		Title:       "Hostile <&\"'> \x00title\n",
		Names:       map[string]string{"Speaker 1": `O"Brien & <Sons>`, "Speaker 2": "A>B & C\nnext", "Speaker 3": "=cmd()", "Speaker 9": "nobody"},
	}
}
