package engine

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// RecordingID identifies a Recording.
type RecordingID string

const (
	// DefaultPageSize and MaxPageSize limit a page of recordings (specification, "Limits").
	DefaultPageSize = 25
	MaxPageSize     = 100
	// MaxSpeakersExpected is the largest accepted hint.
	MaxSpeakersExpected = 100
	maxContextPrompt    = 10_000 // characters
)

// Recording is a piece of audio or video in a space, with its transcript.
type Recording struct {
	ID               RecordingID
	SpaceID          SpaceID
	UploadID         UploadID // "" unless created from an upload
	ImportID         ImportID // "" unless created by an import
	Title            string
	Number           int                 // ordinal in the space: from 1, without gaps, never reused
	Language         transcript.Language // of its transcript
	TranscriptID     TranscriptID
	TranscriptStatus TranscriptStatus // always equals its transcript's
	NextTranscriptID TranscriptID     // of the transcript that TranscribeAgain is making, or failed to make; "" for none
	Revision         int              // of its completed transcript: 0, and one more after each edit and each TranscribeAgain
	Duration         time.Duration    // 0 until the media was probed
	HasVideo         bool             // false until the media was probed
	BlobKey          string           // of the media
	Size             int64            // bytes of the media
	CreatedAt        time.Time        // UTC, microseconds
	PublishedAt      *time.Time
	EpisodeNumber    *int
	SeasonNumber     *int
	RSS              *RSS // nil unless it was imported from a feed
	Tags
}

// RSS identifies the feed item of a recording.
type RSS struct {
	GUID          string    `json:"guid"`
	PublishedAt   time.Time `json:"published_at"`
	EpisodeNumber *int      `json:"episode_number,omitempty"`
}

// HasTranscript reports whether the transcript is completed.
func (r Recording) HasTranscript() bool { return r.TranscriptStatus == TranscriptCompleted }

// NewRecording is the request for a recording.
type NewRecording struct {
	ObjectID         UploadID            // required
	SpaceID          SpaceID             // default the upload's
	Title            string              // default the upload's, then its file name
	Language         transcript.Language // default the space's
	DetectLanguage   bool                // detect the language when Language is ""; not part of /v1
	SpeakersExpected int                 // hint; 0 when unknown
	ContextPrompt    string              // what the recording is about; used by transcription and generation
	Tags                                 // not part of /v1
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (n NewRecording) Validate() error {
	const op = "CreateRecording"
	if n.ObjectID == "" {
		return Errorf(CodeInvalid, op, "object_id is required.").WithRule("recording.object-required").WithHint("Create an upload first and send its bytes.")
	}
	return n.validateSettings(op)
}

// validateSettings validates everything except ObjectID.
func (n NewRecording) validateSettings(op string) error {
	switch {
	case n.Language != "" && !n.Language.Supported():
		return Errorf(CodeInvalid, op, "language is not a supported language code.").WithRule("recording.language-unknown")
	case n.SpeakersExpected < 0 || n.SpeakersExpected > MaxSpeakersExpected:
		return Errorf(CodeInvalid, op, "speakers_expected must be a number from 1 to %d.", MaxSpeakersExpected)
	case len([]rune(n.ContextPrompt)) > maxContextPrompt:
		return Errorf(CodeInvalid, op, "context_prompt is longer than %d characters.", maxContextPrompt)
	}
	if err := n.Tags.Validate(); err != nil {
		return err
	}
	return input.CheckLine(op, "title", n.Title)
}

// CreateRecording creates a recording from an upload whose bytes have arrived, gives it the next number of its space, and queues its
// transcription, all in one transaction. It returns the recording and its space as that transaction wrote them. Errors: CodeInvalid,
// CodeNotFound (object or space), CodeConflict (used object, inactive space, an external id that the space has already),
// CodeUnprocessable (bytes are missing, or those of a direct upload are not the declared ones).
func (e *Engine) CreateRecording(ctx context.Context, c Caller, n NewRecording) (Recording, Space, error) {
	const op = "CreateRecording"
	if err := n.Validate(); err != nil {
		return Recording{}, Space{}, err
	}
	if err := e.canTranscribe(op); err != nil {
		return Recording{}, Space{}, err
	}
	direct, err := e.verifyUpload(ctx, c, n)
	if err != nil {
		return Recording{}, Space{}, wrap(op, err)
	}
	r := e.newRecording()
	r.UploadID, r.Tags = n.ObjectID, n.Tags
	var space Space
	err = e.update(ctx, func(tx Tx) error {
		u, err := ownUpload(tx, c, n.ObjectID)
		if err != nil {
			return err
		}
		if space, err = activeSpace(tx, c, n.spaceOf(u)); err != nil { // an unknown space comes before the state of the upload
			return err
		}
		if u, err = takeUpload(tx, u, direct); err != nil {
			return err
		}
		r.BlobKey, r.Size = u.BlobKey, u.StoredSize
		r.Title = cmp.Or(strings.TrimSpace(n.Title), u.Title, u.Filename)
		return e.addRecording(tx, c.UserID, &space, &r, n)
	})
	e.dropStaged(ctx, n.ObjectID, direct, err)
	if err != nil {
		return Recording{}, Space{}, wrap(op, err)
	}
	return r, space, nil
}

// spaceOf returns the id of the requested space, or of the upload's.
func (n NewRecording) spaceOf(u Upload) SpaceID { return cmp.Or(n.SpaceID, u.SpaceID) }

// canTranscribe returns CodeUnavailable without the ports of a transcription.
func (e *Engine) canTranscribe(op string) error {
	if e.transcriber == nil || e.media == nil {
		return Errorf(CodeUnavailable, op, "Transcription is not configured.").WithHint("Set Config.Transcriber and Config.Media.")
	}
	return nil
}

// newRecording returns a recording that begins now, with new ids.
func (e *Engine) newRecording() Recording {
	return e.recordingFromNow(RecordingID(e.ids.NewID("recording")), TranscriptID(e.ids.NewID("transcript")))
}

// recordingFromNow returns a recording that begins now.
func (e *Engine) recordingFromNow(id RecordingID, transcript TranscriptID) Recording {
	now := e.created("recording")
	return Recording{
		ID: id, TranscriptID: transcript,
		TranscriptStatus: transcriptMachine.Initial(), CreatedAt: now, PublishedAt: &now,
	}
}

// addRecording writes a new recording of the space with the next number, and queues its transcription. The recording already has its
// media and title; n has what the user requested.
func (e *Engine) addRecording(tx Tx, user UserID, space *Space, r *Recording, n NewRecording) error {
	r.SpaceID = space.ID
	if err := checkExternalID(tx, *r); err != nil {
		return err
	}
	r.Language = transcript.Language(cmp.Or(string(n.Language), string(space.Language), string(transcript.DefaultLanguage)))
	space.LastNumber++
	r.Number = space.LastNumber
	if err := tx.PutSpace(*space); err != nil {
		return err
	}
	if err := tx.PutRecording(*r); err != nil {
		return err
	}
	t := Transcript{
		ID: r.TranscriptID, UserID: user, RecordingID: r.ID, Status: transcriptMachine.Initial(),
		Transcript: transcript.Transcript{Language: r.Language}, DetectLanguage: n.DetectLanguage && n.Language == "", BoostedWords: space.BoostedWords, Spellings: space.Spellings,
		SpeakersExpected: n.SpeakersExpected, ContextPrompt: n.ContextPrompt, BlobKey: r.BlobKey, CreatedAt: r.CreatedAt,
	}
	if t.DetectLanguage {
		t.Language = ""
	}
	if err := tx.PutTranscript(t); err != nil {
		return err
	}
	if err := indexTitle(tx, *r); err != nil {
		return err
	}
	return tx.Enqueue(e.firstJob(JobTranscribe, string(t.ID), string(space.AccountID), e.now()))
}

// takeUpload marks an upload as used. It must have all its bytes. direct are the verified bytes of a direct upload; zero for none.
func takeUpload(tx Tx, u Upload, direct arrival) (Upload, error) {
	if direct.Key != "" && u.direct() {
		u.BlobKey, u.StoredSize, u.SHA256 = direct.Key, direct.Size, direct.SHA256
		if err := u.apply(UploadReceived); err != nil {
			return Upload{}, err
		}
	}
	switch u.Status {
	case UploadUsed:
		return Upload{}, Errorf(CodeConflict, "", "A recording was already created from this upload.").WithRule("recording.object-used")
	case UploadReserved, UploadExpired:
		return Upload{}, errBytesMissing
	}
	if u.StoredSize != u.Size {
		return Upload{}, Errorf(CodeUnprocessable, "", "The upload has %d bytes, but %d were declared.", u.StoredSize, u.Size).WithRule("recording.bytes-wrong").
			WithHint("PUT the whole file to the upload_url again.")
	}
	if err := u.apply(UploadTaken); err != nil {
		return Upload{}, err
	}
	return u, tx.PutUpload(u)
}

var errBytesMissing = Errorf(CodeUnprocessable, "", "The upload's bytes never arrived.").WithRule("recording.bytes-missing").
	WithHint("Create an upload and PUT the file's bytes to its upload_url before it expires.")

// ownUpload returns an upload of the caller, or CodeNotFound.
func ownUpload(tx ReadTx, c Caller, id UploadID) (Upload, error) {
	u, err := tx.Upload(id)
	if err == nil && u.UserID != c.UserID {
		err = NotFound("", "upload")
	}
	return u, addRule(CodeNotFound, "recording.object-unknown", err)
}

// GetRecording returns a recording of a space that the caller belongs to, with its space, or CodeNotFound.
func (e *Engine) GetRecording(ctx context.Context, c Caller, id RecordingID) (r Recording, s Space, err error) {
	const op = "GetRecording"
	if e.joining != nil {
		r, s, err = e.joining.MemberRecording(ctx, id, c.UserID)
		return r, s, wrap(op, err)
	}
	err = e.store.View(ctx, func(tx ReadTx) error {
		r, s, err = visibleRecording(tx, c, id)
		return err
	})
	return r, s, wrap(op, err)
}

func visibleRecording(tx ReadTx, c Caller, id RecordingID) (Recording, Space, error) {
	r, err := tx.Recording(id)
	if err != nil {
		return Recording{}, Space{}, err
	}
	s, err := memberSpace(tx, c, r.SpaceID)
	if err != nil {
		return Recording{}, Space{}, notFoundAs("", "recording", err)
	}
	return r, s, nil
}

// OpenMedia reads the media of a recording, n bytes from off; n < 0 reads to the end.
func (e *Engine) OpenMedia(ctx context.Context, c Caller, id RecordingID, off, n int64) (io.ReadCloser, error) {
	r, _, err := e.GetRecording(ctx, c, id)
	if err != nil {
		return nil, err
	}
	body, err := e.blobs.Open(ctx, r.BlobKey, off, n)
	return body, wrap("OpenMedia", err)
}
