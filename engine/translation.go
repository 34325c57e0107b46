package engine

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/translate"
)

// Translation is a stored translation of a completed transcript.
type Translation struct {
	TranscriptID TranscriptID
	Language     transcript.Language
	Glossary     string                 // translate.Fingerprint of the protected terms; with other terms, the transcript is translated again
	Utterances   []transcript.Utterance // one per utterance of the transcript, in the same order, with the same speaker and times
	CreatedAt    time.Time
}

// translateTimeout limits the translation of a whole transcript.
const translateTimeout = 10 * time.Minute

// TranslateTranscript is GetRecordingTranscript in another language. Each utterance is translated on its own and keeps its speaker and
// times; its words are spread over its duration. The space's boosted words and the spellings it writes are not translated. A translation
// is stored, so that it is made once. Errors: those of GetRecordingTranscript, CodeInvalid (the language), CodeUnavailable (no
// translator, or it fails).
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
	t, err := e.translation(ctx, row, rt.Recording.Revision, to, terms)
	if err != nil {
		return RecordingTranscript{}, wrap(op, err)
	}
	rt.Transcript.Utterances, rt.Transcript.Language = t.Utterances, to
	return rt, nil
}

// WaitTranslation waits until the recording's transcript is completed, and returns it in another language; if only TranscribeAgain failed,
// the old transcript. Errors: those of WaitRecording and of TranslateTranscript.
func (e *Engine) WaitTranslation(ctx context.Context, c Caller, id RecordingID, to transcript.Language) (RecordingTranscript, error) {
	if err := e.waitText(ctx, c, id); err != nil {
		return RecordingTranscript{}, wrap("WaitTranslation", err)
	}
	return e.TranslateTranscript(ctx, c, id, to)
}

// translation returns the stored translation, or makes and stores one.
func (e *Engine) translation(ctx context.Context, t Transcript, revision int, to transcript.Language, terms []string) (Translation, error) {
	const op = "Translate"
	glossary := translate.Fingerprint(terms)
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
	if made.Utterances, err = translate.Utterances(ctx, t.Utterances, to, terms, func(ctx context.Context, texts []string) ([]string, error) {
		return e.translate(ctx, TranslateRequest{From: t.Language, To: to, Texts: texts})
	}); err != nil {
		return Translation{}, err
	}
	return made, e.store.Update(ctx, func(tx Tx) error {
		r, err := tx.Recording(t.RecordingID)
		if err != nil || r.TranscriptID != t.ID || r.Revision != revision { // the transcript was changed in the meantime
			return err
		}
		return tx.PutTranslation(made)
	})
}

// translate calls the translator. Its refusals become CodeUnavailable, because the caller's request is valid.
func (e *Engine) translate(ctx context.Context, req TranslateRequest) ([]string, error) {
	const op = "Translate"
	out, err := e.translator.Translate(ctx, req)
	if err == nil {
		return out, nil
	}
	err = backendError(ctx, op, "translator", err)
	if code := CodeOf(err); code != CodeUnavailable && code != CodeCanceled {
		err = Errorf(CodeUnavailable, op, "%s", Message(err)).Because(err)
	}
	return nil, err
}
