package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// ImportStatus is the state of an Import: stored form and wire form.
type ImportStatus string

const (
	ImportQueued     ImportStatus = "queued"     // waiting for a worker
	ImportProcessing ImportStatus = "processing" // being resolved or downloaded
	ImportCompleted  ImportStatus = "completed"  // the recording exists
	ImportError      ImportStatus = "error"      // failed permanently; Error says why
	ImportCanceled   ImportStatus = "canceled"   // stopped by an operator
)

// ImportEvent is a transition of an Import.
type ImportEvent string

const (
	ImportStarted  ImportEvent = "started"  // a worker started its first attempt
	ImportFinished ImportEvent = "finished" // the media is stored and its recording created
	ImportFailed   ImportEvent = "failed"   // it failed permanently
	ImportStopped  ImportEvent = "stopped"  // it was canceled
	ImportRetried  ImportEvent = "retried"  // RetryImport was called
)

// importMachine is every state of an import and every transition (specification, "States and transitions").
var importMachine = fsm.New("import", ImportQueued, fsm.Table[ImportStatus, ImportEvent]{
	ImportQueued:     {ImportStarted: ImportProcessing, ImportFailed: ImportError, ImportStopped: ImportCanceled},
	ImportProcessing: {ImportFinished: ImportCompleted, ImportFailed: ImportError, ImportStopped: ImportCanceled},
	ImportCompleted:  {},
	ImportError:      {ImportRetried: ImportQueued},
	ImportCanceled:   {},
}).Reopening(ImportRetried)

// Over reports whether the status is final.
func (s ImportStatus) Over() bool { return importMachine.Terminal(s) }

// apply changes the import's status; nothing else assigns it.
func (i *Import) apply(event ImportEvent) error {
	next, err := importMachine.Next(i.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Import", "The import is already %s.", i.Status).Because(err)
	}
	i.Status = next
	return nil
}

// importOfExternalID returns the import of the space's recording with an external id, or the unfinished import that will create it.
// The import of a recording that was added otherwise has no ID.
func importOfExternalID(tx ReadTx, space SpaceID, id string) (Import, bool, error) {
	if id == "" {
		return Import{}, false, nil
	}
	r, err := tx.RecordingByExternalID(space, id)
	switch {
	case err == nil && r.ImportID == "":
		return Import{
			SpaceID: space, Title: r.Title, Status: ImportCompleted, Progress: 1, RecordingID: r.ID, Size: r.Size, Tags: r.Tags,
			CreatedAt: r.CreatedAt, UpdatedAt: r.CreatedAt,
		}, true, nil
	case err == nil:
		i, err := tx.Import(r.ImportID)
		return i, err == nil, err
	case CodeOf(err) != CodeNotFound:
		return Import{}, false, err
	}
	imports, err := tx.ImportsOfExternalID(space, id)
	for _, i := range imports {
		if err == nil && !importMachine.Terminal(i.Status) {
			return i, true, nil
		}
	}
	return Import{}, false, err
}
