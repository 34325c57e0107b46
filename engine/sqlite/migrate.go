package sqlite

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/soundstage-dev/soundstage/engine"
)

// applicationID marks a file as a Soundstage database: "SNDS".
const applicationID = 0x534e4453

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations returns the scripts that upgrade the schema by one version each, the first from an empty file.
func migrations() []string {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		panic(err)
	}
	scripts := make([]string, len(names))
	for i, name := range names {
		b, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		scripts[i] = string(b)
	}
	return scripts
}

// migrate runs the scripts that have not run yet; PRAGMA user_version is the number of those that have. Each script runs in one
// transaction with the update of user_version, so a file is never between two versions. last runs at the end of the last
// transaction. A file from before is checked first, because checksums of damaged rows would make the damage look right.
func migrate(c *conn, scripts []string, last func(*conn) error) error {
	version, err := userVersion(c)
	if err != nil {
		return err
	}
	if version > len(scripts) {
		return engine.Errorf(engine.CodeConflict, "", "The database was written by a newer version of this program: its schema has version %d, but this program supports only up to version %d.", version, len(scripts)).
			WithHint("Use the newer version, or another folder.")
	}
	if version > 0 && version < len(scripts) {
		if err := checkPages(c, ""); err != nil {
			return err
		}
	}
	for ; version < len(scripts); version++ {
		after := last
		if version+1 < len(scripts) {
			after = func(*conn) error { return nil }
		}
		if err := step(c, scripts[version], version+1, after); err != nil {
			return err
		}
	}
	return nil
}

func step(c *conn, script string, version int, after func(*conn) error) error {
	err := c.begin(beginImmediate)
	if err != nil {
		return err
	}
	if err = c.script(script); err == nil {
		err = after(c)
	}
	if err == nil {
		err = c.script(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version))
	}
	if err == nil {
		err = c.commit()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("migration %d: %w", version, err), c.rollback())
	}
	return nil
}

func userVersion(c *conn) (version int, err error) {
	err = c.query(func(r *row) { version = r.Int() }, "PRAGMA user_version")
	return version, err
}

// checkOwner rejects a database of another program.
func checkOwner(c *conn) error {
	var id, tables int64
	if err := c.query(func(r *row) { id, tables = r.Int64(), r.Int64() },
		"SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id"); err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return engine.Errorf(engine.CodeInvalid, "", "The database belongs to another program.").
			WithHint("Use another folder, or move the file away.")
	}
	return nil
}
