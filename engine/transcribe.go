package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/blob"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A transcription is up to three jobs: download (URLs only), transcribe, and diarize (only if the transcriber returns no speakers). Each
// can be repeated. The result of a step is a blob with the job and its generation in its key.

func transcriptPrefix(id TranscriptID) string { return "transcripts/" + string(id) + "/" }

// startTranscript moves the job's transcript to TranscriptProcessing, if it is still queued.
func (e *Engine) startTranscript(ctx context.Context, w *work) error {
	return w.update(ctx, func(tx Tx) error {
		t, err := tx.Transcript(TranscriptID(w.job.Ref))
		if err != nil || t.Status != TranscriptQueued {
			return err
		}
		return e.moveTranscript(tx, &t, TranscriptStarted, nil)
	})
}

// transcript returns the job's transcript.
func (w *work) transcript(ctx context.Context) (t Transcript, err error) {
	err = w.e.store.View(ctx, func(tx ReadTx) error {
		t, err = tx.Transcript(TranscriptID(w.job.Ref))
		return err
	})
	return t, err
}

// moveTranscript applies an event to a transcript and its recording, and writes both. more, if not nil, may change the recording. There is
// none for a URL's transcript, and for one that has not taken over its recording yet.
func (e *Engine) moveTranscript(tx Tx, t *Transcript, event TranscriptEvent, more func(*Recording)) error {
	var r *Recording
	if t.RecordingID != "" {
		row, err := tx.Recording(t.RecordingID)
		if err != nil {
			return err
		}
		if row.TranscriptID == t.ID {
			r = &row
		}
	}
	if err := t.apply(event, r); err != nil {
		return err
	}
	t.UpdatedAt = e.now()
	if r != nil {
		if more != nil {
			more(r)
		}
		if err := tx.PutRecording(*r); err != nil {
			return err
		}
	}
	return tx.PutTranscript(*t)
}

// runDownload downloads the media of a URL transcription into a blob.
func (e *Engine) runDownload(ctx context.Context, w *work) (func(Tx) error, error) {
	t, err := w.transcript(ctx)
	if err == nil {
		err = w.afterClean(ctx, JobTranscriptClean)
	}
	if err != nil {
		return nil, err
	}
	key := blobKey(transcriptPrefix(t.ID), "media", w.job.ID, w.job.Generation, "")
	if _, err := e.download(ctx, key, FetchRequest{URL: t.URL, MaxSize: MaxUploadSize}); err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		t, err := tx.Transcript(t.ID)
		if err != nil {
			return err
		}
		t.BlobKey, t.UpdatedAt = key, e.now()
		if err := tx.PutTranscript(t); err != nil {
			return err
		}
		return tx.Enqueue(e.jobAfter(w.job, JobTranscribe, w.job.Ref, w.job.Tenant, e.now()))
	}, nil
}

// runTranscribe transcribes the media.
func (e *Engine) runTranscribe(ctx context.Context, w *work) (func(Tx) error, error) {
	t, err := w.transcript(ctx)
	if err == nil {
		err = w.afterClean(ctx, JobTranscriptClean)
	}
	if err != nil {
		return nil, err
	}
	src, err := e.source(ctx, t.BlobKey)
	if err != nil {
		return nil, err
	}
	info, err := e.media.Probe(ctx, src)
	if err == nil {
		err = info.CheckSpeech()
	}
	if err != nil {
		return nil, err
	}
	if err := w.writeDuration(ctx, info); err != nil {
		return nil, err
	}
	origin, err := e.origin(ctx, t)
	if err != nil {
		return nil, err
	}
	report, err := e.transcriptProgress(ctx, t)
	if err != nil {
		return nil, err
	}
	heard, err := withDeadline(ctx, e, "Transcribe", info.Duration, func(ctx context.Context) (Transcription, error) {
		return e.transcriber.Transcribe(ctx, TranscribeRequest{
			Source: src, Info: info, Language: t.Language, BoostedWords: t.BoostedWords, Spellings: t.Spellings,
			SpeakersExpected: t.SpeakersExpected, ContextPrompt: t.ContextPrompt, Origin: origin, Checkpoints: notebook{e, t.ID},
			Progress: func(done float64) { report(ctx, done) },
		})
	})
	if err != nil {
		return nil, err
	}
	info.Duration = max(info.Duration, heard.Duration)
	words := transcript.TidyWords(heard.Words, info.Duration)
	language := transcript.Language(cmp.Or(string(transcript.LanguageOfTag(string(heard.Language))), string(t.Language), string(transcript.DefaultLanguage)))
	words = transcript.ApplySpellings(words, t.Spellings, language)
	if e.diarizeAll && e.diarizer != nil {
		for i := range words {
			words[i].Speaker = ""
		}
		heard.Turns = nil
	}
	unlabeled := !slices.ContainsFunc(words, func(w transcript.Word) bool { return w.Speaker != "" })
	if unlabeled && len(words) > 0 && e.diarizer != nil {
		return e.handToDiarizer(ctx, w, storedWords{
			Language: language, Duration: info.Duration, HasVideo: info.Video != nil, Stereo: info.Audio != nil && info.Audio.Channels == 2,
			Words: words, Turns: heard.Turns,
		})
	}
	if unlabeled {
		words = e.assign(words, nil, language)
	}
	if len(words) == 0 && heard.Model != "" {
		e.log.Warn("the transcriber returned no words", "transcript", t.ID, "model", heard.Model, "duration", info.Duration)
	}
	if len(words) == 0 && t.DetectLanguage {
		return nil, errNoWords(heard.Model)
	}
	transcript.FillSpeakers(words)
	return e.completeTranscript(w.job, t, storedWords{Language: language, Duration: info.Duration, HasVideo: info.Video != nil, Words: words})
}

// transcriptProgress returns a function for the progress of a transcriber. Reports after the end of the attempt are dropped.
func (e *Engine) transcriptProgress(ctx context.Context, t Transcript) (func(ctx context.Context, done float64), error) {
	v := transcriptEvent(t)
	v.Kind = KindTranscriptProgress
	if t.RecordingID != "" {
		if err := e.store.View(ctx, func(tx ReadTx) error {
			r, err := tx.Recording(t.RecordingID)
			v.SpaceID = r.SpaceID
			return err
		}); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, done float64) {
		if ctx.Err() != nil {
			return
		}
		e.progress(t.ID, done)
		if v := v; done >= 0 { // false for NaN
			v.Progress = min(done, 1)
			e.events.report(v)
		}
	}, nil
}

// writeDuration writes the media's duration as soon as it is known, long before the words are.
func (w *work) writeDuration(ctx context.Context, info MediaInfo) error {
	return w.update(ctx, func(tx Tx) error {
		t, err := tx.Transcript(TranscriptID(w.job.Ref))
		if err != nil {
			return err
		}
		t.Duration = info.Duration.Truncate(time.Microsecond)
		return tx.PutTranscript(t)
	})
}

// storedWords is what the transcribe job passes to the diarize job.
type storedWords struct {
	Language transcript.Language
	Duration time.Duration
	HasVideo bool
	Stereo   bool `json:",omitempty"` // of two channels
	Words    []transcript.Word
	Turns    []transcript.Turn `json:",omitempty"` // that the Transcriber found
}

func (e *Engine) handToDiarizer(ctx context.Context, w *work, s storedWords) (func(Tx) error, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	id := TranscriptID(w.job.Ref)
	key := blobKey(transcriptPrefix(id), "words", w.job.ID, w.job.Generation, ".json")
	if _, err := e.storeBlob(ctx, key, BlobMeta{ContentType: "application/json"}, bytes.NewReader(b)); err != nil {
		return nil, err
	}
	if err := e.keepTranscriptBlob(ctx, key, id); err != nil {
		return nil, err
	}
	return func(tx Tx) error {
		t, err := tx.Transcript(id)
		if err != nil {
			return err
		}
		t.WordsKey, t.UpdatedAt = key, e.now()
		if err := tx.PutTranscript(t); err != nil {
			return err
		}
		return tx.Enqueue(e.jobAfter(w.job, JobDiarize, w.job.Ref, w.job.Tenant, e.now()))
	}, nil
}

// runDiarize assigns speakers to the words.
func (e *Engine) runDiarize(ctx context.Context, w *work) (func(Tx) error, error) {
	t, err := w.transcript(ctx)
	if err != nil {
		return nil, err
	}
	var s storedWords
	if err := e.readJSON(ctx, t.WordsKey, &s); err != nil {
		return nil, err
	}
	turns := s.Turns
	if len(turns) == 0 {
		if turns, err = withDeadline(ctx, e, "Diarize", s.Duration, func(ctx context.Context) ([]transcript.Turn, error) {
			return e.listen(ctx, t, s.Stereo)
		}); err != nil {
			return nil, err
		}
	}
	s.Words = e.assign(s.Words, turns, s.Language)
	return e.completeTranscript(w.job, t, s)
}

// listen asks the Diarizer for the turns of a transcript's media. stereo says that it has two channels.
func (e *Engine) listen(ctx context.Context, t Transcript, stereo bool) ([]transcript.Turn, error) {
	src, err := e.source(ctx, t.BlobKey)
	if err != nil {
		return nil, err
	}
	pcm, stereo, err := DecodeFor(ctx, e.diarizer, e.media, src, stereo)
	if err != nil {
		return nil, err
	}
	turns, err := e.diarizer.Diarize(ctx, pcm, transcript.DiarizeOptions{Speakers: t.SpeakersExpected, Stereo: stereo})
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return turns, err
}

// DecodeFor decodes media for a Diarizer. If stereo says that the media has two channels, they stay apart if both d and m have that ability, and
// DecodeFor reports it, for DiarizeOptions.Stereo. The errors are those of Media.Decode.
func DecodeFor(ctx context.Context, d Diarizer, m Media, src Source, stereo bool) (pcm io.ReadCloser, apart bool, err error) {
	if l, ok := d.(StereoListener); ok && stereo && l.HearsStereo() {
		return media.DecodeStereo(ctx, m, src)
	}
	pcm, err = m.Decode(ctx, src)
	return pcm, false, err
}

// errNoWords returns the error for media whose language can't be detected, because it has no words. model is what listened; "" if nothing did,
// because the media is silent.
func errNoWords(model string) error {
	e := Errorf(CodeNoSpeech, "Transcribe", "No speech was found, so the language could not be detected.")
	if model == "" {
		return e
	}
	e.Msg = model + " returned no words, so the language could not be detected."
	return e.WithHint("If there is speech, give its language, try another model, or look into the log of the server.")
}

// completeTranscript builds utterances from labelled words and returns the write that completes the transcript at the end of a job.
func (e *Engine) completeTranscript(j queue.Job, t Transcript, s storedWords) (func(Tx) error, error) {
	transcript.Relabel(s.Words)
	utterances := transcript.BuildUtterances(s.Words, s.Language)
	return func(tx Tx) error {
		t, err := tx.Transcript(t.ID)
		if err != nil {
			return err
		}
		t.Utterances, t.Language, t.Duration, t.WordsKey = utterances, s.Language, s.Duration.Truncate(time.Microsecond), ""
		again, err := takeOver(tx, &t)
		if err != nil {
			return err
		}
		if err := e.moveTranscript(tx, &t, TranscriptFinished, func(r *Recording) {
			r.Language, r.Duration, r.HasVideo = t.Language, t.Duration, s.HasVideo
		}); err != nil {
			return err
		}
		return errors.Join(e.afterTranscript(tx, t, again), e.cleanLater(tx, j, t))
	}, nil
}

// afterTranscript writes the consequences of a completed transcript, in the transaction that completes it. Prompts don't run again.
func (e *Engine) afterTranscript(tx Tx, t Transcript, again bool) error {
	if err := e.countSpeech(tx, t); err != nil || t.RecordingID == "" {
		return err
	}
	r, err := tx.Recording(t.RecordingID)
	if err != nil {
		return err
	}
	if !again {
		err = e.generateFor(tx, r)
	}
	return errors.Join(err, indexTranscript(tx, t), e.emitTranscript(tx, t))
}

// failTranscript ends a transcript whose job failed permanently.
func (e *Engine) failTranscript(tx Tx, j queue.Job, cause error) error {
	t, err := tx.Transcript(TranscriptID(j.Ref))
	if err != nil {
		return err
	}
	t.Error = Message(cause)
	t.ErrorCode, t.ErrorHint, t.ErrorRule = details(cause)
	if err := e.moveTranscript(tx, &t, TranscriptFailed, nil); err != nil {
		return err
	}
	return e.cleanLater(tx, j, t)
}

// cleanLater enqueues the removal of the transcript's own blobs at the end of a job.
func (e *Engine) cleanLater(tx Tx, j queue.Job, t Transcript) error {
	account, err := payerOf(tx, t)
	if err != nil {
		return err
	}
	return tx.Enqueue(e.jobAfter(j, JobTranscriptClean, string(t.ID), string(account), e.now()))
}

// runTranscriptClean removes the intermediate blobs of a transcription.
func (e *Engine) runTranscriptClean(ctx context.Context, w *work) (func(Tx) error, error) {
	return nil, e.sweep(ctx, transcriptPrefix(TranscriptID(w.job.Ref)), "")
}

func (e *Engine) readJSON(ctx context.Context, key string, v any) error {
	body, err := e.blobs.Open(ctx, key, 0, -1)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	return json.NewDecoder(body).Decode(v)
}

// source returns a blob as a Source for Media and Transcriber.
func (e *Engine) source(ctx context.Context, key string) (Source, error) {
	if key == "" { // a repair took it away
		return nil, Errorf(CodeUnavailable, "", "The media was damaged on the disk and is no longer there.").WithHint("Upload it again.")
	}
	if pinning, ok := e.blobs.(PinningBlobs); ok {
		return pinning.Pin(ctx, key)
	}
	info, err := e.blobs.Stat(ctx, key)
	if err != nil {
		return nil, err
	}
	src := blob.Source{Blobs: e.blobs, Key: key, Length: info.Size}
	if local, ok := e.blobs.(LocalBlobs); ok {
		return blob.LocalSource{Source: src, Files: local}, nil
	}
	return src, nil
}
