package fake

import (
	"context"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Transcriber invents words, but not their timing: words are only where there is speech, and sentences begin with a speaker's turn and
// end at a pause. As many boosted words as fit are spoken, the first ones early. It supports all of transcript.Languages and is safe for
// concurrent use.
//
// It detects a language by the file's tag, not by the sound: without a tag, words are English, whatever is spoken.
type Transcriber struct {
	Media    engine.Media    // required
	Diarizer engine.Diarizer // finds speakers; default the rule of this package's Diarizer
	Seed     uint64          // changes the invented words
}

var _ engine.Transcriber = (*Transcriber)(nil)

// Transcribe decodes the media and returns words with speakers. There are as many speakers as expected if the speech is long enough, and
// never more. It returns CodeUnavailable if Media is nil, and the errors of ctx, Media, and Diarizer.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	if t.Media == nil {
		return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "Transcribe", "No decoder is configured.").
			WithHint("Set Transcriber.Media.")
	}
	out := engine.Transcription{Language: languageOf(req)}
	turns, found, err := t.findTurns(ctx, req)
	if err != nil {
		return engine.Transcription{}, err
	}
	out.Turns = found
	var spans []span
	for _, turn := range turns {
		spans = append(spans, turn.spans...)
	}
	d := newDice(t.Seed, out.Language, req.BoostedWords, req.SpeakersExpected, spans)
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

// speak fills every turn with words. Speakers are numbered in order of their first word.
func speak(ctx context.Context, turns []turn, script *script, d dice) (out []transcript.Word, err error) {
	labels := map[int]string{}
	for _, turn := range turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all := blocks(turn.spans)
		for i, block := range all {
			words := align(script.fill(blockLength(block), i == len(all)-1), block, d)
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

// languageOf returns the requested language, or else the one in the media's tag, or else the default.
func languageOf(req engine.TranscribeRequest) transcript.Language {
	if req.Language.Supported() {
		return req.Language
	}
	if l := transcript.LanguageOfTag(req.Info.Language); l != "" {
		return l
	}
	return transcript.DefaultLanguage
}

// findTurns returns the turns of speech, and those that the Diarizer found. It decodes the media once, for the speech detector and the Diarizer together.
func (t *Transcriber) findTurns(ctx context.Context, req engine.TranscribeRequest) ([]turn, []transcript.Turn, error) {
	total := int(req.Info.Duration.Milliseconds())
	furthest := 0.0 // highest progress of the decoding and the Diarizer
	report := func(done float64) {
		if furthest = max(furthest, min(done, 1)); req.Progress != nil {
			req.Progress(0.9 * furthest)
		}
	}
	var spans []span
	var found []transcript.Turn
	err := t.decode(ctx, req, func(pcm io.Reader, stereo bool) (err error) {
		if t.Diarizer == nil {
			spans, err = detectSpeech(ctx, pcm, func(ms int) {
				if total > 0 {
					report(float64(ms) / float64(total))
				}
			})
			return err
		}
		e := levelWriter{stereo: stereo, report: func(ms int) {
			if total > 0 {
				report(0.5 * float64(ms) / float64(total))
			}
		}}
		tee := io.TeeReader(pcm, &e)
		found, err = t.Diarizer.Diarize(ctx, tee, transcript.DiarizeOptions{Speakers: req.SpeakersExpected, Progress: report, Stereo: stereo})
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, tee); err != nil { // the part that the Diarizer didn't read
			return err
		}
		spans = speech(e.levels)
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	if total > 0 {
		spans = clip(spans, total)
	}
	if t.Diarizer == nil || len(spans) == 0 {
		return alternate(spans, req.SpeakersExpected), nil, nil
	}
	return assignTurns(spans, found, req.SpeakersExpected), found, nil
}

// decode calls fn with the PCM of a source, and whether that has two channels.
func (t *Transcriber) decode(ctx context.Context, req engine.TranscribeRequest, fn func(pcm io.Reader, stereo bool) error) error {
	pcm, stereo, err := engine.DecodeFor(ctx, t.Diarizer, t.Media, req.Source, req.Info.Audio != nil && req.Info.Audio.Channels == 2)
	if err != nil {
		return err
	}
	err = fn(pcm, stereo)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return err
}
