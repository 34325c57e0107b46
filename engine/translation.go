package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Translation is a completed transcript in another language, kept so that it is made once.
type Translation struct {
	TranscriptID TranscriptID
	Language     Language
	Glossary     string      // fingerprint of the terms that had to survive; another one makes the translation anew
	Utterances   []Utterance // one for each of the transcript's, in the same order, of the same speaker and time
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
func (e *Engine) TranslateTranscript(ctx context.Context, c Caller, id RecordingID, to Language) (RecordingTranscript, error) {
	const op = "TranslateTranscript"
	if !to.Supported() {
		return RecordingTranscript{}, Errorf(CodeInvalid, op, "language is not a supported language code.").WithRule("translation.language-unknown")
	}
	rt, row, err := e.completedTranscript(ctx, c, id)
	if err != nil || to == rt.Transcript.Language {
		return rt, err
	}
	terms := protectedTerms(append(rt.Space.Spellings, row.Spellings...), append(rt.Space.BoostedWords, row.BoostedWords...))
	t, err := e.translation(ctx, row, to, terms)
	if err != nil {
		return RecordingTranscript{}, wrap(op, err)
	}
	rt.Transcript.Utterances, rt.Transcript.Language = t.Utterances, to
	return rt, nil
}

// translation returns the kept translation, or makes it and keeps it.
func (e *Engine) translation(ctx context.Context, t Transcript, to Language, terms []string) (Translation, error) {
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
func (e *Engine) translateUtterances(ctx context.Context, t Transcript, to Language, terms []string) ([]Utterance, error) {
	out := make([]Utterance, len(t.Utterances))
	for i := 0; i < len(out); {
		n := batch(t.Utterances[i:])
		texts := make([]masked, n)
		for j := range texts {
			texts[j] = mask(t.Utterances[i+j].Text, terms)
		}
		translated, err := e.translateTexts(ctx, t.Language, to, texts)
		if err != nil {
			return nil, err
		}
		for j, text := range translated {
			out[i+j] = retext(t.Utterances[i+j], text, to)
		}
		i += n
	}
	return out, nil
}

// batch returns how many of the utterances go into one request.
func batch(utterances []Utterance) int {
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
func (e *Engine) translateTexts(ctx context.Context, from, to Language, texts []masked) ([]string, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = t.text
	}
	together, err := e.translate(ctx, from, to, plain)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		ok := false
		if len(together) == len(texts) {
			out[i], ok = t.accept(together[i])
		}
		if ok {
			continue
		}
		alone, err := e.translate(ctx, from, to, plain[i:i+1])
		if err != nil {
			return nil, err
		}
		if len(alone) == 1 {
			out[i], ok = t.accept(alone[0])
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

// accept returns a translation with its terms; ok is false when one is missing, or the text is.
func (m masked) accept(translated string) (string, bool) {
	text, ok := m.unmask(oneLine(strings.ToValidUTF8(translated, "\uFFFD")))
	return text, ok && (text != "" || strings.TrimSpace(m.text) == "")
}

// translatePieces translates what stands between the terms and puts it together again.
func (e *Engine) translatePieces(ctx context.Context, from, to Language, m masked) (string, error) {
	pieces, terms := m.pieces()
	var b strings.Builder
	for i, p := range pieces {
		if i > 0 {
			b.WriteString(" " + terms[i-1] + " ")
		}
		if !strings.ContainsFunc(p, isWordRune) { // punctuation and blanks only
			b.WriteString(p)
			continue
		}
		translated, err := e.translate(ctx, from, to, []string{p})
		if err != nil {
			return "", err
		}
		text := ""
		if len(translated) == 1 {
			text = oneLine(strings.ToValidUTF8(translated[0], "\uFFFD"))
		}
		if text == "" || termToken.MatchString(text) {
			return "", Errorf(CodeUnavailable, "Translate", "The translator left a part of the transcript out.").Transient()
		}
		b.WriteString(text)
	}
	return oneLine(b.String()), nil
}

func (e *Engine) translate(ctx context.Context, from, to Language, texts []string) ([]string, error) {
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

// retext is an utterance with another text, whose words are spread over its time by their length.
func retext(u Utterance, text string, language Language) Utterance {
	u.Text = text
	words := splitWords(text, language)
	ms := max(1, (u.End-u.Start)/time.Millisecond)
	if most := int(ms); len(words) > most { // each word lasts a millisecond at least
		words = append(words[:most-1:most-1], JoinWords(asWords(words[most-1:]), language))
	}
	total := time.Duration(0)
	for _, w := range words {
		total += time.Duration(len([]rune(w)))
	}
	spare := ms - time.Duration(len(words)) // what is left when each word has its millisecond
	start, said := u.Start, time.Duration(0)
	u.Words = make([]Word, len(words))
	for i, w := range words {
		said += time.Duration(len([]rune(w)))
		end := u.Start + (spare*said/total+time.Duration(i+1))*time.Millisecond
		u.Words[i] = Word{Text: w, Start: start, End: end, Confidence: u.Confidence, Speaker: u.Speaker}
		start = end
	}
	return u
}

func asWords(texts []string) []Word {
	words := make([]Word, len(texts))
	for i, t := range texts {
		words[i].Text = t
	}
	return words
}

// splitWords cuts a text where its language may break: at spaces, and between the characters of Chinese and Japanese, each
// with the closing punctuation that follows it and the opening one before it.
func splitWords(text string, language Language) []string {
	var words []string
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if language.Spaced() {
			words = append(words, f)
			continue
		}
		last := ""
		for i, r := range f {
			s := string(r)
			opens := unicode.In(r, unicode.Ps, unicode.Pi)
			joins := i > 0 && (opened(last) || !opens && (!isWordRune(r) || !isWide(s) && !isWide(lastRune(last))))
			if joins {
				last += s
				words[len(words)-1] = last
				continue
			}
			last = s
			words = append(words, s)
		}
	}
	return words
}

// opened reports whether a text ends with a bracket or a quotation mark that has only just been opened.
func opened(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.In(r, unicode.Ps, unicode.Pi)
}
