package translate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The limits of one batch. A single longer text is a batch of its own.
const (
	maxTexts = 40
	maxBytes = 8 << 10
)

// Func translates texts that follow one another and returns one translation for each, in the same order. Tokens of the form [[T0]]
// stand for protected terms and must come back unchanged.
type Func func(ctx context.Context, texts []string) ([]string, error)

// Utterances returns the utterances in another language. Each one is translated separately and keeps its speaker and its times; the
// translated words are spread over its duration. Every occurrence of a term survives. Errors are those of ask, and a retryable
// CodeUnavailable when ask omits a part of the text.
func Utterances(
	ctx context.Context, utterances []transcript.Utterance, to transcript.Language, terms []string, ask Func,
) ([]transcript.Utterance, error) {
	out := make([]transcript.Utterance, len(utterances))
	for i := 0; i < len(out); {
		n := batch(utterances[i:])
		texts := make([]transcript.Masked, n)
		for j := range texts {
			texts[j] = transcript.Mask(utterances[i+j].Text, terms)
		}
		translated, err := ask.batch(ctx, texts)
		if err != nil {
			return nil, err
		}
		for j, text := range translated {
			out[i+j] = transcript.Retext(utterances[i+j], text, to)
		}
		i += n
	}
	return out, nil
}

// Fingerprint identifies a list of terms: a translation that was made with other terms is out of date.
func Fingerprint(terms []string) string {
	sum := sha256.Sum256([]byte(strings.Join(terms, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// batch returns how many of the utterances go into one request.
func batch(utterances []transcript.Utterance) int {
	bytes := 0
	for i, u := range utterances {
		if bytes += len(u.Text); i > 0 && (i == maxTexts || bytes > maxBytes) {
			return i
		}
	}
	return len(utterances)
}

// batch translates texts together. A text that comes back empty or without its terms is translated alone. If that fails too, it is
// translated in pieces between its terms.
func (ask Func) batch(ctx context.Context, texts []transcript.Masked) ([]string, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = t.Text
	}
	together, err := ask(ctx, plain)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		ok := false
		if len(together) == len(texts) {
			out[i], ok = t.Accept(together[i])
		}
		if ok {
			continue
		}
		alone, err := ask(ctx, plain[i:i+1])
		if err != nil {
			return nil, err
		}
		if len(alone) == 1 {
			out[i], ok = t.Accept(alone[0])
		}
		if ok {
			continue
		}
		if out[i], err = ask.pieces(ctx, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pieces translates the text between the terms and joins it with the terms.
func (ask Func) pieces(ctx context.Context, m transcript.Masked) (string, error) {
	pieces, terms := m.Pieces()
	var b strings.Builder
	for i, p := range pieces {
		if i > 0 {
			b.WriteString(" " + terms[i-1] + " ")
		}
		if !strings.ContainsFunc(p, transcript.IsWordRune) { // punctuation and blanks only
			b.WriteString(p)
			continue
		}
		translated, err := ask(ctx, []string{p})
		if err != nil {
			return "", err
		}
		text := ""
		if len(translated) == 1 {
			text = transcript.OneLine(strings.ToValidUTF8(translated[0], "\uFFFD"))
		}
		if text == "" || transcript.HasTermToken(text) {
			return "", fault.Errorf(fault.CodeUnavailable, "Translate", "The translator left a part of the transcript out.").Transient()
		}
		b.WriteString(text)
	}
	return transcript.OneLine(b.String()), nil
}
