package command

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// whisperCPP is the JSON of whisper-cli with -oj, or with -ojf, which adds tokens. Source: https://github.com/ggml-org/whisper.cpp,
// examples/cli.
type whisperCPP struct {
	Result struct {
		Language string `json:"language"`
	} `json:"result"`
	Transcription []struct {
		Offsets offsets `json:"offsets"`
		Text    string  `json:"text"`
		Speaker string  `json:"speaker"`           // with -di: "0", "1", "?"
		Turn    bool    `json:"speaker_turn_next"` // with -tdrz
		Tokens  []struct {
			Text    string            `json:"text"`
			Offsets offsets           `json:"offsets"`
			P       speech.Confidence `json:"p"`
		} `json:"tokens"`
	} `json:"transcription"`
}

type offsets struct {
	From speech.InMilliseconds `json:"from"`
	To   speech.InMilliseconds `json:"to"`
}

func readWhisperCPP(b []byte) (result, error) {
	var w whisperCPP
	if err := backend.Decode(b, &w); err != nil {
		return result{}, err
	}
	h := result{language: w.Result.Language}
	turn, turns := 0, false
	for _, s := range w.Transcription {
		turns = turns || s.Turn
	}
	for _, s := range w.Transcription {
		segment := speech.Segment{Text: s.Text, Start: s.Offsets.From.Time, End: s.Offsets.To.Time, Speaker: strings.Trim(s.Speaker, "?")}
		if turns && segment.Speaker == "" {
			segment.Speaker = transcript.SpeakerLabel(turn)
		}
		if s.Turn {
			turn = 1 - turn // the flag only means that the speaker changes
		}
		var pieces []speech.Word
		for _, t := range s.Tokens {
			if !strings.HasPrefix(t.Text, "[_") { // a special token, such as "[_BEG_]"
				pieces = append(pieces, speech.Word{Text: t.Text, Start: t.Offsets.From.Time, End: t.Offsets.To.Time, Confidence: t.P})
			}
		}
		segment.Words = joinPieces(pieces, speech.Language(h.language))
		// Tokens may split a character, which JSON can't represent. Then only the text is reliable.
		if withoutSpaces(s.Text) != withoutSpaces(joinTexts(segment.Words)) {
			segment.Words = nil
		}
		h.segments = append(h.segments, withSingleWord(segment))
	}
	return h, nil
}

// joinPieces joins pieces to words. A piece without a leading space continues the word before it; in a language without spaces, only
// punctuation does.
func joinPieces(pieces []speech.Word, language transcript.Language) []speech.Word {
	var words []speech.Word
	for _, p := range pieces {
		text := strings.TrimSpace(p.Text)
		if text == "" {
			continue
		}
		goesOn := !strings.HasPrefix(p.Text, " ") && (language.Spaced() || strings.IndexFunc(text, isLetter) < 0)
		if n := len(words); n > 0 && goesOn {
			words[n-1] = extend(words[n-1], p)
			continue
		}
		words = append(words, p)
	}
	return words
}

// extend appends a piece to a word. The confidence is the lower one of the two.
func extend(w, p speech.Word) speech.Word {
	w.Text += p.Text
	if p.End.Known {
		w.End = p.End
	}
	if p.Confidence.Known && (!w.Confidence.Known || p.Confidence.Value < w.Confidence.Value) {
		w.Confidence = p.Confidence
	}
	w.Speaker = cmp.Or(w.Speaker, p.Speaker)
	return w
}

// withSingleWord adds the word of a segment that has text but no words, if the text is a single word.
func withSingleWord(s speech.Segment) speech.Segment {
	if len(s.Words) == 0 && len(strings.Fields(s.Text)) == 1 {
		s.Words = []speech.Word{{Text: s.Text, Start: s.Start, End: s.End}}
	}
	return s
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// withoutSpaces returns a text without spaces.
func withoutSpaces(s string) string { return strings.Join(strings.Fields(s), "") }

func joinTexts(words []speech.Word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Text)
	}
	return b.String()
}
