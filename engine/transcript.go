package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// TranscriptID identifies a Transcript.
type TranscriptID string

const (
	// MaxBoostedWords and MaxBoostedWord limit the boosted words of a request.
	MaxBoostedWords = 1000
	MaxBoostedWord  = 100 // characters
)

// Transcript is the row of a transcript: of a recording, or of a URL. It has words when its Status is TranscriptCompleted.
type Transcript struct {
	ID          TranscriptID
	UserID      UserID      // who requested it
	RecordingID RecordingID // "" for a URL's transcript
	URL         string      // "" for a recording's transcript
	Status      TranscriptStatus
	Error       string // one sentence; only when Status is TranscriptError
	ErrorCode   Code   // of the error; only when Status is TranscriptError
	ErrorHint   string // what to do about the error; "" when unknown
	ErrorRule   Rule   // of the error; "" when its code is enough

	// The embedded Transcript has the words. Until it is completed, its Language is the requested one, "" to detect it.
	transcript.Transcript

	// The request.
	DetectLanguage   bool // detection was requested
	BoostedWords     []string
	Spellings        []transcript.Spelling
	SpeakersExpected int
	ContextPrompt    string

	BlobKey   string // of the media; "" for a URL that is not downloaded yet
	WordsKey  string // of words that still need speakers; "" without any
	CreatedAt time.Time
	UpdatedAt time.Time
}

// NewTranscript is the request to transcribe a URL.
type NewTranscript struct {
	URL            string              // required; http or https
	Language       transcript.Language // takes precedence over DetectLanguage; default DefaultLanguage unless that is set
	DetectLanguage bool
	BoostedWords   []string

	SpeakersExpected int // hint; 0 when unknown. Not part of /v1
}

// Validate returns the messages of every invalid field, or nil.
func (n NewTranscript) Validate() input.FieldErrors {
	f := input.FieldErrors{}
	switch {
	case strings.TrimSpace(n.URL) == "":
		f["url"] = []string{input.MsgBlank}
	case !input.UsableURL(n.URL):
		f["url"] = []string{input.MsgURL}
	}
	if n.Language != "" && !n.Language.Supported() {
		f["language_code"] = []string{input.MsgInvalid}
	}
	if len(n.BoostedWords) > MaxBoostedWords || slices.ContainsFunc(n.BoostedWords, badBoostedWord) {
		f["boosted_words"] = []string{input.MsgInvalid}
	}
	if len(f) == 0 {
		return nil
	}
	return f
}

func badBoostedWord(w string) bool {
	return strings.TrimSpace(w) == "" || !utf8.ValidString(w) || transcript.HasControl(w) || utf8.RuneCountInString(w) > MaxBoostedWord
}

// CreateTranscript queues the transcription of a URL. It creates no recording. Errors: CodeInvalid whose Err is an input.FieldErrors,
// CodeUnavailable.
func (e *Engine) CreateTranscript(ctx context.Context, c Caller, n NewTranscript) (Transcript, error) {
	const op = "CreateTranscript"
	if f := n.Validate(); f != nil {
		return Transcript{}, Errorf(CodeInvalid, op, "The request is not valid: %s.", f).Because(f)
	}
	if e.transcriber == nil || e.media == nil || e.fetcher == nil {
		return Transcript{}, Errorf(CodeUnavailable, op, "Transcription of URLs is not configured.").
			WithHint("Set Config.Transcriber, Config.Media and Config.Fetcher.")
	}
	now := e.now()
	t := Transcript{
		ID: TranscriptID(e.ids.NewID("transcript")), UserID: c.UserID, URL: n.URL, Status: transcriptMachine.Initial(),
		Transcript: transcript.Transcript{Language: n.Language}, BoostedWords: n.BoostedWords, SpeakersExpected: n.SpeakersExpected, CreatedAt: now, UpdatedAt: now,
	}
	if t.Language == "" {
		if t.DetectLanguage = n.DetectLanguage; !t.DetectLanguage {
			t.Language = transcript.DefaultLanguage
		}
	}
	err := e.update(ctx, func(tx Tx) error {
		if err := tx.PutTranscript(t); err != nil {
			return err
		}
		return tx.Enqueue(e.newJob(JobDownload, string(t.ID), string(c.AccountID), now))
	})
	return t, wrap(op, err)
}

// GetTranscript returns the transcript of a URL of the caller's user, in any status, or CodeNotFound.
func (e *Engine) GetTranscript(ctx context.Context, c Caller, id TranscriptID) (t Transcript, err error) {
	const op = "GetTranscript"
	err = e.store.View(ctx, func(tx ReadTx) error {
		t, err = tx.Transcript(id)
		return err
	})
	if err == nil && (t.UserID != c.UserID || t.RecordingID != "") {
		err = NotFound(op, "transcript")
	}
	if err != nil {
		return Transcript{}, wrap(op, err)
	}
	return t, nil
}

// RecordingTranscript is the completed transcript of a recording with what a document of it needs.
type RecordingTranscript struct {
	Transcript transcript.Transcript
	Recording  Recording
	Space      Space
	Names      map[string]string // of assigned speakers, by label
}

// GetRecordingTranscript returns the transcript of a recording of a space that the caller belongs to. Errors: CodeNotFound, and
// CodeNotReady when it is not completed. The message of CodeNotReady has the status. For TranscriptError, its cause is an *Error with
// code, message, and hint of the failure.
func (e *Engine) GetRecordingTranscript(ctx context.Context, c Caller, id RecordingID) (rt RecordingTranscript, err error) {
	rt, _, err = e.completedTranscript(ctx, c, id)
	return rt, err
}

// completedTranscript is GetRecordingTranscript with the transcript's row.
func (e *Engine) completedTranscript(ctx context.Context, c Caller, id RecordingID) (rt RecordingTranscript, t Transcript, err error) {
	const op = "GetRecordingTranscript"
	err = e.store.View(ctx, func(tx ReadTx) error {
		if rt.Recording, rt.Space, err = visibleRecording(tx, c, id); err != nil {
			return err
		}
		status := rt.Recording.TranscriptStatus
		notReady := Errorf(CodeNotReady, op, "The transcript is not ready: its status is %s, and a completed transcript is required.", status)
		if status != TranscriptCompleted && status != TranscriptError {
			return notReady
		}
		if t, err = tx.Transcript(rt.Recording.TranscriptID); err != nil {
			return err
		}
		if status == TranscriptError {
			return notReady.Because(t.failure()).WithHint(t.Error)
		}
		rt.Transcript = t.Transcript
		rt.Names, err = speakerNames(tx, id)
		return err
	})
	if err != nil {
		return RecordingTranscript{}, Transcript{}, wrap(op, err)
	}
	return rt, t, nil
}

// WaitTranscript waits until the transcript of a URL is completed, and returns it. If it failed, the error says why, and the transcript is
// returned, too. Other errors: those of GetTranscript, and ctx's.
func (e *Engine) WaitTranscript(ctx context.Context, c Caller, id TranscriptID) (Transcript, error) {
	t, err := waitFor(ctx, e, func() (Transcript, bool, error) {
		t, err := e.GetTranscript(ctx, c, id)
		return t, t.Status.Over(), err
	})
	return t, wrap("WaitTranscript", cmp.Or(err, t.failure()))
}

// WaitRecording waits until the recording's transcript is completed, and the one that TranscribeAgain is making, too. It returns the
// recording. If a transcription failed, the error says why, and the recording is returned, too. Other errors: those of GetRecording, and
// ctx's.
func (e *Engine) WaitRecording(ctx context.Context, c Caller, id RecordingID) (Recording, error) {
	const op = "WaitRecording"
	return waitFor(ctx, e, func() (r Recording, over bool, err error) {
		var failure error
		err = e.store.View(ctx, func(tx ReadTx) (err error) {
			if r, _, err = visibleRecording(tx, c, id); err == nil {
				over, failure, err = transcribed(tx, r)
			}
			return err
		})
		return r, over, wrap(op, cmp.Or(err, failure))
	})
}

// waitText is WaitRecording without an error if TranscribeAgain failed and the old transcript is there.
func (e *Engine) waitText(ctx context.Context, c Caller, id RecordingID) error {
	r, err := e.WaitRecording(ctx, c, id)
	if err == nil || !r.HasTranscript() {
		return err
	}
	if next, nextErr := e.GetNextTranscript(ctx, c, id); nextErr == nil && next.Status == TranscriptError {
		return nil
	}
	return err
}

// transcribed reports whether no transcription of a recording goes on, and why its last one failed.
func transcribed(tx ReadTx, r Recording) (over bool, failure, err error) {
	last := r.TranscriptID
	if r.NextTranscriptID != "" {
		last = r.NextTranscriptID
	}
	if last == "" {
		return r.TranscriptStatus.Over(), nil, nil
	}
	t, err := tx.Transcript(last)
	if err != nil || !r.TranscriptStatus.Over() || !t.Status.Over() {
		return false, nil, err
	}
	return true, t.failure(), nil
}
