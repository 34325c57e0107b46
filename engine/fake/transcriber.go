package fake

import (
	"context"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Transcriber invents what is said, but not when: words lie only where there is speech, sentences begin with a speaker's
// turn and end at a pause. Boosted words are said, as many as there is room for, the first ones early. Its languages are
// all of engine.Languages. It is safe for concurrent use.
type Transcriber struct {
	Media    engine.Media    // required
	Diarizer engine.Diarizer // tells speakers apart; the zero value goes by the rule of this package's Diarizer
	Seed     uint64          // another seed says something else
}

var _ engine.Transcriber = (*Transcriber)(nil)

// Transcribe decodes the media and returns words with speakers. There are never more
// speakers than expected, and as many where there is room for them. Errors are those of ctx, Media and Diarizer.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	if t.Media == nil {
		return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "Transcribe", "No decoder is configured.").
			WithHint("Set Transcriber.Media.")
	}
	out := engine.Transcription{Language: languageOf(req)}
	turns, err := t.listen(ctx, req)
	if err != nil {
		return engine.Transcription{}, err
	}
	var spans []span
	for _, turn := range turns {
		spans = append(spans, turn.spans...)
	}
	d := roll(t.Seed, out.Language, req.BoostedWords, req.SpeakersExpected, spans)
	script, err := newScript(out.Language, req.BoostedWords, spoken(spans), d)
	if err != nil {
		return engine.Transcription{}, err
	}
	if out.Words, err = speak(ctx, turns, script, d); err != nil {
		return engine.Transcription{}, err
	}
	if req.Progress != nil {
		req.Progress(1)
	}
	return out, nil
}

// speak fills every turn with words. Labels count speakers who say something, in order of their first word.
func speak(ctx context.Context, turns []turn, script *script, d dice) (out []transcript.Word, err error) {
	labels := map[int]string{}
	for _, turn := range turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all := rooms(turn.spans)
		for i, room := range all {
			words := lay(script.fill(roomOf(room), i == len(all)-1), room, d)
			if _, ok := labels[turn.speaker]; !ok && len(words) > 0 {
				labels[turn.speaker] = transcript.SpeakerLabel(len(labels))
			}
			for _, w := range words {
				w.Speaker = labels[turn.speaker]
				out = append(out, w)
			}
		}
	}
	return out, nil
}

// languageOf returns the language that was asked for, else the one that the media names, else the default.
func languageOf(req engine.TranscribeRequest) transcript.Language {
	if req.Language.Supported() {
		return req.Language
	}
	if l := transcript.LanguageOfTag(req.Info.Language); l != "" {
		return l
	}
	return transcript.DefaultLanguage
}

// listen finds out who speaks when: in one decoding, of which the Diarizer reads what is measured here.
func (t *Transcriber) listen(ctx context.Context, req engine.TranscribeRequest) ([]turn, error) {
	total := int(req.Info.Duration.Milliseconds())
	furthest := 0.0 // of what was read and of what the Diarizer says
	report := func(done float64) {
		if furthest = max(furthest, min(done, 1)); req.Progress != nil {
			req.Progress(0.9 * furthest)
		}
	}
	var spans []span
	var found []transcript.Turn
	err := t.decode(ctx, req.Source, func(pcm io.Reader) (err error) {
		if t.Diarizer == nil {
			spans, err = hear(ctx, pcm, func(ms int) {
				if total > 0 {
					report(float64(ms) / float64(total))
				}
			})
			return err
		}
		e := ear{heard: func(ms int) {
			if total > 0 {
				report(0.5 * float64(ms) / float64(total))
			}
		}}
		tee := io.TeeReader(pcm, &e)
		found, err = t.Diarizer.Diarize(ctx, tee, transcript.DiarizeOptions{Speakers: req.SpeakersExpected, Progress: report})
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, tee); err != nil { // whatever the Diarizer didn't want to hear
			return err
		}
		spans = speech(e.levels)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if total > 0 {
		spans = clip(spans, total)
	}
	if t.Diarizer == nil || len(spans) == 0 {
		return rotate(spans, req.SpeakersExpected), nil
	}
	return assign(spans, found, req.SpeakersExpected), nil
}

// decode calls fn with the PCM of a source.
func (t *Transcriber) decode(ctx context.Context, src engine.Source, fn func(io.Reader) error) error {
	pcm, err := t.Media.Decode(ctx, src)
	if err != nil {
		return err
	}
	err = fn(pcm)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return err
}
