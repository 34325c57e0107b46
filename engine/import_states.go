package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// ImportStatus is the state of an Import: stored form and wire form.
type ImportStatus string

const (
	ImportQueued     ImportStatus = "queued"     // accepted, nothing done yet
	ImportProcessing ImportStatus = "processing" // being resolved or downloaded
	ImportCompleted  ImportStatus = "completed"  // the recording exists
	ImportError      ImportStatus = "error"      // it failed for good; Error says why
	ImportCanceled   ImportStatus = "canceled"   // an operator stopped it
)

// ImportEvent is what happens to an Import.
type ImportEvent string

const (
	ImportStarted  ImportEvent = "started"  // a worker took it up for the first time
	ImportFinished ImportEvent = "finished" // the media is stored and its recording made
	ImportFailed   ImportEvent = "failed"   // it can't be done
	ImportStopped  ImportEvent = "stopped"  // a cancel was asked for and carried out
)

// importMachine is every state of an import and every way out of it (service.md, States and transitions).
var importMachine = fsm.New("import", ImportQueued, fsm.Table[ImportStatus, ImportEvent]{
	ImportQueued:     {ImportStarted: ImportProcessing, ImportFailed: ImportError, ImportStopped: ImportCanceled},
	ImportProcessing: {ImportFinished: ImportCompleted, ImportFailed: ImportError, ImportStopped: ImportCanceled},
	ImportCompleted:  {},
	ImportError:      {},
	ImportCanceled:   {},
})

// Over reports whether nothing more happens to an import in this status.
func (s ImportStatus) Over() bool { return importMachine.Terminal(s) }

// apply moves the import; it is the only place that assigns its status.
func (i *Import) apply(event ImportEvent) error {
	next, err := importMachine.Next(i.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Import", "The import is already %s.", i.Status).Because(err)
	}
	i.Status = next
	return nil
}
