package openai_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

func said(text string, start, end time.Duration, confidence float64) transcript.Word {
	return transcript.Word{Text: text, Start: start * time.Millisecond, End: end * time.Millisecond, Confidence: confidence}
}

func guessed(text string, start, end time.Duration, confidence float64) transcript.Word {
	w := said(text, start, end, confidence)
	w.Estimated = true
	return w
}

// Answers of all forms become words, also with missing words or missing times.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		language transcript.Language
		answer   string
		want     []transcript.Word
	}{
		"bare words and a text with punctuation": {"", `{"language":"english","text":"Well, that's it. Really?","segments":[
			{"text":" Well, that's it.","start":0,"end":1.5,"avg_logprob":0},{"text":" Really?","start":1.5,"end":2.5,"avg_logprob":0}],
			"words":[{"word":"Well","start":0,"end":0.4},{"word":"that's","start":0.5,"end":0.9},{"word":"it","start":1,"end":1.4},{"word":"Really","start":1.6,"end":2.2}]}`,
			[]transcript.Word{said("Well,", 0, 400, 1), said("that's", 500, 900, 1), said("it.", 1000, 1400, 1), said("Really?", 1600, 2200, 1)}},
		"words with other boundaries": {"", `{"segments":[{"text":"A well-known, e-mail I can not go.","start":0,"end":3}],"words":[{"word":"A","start":0,"end":0.1},
			{"word":"well","start":0.1,"end":0.2},{"word":"known","start":0.3,"end":0.4},{"word":"email","start":0.5,"end":0.9},{"word":"I","start":1,"end":1.1},
			{"word":"cannot","start":1.2,"end":1.8},{"word":"go","start":1.9,"end":2}]}`,
			[]transcript.Word{said("A", 0, 100, 1), said("well-known,", 100, 400, 1), said("e-mail", 500, 900, 1), said("I", 1000, 1100, 1), guessed("can", 1200, 1500, 1),
				guessed("not", 1500, 1800, 1), said("go.", 1900, 2000, 1)}},
		"words that differ": {"", `{"segments":[{"text":"It costs $20, they said, today.","start":0,"end":3}],"words":[{"word":"It","start":0,"end":0.1},{"word":"costs","start":0.1,"end":0.4},
			{"word":"twenty","start":0.5,"end":0.9},{"word":"dollars","start":1,"end":1.4},{"word":"they","start":1.5,"end":1.6},{"word":"said","start":1.7,"end":1.9},{"word":"today","start":2,"end":2.5}]}`,
			[]transcript.Word{said("It", 0, 100, 1), said("costs", 100, 400, 1), said("twenty", 500, 900, 1), said("dollars", 1000, 1400, 1), said("they", 1500, 1600, 1),
				said("said,", 1700, 1900, 1), said("today.", 2000, 2500, 1)}},
		"a text with untimed words": {"", `{"segments":[{"text":"One two three four five.","start":0,"end":3}],"words":[{"word":"One","start":0,"end":0.5},{"word":"four","start":1.5,"end":2},{"word":"five","start":2,"end":2.5}]}`,
			[]transcript.Word{said("One", 0, 500, 1), guessed("two", 500, 875, 1), guessed("three", 875, 1500, 1), said("four", 1500, 2000, 1), said("five.", 2000, 2500, 1)}},
		"more times than the text has words": {"", `{"text":"One two.","words":[{"word":"One","start":0,"end":0.5},{"word":"uh","start":0.6,"end":0.7},{"word":"two","start":1,"end":1.5},{"word":"three","start":1.6,"end":2}]}`,
			[]transcript.Word{said("One", 0, 500, 1), said("uh", 600, 700, 1), said("two.", 1000, 1500, 1), said("three", 1600, 2000, 1)}},
		"words alone":    {"", `{"words":[{"word":" One","start":0,"end":0.5},{"word":" two","start":"0.5","end":1}]}`, []transcript.Word{said("One", 0, 500, 1), said("two", 500, 1000, 1)}},
		"segments alone": {"", `{"segments":[{"text":"One two","start":1,"end":1.6,"avg_logprob":-0.6931472},{"text":"","start":2,"end":3}]}`, []transcript.Word{guessed("One", 1000, 1300, 0.5), guessed("two", 1300, 1600, 0.5)}},
		"a text alone":   {"", `{"text":"ab cd"}`, []transcript.Word{guessed("ab", 0, 1500, 1), guessed("cd", 1500, 3000, 1)}},
		"nothing":        {"", `{"words":[]}`, nil},
		"an empty text":  {"", `{"text":" ","segments":[],"words":null,"language":null}`, nil},
		"tokens": {"", `{"segments":[{"text":" That's it, isn't it?","start":0,"end":2,"avg_logprob":-1,"words":[{"word":"[_BEG_]","start":0,"end":0,"probability":0.9},
			{"word":" That","start":0,"end":0.2,"probability":0.8},{"word":"'s","start":0.2,"end":0.3,"probability":0.4},{"word":" it","start":0.3,"end":0.5,"probability":0.5},
			{"word":",","start":0.5,"end":0.9,"probability":0.1},{"word":" is","start":1,"end":1.1,"probability":0.7},{"word":"n","start":1.1,"end":1.2,"probability":0.7},
			{"word":"'t","start":1.2,"end":1.3,"probability":0.7},{"word":" it","start":1.3,"end":1.6,"probability":1},{"word":"?","start":1.6,"end":2,"probability":1},{"word":"[_TT_100]","start":2,"end":2,"probability":0.1}]}]}`,
			[]transcript.Word{said("That's", 0, 300, 0.6), said("it,", 300, 500, 0.3), said("isn't", 1000, 1300, 0.7), said("it?", 1300, 1600, 1)}},
		"tokens without a text": {"", `{"segments":[{"text":"","start":0,"end":2,"words":[{"word":" Sound","start":0,"end":0.2},{"word":"stage","start":0.2,"end":0.5},{"word":".","start":0.5,"end":0.6},{"word":" It","start":0.6,"end":0.8}]}]}`,
			[]transcript.Word{said("Soundstage.", 0, 500, 1), said("It", 600, 800, 1)}},
		"tokens with invalid times": {"", `{"segments":[{"text":" Ab cd","start":0,"end":2,"words":[{"word":" A","start":-0.01,"end":-0.01},{"word":"b","start":NaN,"end":0.4},{"word":" cd","start":1,"end":1.5}]}]}`,
			[]transcript.Word{said("Ab", 0, 400, 1), said("cd", 1000, 1500, 1)}},
		"blank audio": {"", `{"text":" [BLANK_AUDIO]","segments":[{"text":" [BLANK_AUDIO]","start":0,"end":2,"words":[{"word":" [","start":0,"end":0.2},{"word":"BL","start":0,"end":0.2},{"word":"ANK","start":0,"end":0.2},
			{"word":"_","start":0,"end":0.2},{"word":"AUDIO","start":0,"end":0.2},{"word":"]","start":0,"end":0.2}]},{"text":" Hm.","start":2,"end":3,"words":[{"word":" H","start":2,"end":2.2},{"word":"m","start":2.2,"end":2.4},{"word":".","start":2.4,"end":2.6}]}]}`,
			[]transcript.Word{said("Hm.", 2000, 2400, 1)}},
		"Chinese tokens": {"zh", `{"segments":[{"text":"你好世界。","start":0,"end":2,"words":[{"word":"你好","start":0,"end":0.4},{"word":"世","start":0.5,"end":0.7},{"word":"界","start":0.7,"end":0.9},{"word":"。","start":0.9,"end":1.2}]}]}`,
			[]transcript.Word{guessed("你", 0, 200, 1), guessed("好", 200, 400, 1), said("世", 500, 700, 1), said("界。", 700, 900, 1)}},
		"Japanese tokens without a text": {"ja", `{"segments":[{"text":"","start":0,"end":2,"words":[{"word":"今日","start":0,"end":0.4},{"word":"は","start":0.4,"end":0.5},{"word":"食","start":0.5,"end":0.7},{"word":"べる","start":0.7,"end":0.9},{"word":"。","start":0.9,"end":1}]}]}`,
			[]transcript.Word{said("今日", 0, 400, 1), said("は", 400, 500, 1), said("食べる。", 500, 900, 1)}},
		"split characters": {"zh", "{\"segments\":[{\"text\":\"你好世界\",\"start\":0,\"end\":2,\"words\":[{\"word\":\"你\",\"start\":0,\"end\":0.4},{\"word\":\"\uFFFD\",\"start\":0.4,\"end\":0.6},{\"word\":\"\uFFFD\",\"start\":0.6,\"end\":0.8},{\"word\":\"世\",\"start\":0.8,\"end\":1},{\"word\":\"界\",\"start\":1,\"end\":1.2}]}]}",
			[]transcript.Word{said("你", 0, 400, 1), said("好", 400, 800, 1), said("世", 800, 1000, 1), said("界", 1000, 1200, 1)}},
		"an invented segment": {"", `{"segments":[{"text":"Hello.","start":0,"end":1,"avg_logprob":-0.2,"no_speech_prob":0.9},{"text":"Thanks for watching!","start":1,"end":2,"avg_logprob":-1.2,"no_speech_prob":0.8},
			{"text":"Bye.","start":2,"end":3,"avg_logprob":-1.2,"no_speech_prob":0.3}],"words":[{"word":"Hello","start":0,"end":0.9},{"word":"Thanks","start":1,"end":1.2},{"word":"for","start":1.2,"end":1.4},{"word":"watching","start":1.4,"end":1.9},{"word":"Bye","start":2,"end":2.5}]}`,
			[]transcript.Word{said("Hello.", 0, 900, 0.8187), said("Bye.", 2000, 2500, 0.3012)}},
		"speakers": {"", `{"segments":[{"text":"Hi you.","start":0,"end":1,"speaker":"B"},{"text":"Hi.","start":1,"end":2,"speaker":"A"}]}`,
			[]transcript.Word{{Text: "Hi", End: 333 * time.Millisecond, Confidence: 1, Speaker: "Speaker 0", Estimated: true},
				{Text: "you.", Start: 333 * time.Millisecond, End: time.Second, Confidence: 1, Speaker: "Speaker 0", Estimated: true},
				{Text: "Hi.", Start: time.Second, End: 2 * time.Second, Confidence: 1, Speaker: "Speaker 1", Estimated: true}}},
		"symbols": {"", `{"segments":[{"text":"♪ One + one ♪","start":0,"end":2}],"words":[{"word":"One","start":0.5,"end":0.8},{"word":"one","start":1,"end":1.4}]}`,
			[]transcript.Word{guessed("♪", 0, 500, 1), said("One", 500, 800, 1), guessed("+", 800, 1000, 1), said("one", 1000, 1400, 1), guessed("♪", 1400, 2000, 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewOpenAISpeech(t)
			s.Break(backendtest.Answer("application/json", c.answer))
			sound := noiseBursts(10, 300, 0, 0)
			got, err := newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Media: sound}).Transcribe(t.Context(), engine.TranscribeRequest{Language: c.language, Info: sound.info()})
			require.NoError(t, err)
			require.Equal(t, c.want, got.Words)
		})
	}
}

// The longest and costliest answers are parsed quickly.
func TestLongAnswers(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	fill := func(head, item, tail string, most int) string {
		n := min((7<<20)/len(item), most)
		return head + strings.TrimSuffix(strings.Repeat(item, n), ",") + tail
	}
	for name, body := range map[string]string{
		"segments without times":    fill(`{"segments":[`, `{"text":"a"},`, `]}`, 8_000),
		"empty segments":            fill(`{"segments":[`, `{},`, `]}`, 8_000),
		"nothing agrees":            fill(`{"text":"`+strings.Repeat("a ", 8_000)+`","words":[`, `{"word":"b","start":1,"end":2},`, `]}`, 8_000),
		"nearly agreeing":           fill(`{"text":"`+strings.Repeat("aaaaaaaab ", 8_000)+`","words":[`, `{"word":"a","start":1,"end":2},`, `]}`, 8_000),
		"one long word":             fill(`{"text":"`+strings.Repeat("a", 1<<18)+`","words":[`, `{"word":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},`, `]}`, 8_000),
		"tokens without end":        fill(`{"segments":[{"text":" a","words":[{"word":" a"},`, `{"word":"b"},`, `]}]}`, 8_000),
		"a language without spaces": fill(`{"language":"ja","segments":[{"text":"","words":[`, `{"word":"あ"},`, `]}]}`, 8_000),
		"simultaneous words":        fill(`{"words":[`, `{"word":"a","start":1,"end":1.001},`, `]}`, 8_000),
		"more than maxList":         fill(`{"words":[`, `{},`, `]}`, 1<<30),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, err := openai.Hear([]byte(body), "", 10*time.Minute)
			require.Equal(t, name == "more than maxList", err != nil, "%v", err)
			require.Less(t, time.Since(start), time.Minute) // without limits it takes hours
		})
	}
}

// No answer causes a panic, and words fulfil the contract of engine.Transcriber.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"text":"a b","segments":[{"text":"a, b","start":0,"end":1,"words":[{"word":" a","start":0,"end":0.5,"probability":0.5},{"word":"b"}]}]}`, "en")
	f.Add(`{"language":"chinese","words":[{"word":"你好","start":NaN,"end":-1}],"text":"你\ufffd好"}`, "")
	f.Fuzz(func(t *testing.T, body, language string) {
		sound := pcm(noiseBursts(1, 500, 0, 0))
		words, err := openai.Hear([]byte(body), transcript.Language(language), sound.info().Duration)
		if err != nil {
			return
		}
		for i, w := range words {
			require.True(t, w.Start >= 0 && w.End > w.Start && w.End <= sound.info().Duration && (i == 0 || w.Start >= words[i-1].Start), "%v", words)
			require.True(t, w.Confidence >= 0 && w.Confidence <= 1 && w.Text != "", "%v", w)
		}
	})
}
