package engine

import (
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
	// MaxBoostedWords and MaxBoostedWord bound the words that a request may boost.
	MaxBoostedWords = 1000
	MaxBoostedWord  = 100 // characters
	// MinSpeech is the shortest audio that can be transcribed.
	MinSpeech = 160 * time.Millisecond
)

// Transcript is the row of one piece of media's speech as text: of a recording, or of a URL. Its words are there when its
// Status is TranscriptCompleted.
type Transcript struct {
	ID          TranscriptID
	UserID      UserID      // who asked for it
	RecordingID RecordingID // "" for a URL's
	URL         string      // "" for a recording's
	Status      TranscriptStatus
	Error       string // one sentence; only when Status is TranscriptError
	ErrorCode   Code   // what kind of failure it was; only when Status is TranscriptError
	ErrorHint   string // what to do about it; "" when that is not known
	ErrorRule   Rule   // of the error; "" where the code says all

	// TranscriptText is what was said. Its Language is the requested one until the transcript is completed, "" to detect it.
	transcript.Transcript

	// What was asked.
	DetectLanguage   bool // whether detection was asked for
	BoostedWords     []string
	Spellings        []transcript.Spelling
	SpeakersExpected int
	ContextPrompt    string

	BlobKey   string // where the media is; "" for a URL that is not downloaded
	WordsKey  string // where words that still need speakers are; "" when there are none
	CreatedAt time.Time
	UpdatedAt time.Time
}

// NewTranscript is the request to transcribe a URL.
type NewTranscript struct {
	URL            string              // required; http or https
	Language       transcript.Language // wins over DetectLanguage; default DefaultLanguage unless that is set
	DetectLanguage bool
	BoostedWords   []string

	SpeakersExpected int // hint; 0 when unknown. Not part of /v1
}

// FieldErrors are messages by the name of the field that they are about: the Err of a CodeInvalid Error of CreateTranscript.
type FieldErrors map[string][]string

func (f FieldErrors) Error() string {
	names := make([]string, 0, len(f))
	for name, messages := range f {
		names = append(names, name+" "+strings.Join(messages, ", "))
	}
	slices.Sort(names)
	return strings.Join(names, "; ")
}

// Messages of FieldErrors (decisions.md, URL transcription).
const (
	MsgBlank   = "can't be blank"
	MsgURL     = "must be a valid url"
	MsgInvalid = "is invalid"
)

// Validate returns every field that is wrong, or nil.
func (n NewTranscript) Validate() FieldErrors {
	f := FieldErrors{}
	switch {
	case strings.TrimSpace(n.URL) == "":
		f["url"] = []string{MsgBlank}
	case !input.UsableURL(n.URL):
		f["url"] = []string{MsgURL}
	}
	if n.Language != "" && !n.Language.Supported() {
		f["language_code"] = []string{MsgInvalid}
	}
	if len(n.BoostedWords) > MaxBoostedWords || slices.ContainsFunc(n.BoostedWords, badBoostedWord) {
		f["boosted_words"] = []string{MsgInvalid}
	}
	if len(f) == 0 {
		return nil
	}
	return f
}

func badBoostedWord(w string) bool {
	return strings.TrimSpace(w) == "" || !utf8.ValidString(w) || transcript.HasControl(w) || utf8.RuneCountInString(w) > MaxBoostedWord
}

// CreateTranscript queues the transcription of a URL and creates nothing else. Errors: CodeInvalid whose Err is a
// FieldErrors, CodeUnavailable.
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
		return tx.Enqueue(e.newJob(jobDownload, string(t.ID), string(c.AccountID), now))
	})
	return t, wrap(op, err)
}

// GetTranscript returns the transcript of a URL that the caller's user asked for, in whatever status; else CodeNotFound.
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

// failure is why a transcript failed.
func (t Transcript) failure() *Error {
	return &Error{Code: t.ErrorCode, Rule: t.ErrorRule, Msg: t.Error, Hint: t.ErrorHint}
}

// RecordingTranscript is the completed transcript of a recording, with what a document made of it needs.
type RecordingTranscript struct {
	Transcript transcript.Transcript
	Recording  Recording
	Space      Space
	Names      map[string]string // of the speakers that are assigned to labels, by label
}

// GetRecordingTranscript returns the transcript of a recording of a space that the caller belongs to. Errors:
// CodeNotFound, and CodeNotReady when it is not completed: the sentence names the status, and where that is
// TranscriptError the cause is an *Error with the code, the sentence, and the hint of the failure.
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

// WaitTranscript returns the transcript of a URL when it has reached a terminal status, or ctx's error.
func (e *Engine) WaitTranscript(ctx context.Context, c Caller, id TranscriptID) (Transcript, error) {
	return waitFor(ctx, e, func() (Transcript, bool, error) {
		t, err := e.GetTranscript(ctx, c, id)
		return t, transcriptMachine.Terminal(t.Status), err
	})
}

// WaitRecording returns the recording when its transcript has reached a terminal status, or ctx's error.
func (e *Engine) WaitRecording(ctx context.Context, c Caller, id RecordingID) (Recording, error) {
	return waitFor(ctx, e, func() (Recording, bool, error) {
		r, _, err := e.GetRecording(ctx, c, id)
		return r, transcriptMachine.Terminal(r.TranscriptStatus), err
	})
}
