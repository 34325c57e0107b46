package formats

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// whisperCPP is the output of whisper.cpp with -oj, or with -ojf including tokens. Offsets are in milliseconds.
type whisperCPP struct {
	Result struct {
		Language string `json:"language"`
	} `json:"result"`
	Transcription []struct {
		Offsets whisperOffsets `json:"offsets"`
		Text    string         `json:"text"`
		Speaker string         `json:"speaker"`           // with -di
		Turn    bool           `json:"speaker_turn_next"` // with -tdrz
		Tokens  []struct {
			Text    string         `json:"text"`
			Offsets whisperOffsets `json:"offsets"`
			P       float64        `json:"p"`
		} `json:"tokens"`
	} `json:"transcription"`
}

type whisperOffsets struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

func (w whisperCPP) parsed() Parsed {
	t := transcript.Transcript{Language: Language(w.Result.Language)}
	turn, turns := 0, false
	for _, s := range w.Transcription {
		turns = turns || s.Turn
	}
	for _, s := range w.Transcription {
		u := transcript.Utterance{Text: s.Text, Start: millis(s.Offsets.From), End: millis(s.Offsets.To), Confidence: 1}
		switch {
		case s.Speaker != "":
			u.Speaker = "Speaker " + s.Speaker
		case turns:
			u.Speaker = transcript.SpeakerLabel(turn)
		}
		if s.Turn {
			turn = 1 - turn // it only says that another speaker is next
		}
		for _, token := range s.Tokens {
			if strings.HasPrefix(token.Text, "[_") {
				continue // a control token, "[_BEG_]"
			}
			// A token without a leading space continues the previous word.
			if n := len(u.Words); n > 0 && !strings.HasPrefix(token.Text, " ") {
				u.Words[n-1].Text += token.Text
				u.Words[n-1].End = millis(token.Offsets.To)
				continue
			}
			u.Words = append(u.Words, transcript.Word{Text: token.Text, Start: millis(token.Offsets.From), End: millis(token.Offsets.To), Confidence: token.P})
		}
		// Tokens may end inside a character, which JSON can't express; then only the text is usable.
		if !captions.SameLetters(captions.CleanText(u.Text), u.Words) {
			u.Words = nil
		}
		t.Utterances = append(t.Utterances, u)
	}
	return normalise(t, nil)
}

// whisper is the output of WhisperX, and of openai-whisper and faster-whisper, which use other names. Times are in seconds;
// words that could not be aligned have none. The transcripts of Podcasting 2.0 have segments, too, with names of their own.
type whisper struct {
	Segments []struct {
		StartTime float64 `json:"startTime"` // Podcasting 2.0
		EndTime   float64 `json:"endTime"`
		Body      string  `json:"body"`

		Start   float64 `json:"start"`
		End     float64 `json:"end"`
		Text    string  `json:"text"`
		Speaker string  `json:"speaker"`
		Words   []struct {
			Word        string   `json:"word"`
			Text        string   `json:"text"` // whisper-timestamped, instead of Word
			Start       float64  `json:"start"`
			End         float64  `json:"end"`
			Score       *float64 `json:"score"`       // WhisperX
			Probability *float64 `json:"probability"` // the others
			Confidence  *float64 `json:"confidence"`  // whisper-timestamped
			Speaker     string   `json:"speaker"`
		} `json:"words"`
	} `json:"segments"`
}

func (w whisper) parsed(language transcript.Language) Parsed {
	t := transcript.Transcript{Language: language}
	for _, s := range w.Segments {
		u := transcript.Utterance{Speaker: s.Speaker, Text: s.Text + s.Body, Start: seconds(s.Start + s.StartTime), End: seconds(s.End + s.EndTime), Confidence: 1}
		sum := 0.0
		for _, in := range s.Words {
			word := transcript.Word{Text: in.Word + in.Text, Start: seconds(in.Start), End: seconds(in.End), Speaker: in.Speaker}
			switch {
			case in.Score != nil:
				word.Confidence = *in.Score
			case in.Probability != nil:
				word.Confidence = *in.Probability
			case in.Confidence != nil:
				word.Confidence = *in.Confidence
			}
			sum += word.Confidence
			u.Words = append(u.Words, word)
		}
		if len(u.Words) > 0 {
			u.Confidence = sum / float64(len(u.Words))
		}
		t.Utterances = append(t.Utterances, u)
	}
	return normalise(t, nil)
}
