package postgres

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

var imports = newTable(rows.Imports)

var (
	// importsOfItem repeats the condition of the index imports_by_item, and importsOfExternalID that of imports_by_external_id.
	importsOfItem       = "SELECT " + imports.columns + " FROM imports WHERE space_id = $1 AND feed_item = $2 AND feed_item <> '' ORDER BY created_at, id"
	importsOfExternalID = "SELECT " + imports.columns + " FROM imports WHERE space_id = $1 AND external_id = $2 AND external_id <> '' ORDER BY created_at, id"
)

func (t *readTx) Import(id engine.ImportID) (engine.Import, error) {
	return one(t, imports, imports.get, string(id))
}

func (t *readTx) ImportsOfItem(space engine.SpaceID, item string) ([]engine.Import, error) {
	return all(t, imports, importsOfItem, string(space), item)
}

func (t *readTx) ImportsOfExternalID(space engine.SpaceID, id string) ([]engine.Import, error) {
	return all(t, imports, importsOfExternalID, string(space), id)
}

func (t *tx) PutImport(i engine.Import) error { return write(t, imports, imports.put, i) }
