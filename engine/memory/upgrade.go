package memory

import (
	"github.com/soundstage-dev/soundstage/engine"
)

// upgrade completes the rows of an earlier dump version. In version 1, recordings have no ImportID; it is set from the imports'
// RecordingID.
func (l *loader) upgrade() error {
	if l.version > 1 {
		return nil
	}
	var imports []engine.Import
	l.tx.imports.rows.in(l.tx.current).Scan(func(i item) bool {
		imports = append(imports, *i.row.(*engine.Import))
		return true
	})
	for _, i := range imports {
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
