package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ImportID identifies an Import; it begins with "imp_".
type ImportID string

// Import creates a recording from a URL.
type Import struct {
	ID          ImportID
	UserID      UserID
	AccountID   AccountID // the space's, whose storage it uses
	SpaceID     SpaceID
	URL         string // as submitted
	Title       string // for the recording; "" while unknown
	Status      ImportStatus
	Progress    float64 // 0 to 1, never falls
	Error       string  // one sentence; only when Status is ImportError or ImportCanceled
	ErrorCode   Code    // of the error; "" if it failed before codes were stored
	ErrorHint   string  // what to do about the error; "" when unknown
	ErrorRule   Rule    // of the error; "" when its code is enough
	RecordingID RecordingID
	Size        int64 // bytes of reserved storage; 0 until downloaded

	// For an item of a feed.
	FeedItem      string // podcast.Key of the item; "" for other imports
	RSS           *RSS
	EpisodeNumber *int
	SeasonNumber  *int
	PublishedAt   *time.Time

	// For the recording; not part of /v1.
	Language         transcript.Language // "" for the space's
	DetectLanguage   bool
	SpeakersExpected int
	ContextPrompt    string
	BareTitle        bool // a title that is made from the file name has no extension
	Tags

	CreatedAt time.Time
	UpdatedAt time.Time
}

// NewImport is the request for an import.
type NewImport struct {
	URL     string  // required; http or https
	SpaceID SpaceID // default the caller's default space
	Title   string  // of the recording; default the title of the page or the file name

	// As in NewRecording; not part of /v1.
	Language         transcript.Language
	DetectLanguage   bool
	SpeakersExpected int
	ContextPrompt    string
	BareTitle        bool // a title that is made from the file name has no extension
	Tags
}

// Validate returns what is wrong with the request, as CodeInvalid.
func (n NewImport) Validate() error {
	const op = "CreateImport"
	if err := input.CheckURL(op, n.URL); err != nil {
		return err
	}
	return n.recording().validateSettings(op)
}

// recording returns what the import's recording is requested with.
func (n NewImport) recording() NewRecording {
	return NewRecording{
		Title: n.Title, Language: n.Language, DetectLanguage: n.DetectLanguage, SpeakersExpected: n.SpeakersExpected,
		ContextPrompt: n.ContextPrompt, Tags: n.Tags,
	}
}

// fileTitle returns the title that a file name gives the recording of the import.
func (i Import) fileTitle(name string) string {
	if i.BareTitle {
		name = withoutExtension(input.FileName(name))
	}
	return input.FileTitle(name)
}

// CreateImport queues the import of a recording from a URL. If the space has a recording or an unfinished import with the same external
// id, that one is returned and nothing is queued. Errors that only the URL's server can cause make the import end in
// ImportError. A page of a site is such an error when there is no Resolver. Errors: CodeInvalid, CodeNotPublic, CodeNotFound (the space),
// CodeConflict (the space is inactive), CodeStorageLimit (no storage is left), CodeUnavailable.
func (e *Engine) CreateImport(ctx context.Context, c Caller, n NewImport) (Import, error) {
	const op = "CreateImport"
	if err := n.Validate(); err != nil {
		return Import{}, err
	}
	if err := e.canImport(op); err != nil {
		return Import{}, err
	}
	if err := e.checkURL(ctx, n.URL); err != nil {
		return Import{}, wrap(op, err)
	}
	i := e.newImport(c, n.URL, strings.TrimSpace(n.Title), e.created("import"))
	i.Language, i.DetectLanguage, i.SpeakersExpected, i.ContextPrompt, i.Tags = n.Language, n.DetectLanguage, n.SpeakersExpected, n.ContextPrompt, n.Tags
	i.BareTitle = n.BareTitle
	err := e.update(ctx, func(tx Tx) error {
		space, err := importSpace(tx, c, n.SpaceID)
		if err != nil {
			return err
		}
		i.SpaceID, i.AccountID = space.ID, space.AccountID
		first, found, err := importOfExternalID(tx, space.ID, n.ExternalID)
		if err != nil {
			return err
		}
		if found {
			i = first
			return nil
		}
		return e.queueImport(tx, i, e.now())
	})
	if err != nil {
		return Import{}, wrap(op, err)
	}
	return i, nil
}

func (e *Engine) canImport(op string) error {
	if e.transcriber == nil || e.media == nil || e.fetcher == nil {
		return Errorf(CodeUnavailable, op, "Imports are not configured.").
			WithHint("Set Config.Transcriber, Config.Media and Config.Fetcher.")
	}
	return nil
}

// newImport returns an import without a space.
func (e *Engine) newImport(c Caller, url, title string, at time.Time) Import {
	return Import{
		ID: ImportID("imp_" + strings.ReplaceAll(e.ids.NewID("import"), "-", "")), UserID: c.UserID, URL: url, Title: title,
		Status: importMachine.Initial(), CreatedAt: at, UpdatedAt: at,
	}
}

// importSpace returns the space to import into: id, or the caller's default. The space must be active and its account must have storage
// left.
func importSpace(tx ReadTx, c Caller, id SpaceID) (Space, error) {
	space, err := activeSpace(tx, c, SpaceID(cmp.Or(string(id), string(c.DefaultSpaceID))))
	if err != nil {
		return Space{}, err
	}
	account, err := tx.Account(space.AccountID)
	if err == nil {
		err = account.reserve(1)
	}
	return space, err
}

func (e *Engine) queueImport(tx Tx, i Import, due time.Time) error {
	if err := tx.PutImport(i); err != nil {
		return err
	}
	return tx.Enqueue(e.newJob(JobImport, string(i.ID), string(i.AccountID), due))
}

// GetImport returns an import of the caller's user, in any status, or CodeNotFound.
func (e *Engine) GetImport(ctx context.Context, c Caller, id ImportID) (i Import, err error) {
	const op = "GetImport"
	err = e.store.View(ctx, func(tx ReadTx) error {
		i, err = tx.Import(id)
		return err
	})
	if err == nil && i.UserID != c.UserID {
		err = NotFound(op, "import")
	}
	if err != nil {
		return Import{}, wrap(op, err)
	}
	return i, nil
}

// WaitImport waits until the import is completed, and returns it; the transcription of its recording may still run. If the import failed or
// was canceled, the error says why, and the import is returned, too. Other errors: those of GetImport, and ctx's.
func (e *Engine) WaitImport(ctx context.Context, c Caller, id ImportID) (Import, error) {
	i, err := waitFor(ctx, e, func() (Import, bool, error) {
		i, err := e.GetImport(ctx, c, id)
		return i, i.Status.Over(), err
	})
	return i, wrap("WaitImport", cmp.Or(err, i.failure()))
}

// CancelImport stops an import: immediately if it waits or runs in this process, else at the next heartbeat of the process that runs it.
// The import ends in ImportCanceled. CancelImport is for operators: it takes no Caller. Errors: CodeNotFound, CodeConflict (the import is
// over).
func (e *Engine) CancelImport(ctx context.Context, id ImportID) error {
	const op = "CancelImport"
	var j queue.Job
	err := e.store.View(ctx, func(tx ReadTx) error {
		i, err := tx.Import(id)
		if err == nil && importMachine.Terminal(i.Status) {
			err = Errorf(CodeConflict, op, "The import is already %s.", i.Status)
		}
		if err == nil {
			j, err = tx.JobByKey(queue.Key(JobImport, string(id)))
		}
		return err
	})
	if err == nil {
		err = e.CancelJob(ctx, j.ID)
	}
	return wrap(op, err)
}

// recording returns what the import's recording was requested with.
func (i Import) recording() NewRecording {
	return NewRecording{Language: i.Language, DetectLanguage: i.DetectLanguage, SpeakersExpected: i.SpeakersExpected, ContextPrompt: i.ContextPrompt, Tags: i.Tags}
}
