package command_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// word returns a word. Times are in milliseconds.
func word(text string, from, to time.Duration, confidence float64, speaker string, estimated bool) transcript.Word {
	return transcript.Word{Text: text, Start: from * time.Millisecond, End: to * time.Millisecond, Confidence: confidence, Speaker: speaker, Estimated: estimated}
}

// answers are outputs of programs for 1 s of sound, with the expected words.
var answers = map[string]struct {
	answer string
	want   []transcript.Word
}{
	"empty text":        {`{"text":""}`, nil},
	"empty whisper.cpp": {`{"result":{"language":"en"},"transcription":[]}`, nil},
	"empty WhisperX":    {`{"segments":[],"word_segments":[],"language":"en"}`, nil},
	"empty ours":        {`{"utterances":[]}`, nil},
	"text alone":        {`{"text":"a b"}`, []transcript.Word{word("a", 0, 500, 1, "", true), word("b", 500, 1000, 1, "", true)}},
	"NaN": {`{"segments":[{"start":NaN,"end":-Infinity,"text":"say \"NaN\"","words":[{"word":"say","start":0.1,"end":0.2,"score":NaN},{"word":"NaN","start":Infinity,"end":0.4},{"word":"\"it\\","start":0.4,"end":0.5,"score":0.5}]}]}`,
		[]transcript.Word{word("say", 100, 200, 1, "", false), word("NaN", 200, 400, 1, "", true), word(`"it\`, 400, 500, 0.5, "", false)}},
	"overlaps": {`{"segments":[{"start":0,"end":1,"words":[{"word":"a","start":0.1,"end":0.5},{"word":"b","start":0.2,"end":7}]}]}`, []transcript.Word{word("a", 100, 200, 1, "", false), word("b", 200, 1000, 1, "", false)}},
	"words that have no times": {`{"segments":[{"start":0.2,"end":0.8,"text":"in 2014","words":[{"word":"in","start":0.2,"end":0.4,"score":0.7,"speaker":"SPEAKER_01"},{"word":"2014"}]}]}`,
		[]transcript.Word{word("in", 200, 400, 0.7, "Speaker 0", false), word("2014", 400, 800, 1, "Speaker 0", true)}},
	"pieces": {`{"segments":[{"start":0,"end":1,"words":[{"word":" it","start":0,"end":0.1,"probability":0.9},{"word":"'s","start":0.1,"end":0.2,"probability":0.4},{"word":" on","start":0.2,"end":0.3,"probability":0.8}]}]}`,
		[]transcript.Word{word("it's", 0, 200, 0.4, "", false), word("on", 200, 300, 0.8, "", false)}},
	"pieces of Chinese": {`{"result":{"language":"zh"},"transcription":[{"offsets":{"from":0,"to":400},"text":"你好。","tokens":[{"text":"你","offsets":{"from":0,"to":100},"p":0.9},{"text":"好","offsets":{"from":100,"to":300},"p":0.8},{"text":"。","offsets":{"from":300,"to":400},"p":0.9}]}]}`,
		[]transcript.Word{word("你", 0, 100, 0.9, "", false), word("好。", 100, 400, 0.8, "", false)}},
	"broken pieces": {`{"result":{"language":"en"},"transcription":[{"offsets":{"from":0,"to":400},"text":" naïve it","tokens":[{"text":" na\ufffd","offsets":{"from":0,"to":100}},{"text":"\ufffdve","offsets":{"from":100,"to":200}},{"text":" it","offsets":{"from":200,"to":400}}]}]}`,
		[]transcript.Word{word("naïve", 0, 286, 1, "", true), word("it", 286, 400, 1, "", true)}},
	"speakers of channels": {`{"transcription":[{"offsets":{"from":0,"to":100},"text":" a","speaker":"1"},{"offsets":{"from":200,"to":300},"text":" b","speaker":"0"},{"offsets":{"from":400,"to":500},"text":" c","speaker":"?"}]}`,
		[]transcript.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 200, 300, 1, "Speaker 1", false), word("c", 400, 500, 1, "Speaker 1", false)}},
	"turns": {`{"transcription":[{"offsets":{"from":0,"to":100},"text":" a","speaker_turn_next":true},{"offsets":{"from":200,"to":300},"text":" b"}]}`,
		[]transcript.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 200, 300, 1, "Speaker 1", false)}},
	"after log lines": {"loading the model\n{\"text\":\"a\"}\n", []transcript.Word{word("a", 0, 1000, 1, "", true)}},
}

// Every output gives words in order and within the media, or none.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, c := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, with("answer="+c.answer)).Transcribe(t.Context(), request())
			require.NoError(t, err)
			require.Len(t, got.Words, len(c.want))
			for i := range c.want {
				require.Equal(t, c.want[i], got.Words[i])
			}
		})
	}
}

// FuzzRead checks that Read never panics, and that its words are in order and within the media.
func FuzzRead(f *testing.F) {
	for _, c := range answers {
		f.Add([]byte(c.answer))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		words, err := command.Read(b, time.Second)
		if err != nil {
			require.Empty(t, words)
		}
		last := time.Duration(0)
		for _, w := range words {
			require.GreaterOrEqual(t, w.Start, last)
			require.Greater(t, w.End, w.Start)
			require.LessOrEqual(t, w.End, time.Second)
			require.True(t, w.Confidence >= 0 && w.Confidence <= 1)
			require.NotEmpty(t, w.Text)
			last = w.Start
		}
	})
}
