package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Translation is a completed transcript in another language, kept so that it is made once.
type Translation struct {
	TranscriptID TranscriptID
	Language     transcript.Language
	Glossary     string                 // fingerprint of the terms that had to survive; another one makes the translation anew
	Utterances   []transcript.Utterance // one for each of the transcript's, in the same order, of the same speaker and time
	CreatedAt    time.Time
}

const (
	translateTexts   = 40               // most utterances of one request to a translator …
	translateBytes   = 8 << 10          // … and most bytes
	translateTimeout = 10 * time.Minute // of a whole transcript
)

// TranslateTranscript is GetRecordingTranscript in another language: each utterance is translated on its own, keeps its
// speaker and its time, and its words are spread over it. The space's boosted words and what its custom spellings write
// survive as they are. A translation is made once and kept. Errors: those of GetRecordingTranscript, CodeInvalid (the
// language), CodeUnavailable (no translator, or it fails).
func (e *Engine) TranslateTranscript(ctx context.Context, c Caller, id RecordingID, to transcript.Language) (RecordingTranscript, error) {
	const op = "TranslateTranscript"
	if !to.Supported() {
		return RecordingTranscript{}, Errorf(CodeInvalid, op, "language is not a supported language code.").WithRule("translation.language-unknown")
	}
	rt, row, err := e.completedTranscript(ctx, c, id)
	if err != nil || to == rt.Transcript.Language {
		return rt, err
	}
	terms := transcript.ProtectedTerms(append(rt.Space.Spellings, row.Spellings...), append(rt.Space.BoostedWords, row.BoostedWords...))
	t, err := e.translation(ctx, row, to, terms)
	if err != nil {
		return RecordingTranscript{}, wrap(op, err)
	}
	rt.Transcript.Utterances, rt.Transcript.Language = t.Utterances, to
	return rt, nil
}

// translation returns the kept translation, or makes it and keeps it.
func (e *Engine) translation(ctx context.Context, t Transcript, to transcript.Language, terms []string) (Translation, error) {
	const op = "Translate"
	sum := sha256.Sum256([]byte(strings.Join(terms, "\x00")))
	glossary := hex.EncodeToString(sum[:8])
	var kept Translation
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		kept, err = tx.Translation(t.ID, to)
		return err
	})
	if err == nil && kept.Glossary == glossary || err != nil && CodeOf(err) != CodeNotFound {
		return kept, err
	}
	if e.translator == nil {
		return Translation{}, Errorf(CodeUnavailable, op, "Translation is not configured.").WithHint("Set Config.Translator.")
	}
	ctx, cancel := context.WithTimeout(ctx, translateTimeout)
	defer cancel()
	made := Translation{TranscriptID: t.ID, Language: to, Glossary: glossary, CreatedAt: e.now()}
	if made.Utterances, err = e.translateUtterances(ctx, t, to, terms); err != nil {
		return Translation{}, err
	}
	return made, e.store.Update(ctx, func(tx Tx) error { return tx.PutTranslation(made) })
}

// translateUtterances translates a few utterances at a time, which follow one another.
func (e *Engine) translateUtterances(ctx context.Context, t Transcript, to transcript.Language, terms []string) ([]transcript.Utterance, error) {
	out := make([]transcript.Utterance, len(t.Utterances))
	for i := 0; i < len(out); {
		n := batch(t.Utterances[i:])
		texts := make([]transcript.Masked, n)
		for j := range texts {
			texts[j] = transcript.Mask(t.Utterances[i+j].Text, terms)
		}
		translated, err := e.translateTexts(ctx, t.Language, to, texts)
		if err != nil {
			return nil, err
		}
		for j, text := range translated {
			out[i+j] = transcript.Retext(t.Utterances[i+j], text, to)
		}
		i += n
	}
	return out, nil
}

// batch returns how many of the utterances go into one request.
func batch(utterances []transcript.Utterance) int {
	bytes := 0
	for i, u := range utterances {
		if bytes += len(u.Text); i > 0 && (i == translateTexts || bytes > translateBytes) {
			return i
		}
	}
	return len(utterances)
}

// translateTexts translates texts together; one that comes back without its terms, or empty, is translated alone, and where
// that doesn't help, piece by piece between its terms, which then can't but survive.
func (e *Engine) translateTexts(ctx context.Context, from, to transcript.Language, texts []transcript.Masked) ([]string, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = t.Text
	}
	together, err := e.translate(ctx, from, to, plain)
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
		alone, err := e.translate(ctx, from, to, plain[i:i+1])
		if err != nil {
			return nil, err
		}
		if len(alone) == 1 {
			out[i], ok = t.Accept(alone[0])
		}
		if ok {
			continue
		}
		if out[i], err = e.translatePieces(ctx, from, to, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// translatePieces translates what stands between the terms and puts it together again.
func (e *Engine) translatePieces(ctx context.Context, from, to transcript.Language, m transcript.Masked) (string, error) {
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
		translated, err := e.translate(ctx, from, to, []string{p})
		if err != nil {
			return "", err
		}
		text := ""
		if len(translated) == 1 {
			text = transcript.OneLine(strings.ToValidUTF8(translated[0], "\uFFFD"))
		}
		if text == "" || transcript.HasTermToken(text) {
			return "", Errorf(CodeUnavailable, "Translate", "The translator left a part of the transcript out.").Transient()
		}
		b.WriteString(text)
	}
	return transcript.OneLine(b.String()), nil
}

func (e *Engine) translate(ctx context.Context, from, to transcript.Language, texts []string) ([]string, error) {
	const op = "Translate"
	out, err := e.translator.Translate(ctx, TranslateRequest{From: from, To: to, Texts: texts})
	if err == nil {
		return out, nil
	}
	err = backendError(ctx, op, "translator", err)
	if code := CodeOf(err); code != CodeUnavailable && code != CodeCanceled { // it is the backend that was refused, not the caller
		err = Errorf(CodeUnavailable, op, "%s", Message(err)).Because(err)
	}
	return nil, err
}
