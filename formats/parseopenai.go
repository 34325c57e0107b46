package formats

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// pipeline is the output of the speech recognition pipeline of Transformers, and of insanely-fast-whisper, which adds speakers. Times are in
// seconds; the last end may be null.
type pipeline struct {
	Chunks   []chunk `json:"chunks"`
	Speakers []chunk `json:"speakers"` // the chunks with speakers, if there are any
}

type chunk struct {
	Timestamp []float64 `json:"timestamp"`
	Text      string    `json:"text"`
	Speaker   string    `json:"speaker"`
}

func (p pipeline) parsed(language transcript.Language) Parsed {
	chunks := p.Chunks
	if len(p.Speakers) > 0 {
		chunks = p.Speakers
	}
	t := transcript.Transcript{Language: language}
	var words []transcript.Word
	single := true // each chunk is a word
	for _, c := range chunks {
		u := transcript.Utterance{Speaker: c.Speaker, Text: c.Text, Confidence: 1}
		if len(c.Timestamp) > 0 {
			u.Start = seconds(c.Timestamp[0])
		}
		if len(c.Timestamp) > 1 {
			u.End = seconds(c.Timestamp[1])
		}
		t.Utterances = append(t.Utterances, u)
		text := captions.CleanText(c.Text)
		single = single && !strings.Contains(text, " ")
		words = append(words, transcript.Word{Text: text, Start: u.Start, End: u.End, Speaker: c.Speaker, Confidence: 1})
	}
	if single && language.Spaced() {
		t.Utterances = transcript.BuildUtterances(words, language)
	}
	return normalise(t, nil)
}

// openAIWords is what the OpenAI API returns for words alone (verbose_json with timestamp_granularities of words). Times are in seconds.
func openAIWords(in []assemblyWord, language transcript.Language) Parsed {
	words := make([]transcript.Word, len(in))
	for i, w := range in {
		words[i] = transcript.Word{Text: captions.CleanText(w.Word), Start: seconds(w.Start), End: seconds(w.End), Confidence: 1}
	}
	return normalise(transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}, nil)
}
