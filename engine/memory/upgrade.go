package memory

import (
	"github.com/soundstage-dev/soundstage/engine"
)

// upgrade completes the rows of a dump of an earlier version. Recordings of version 1 don't name the import that made them; the
// import names them.
func (l *loader) upgrade() error {
	if l.version > 1 {
		return nil
	}
	var made []engine.Import
	l.tx.imports.rows.in(l.tx.now).Scan(func(i item) bool {
		made = append(made, *i.row.(*engine.Import))
		return true
	})
	for _, i := range made {
		if i.RecordingID == "" {
			continue
		}
		r, err := l.tx.Recording(i.RecordingID)
		if engine.CodeOf(err) == engine.CodeNotFound {
			continue
		}
		if err != nil {
			return err
		}
		r.ImportID = i.ID
		if err := l.tx.PutRecording(r); err != nil {
			return err
		}
	}
	return nil
}
