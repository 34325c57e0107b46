package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"os"
)

// fixHeader writes the fields of a file's header that are the same in each database of the latest schema
// (https://www.sqlite.org/fileformat2.html#the_database_header).
func fixHeader(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	header := make([]byte, 100)
	if _, err := f.ReadAt(header, 0); err != nil {
		return errors.Join(err, f.Close())
	}
	copy(header, "SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20") // magic, 4096-byte pages, write-ahead log, no reserved bytes
	for offset, value := range map[int]uint32{
		44: 4, 52: 0, 56: 1, 60: uint32(len(migrations())), 64: 0, 68: applicationID, // schema format, auto-vacuum, UTF-8, versions
	} {
		binary.BigEndian.PutUint32(header[offset:], value)
	}
	clear(header[72:92]) // reserved
	_, err = f.WriteAt(header, 0)
	return errors.Join(err, f.Close())
}

// fixSchema writes the statements of the latest schema where they differ, for entries whose name or statement is undamaged.
func fixSchema(path string) error {
	want, err := schemaEntries()
	if err != nil {
		return err
	}
	c, err := connect(path, "PRAGMA writable_schema = 1")
	if err != nil {
		return err
	}
	errs := []error{}
	for _, e := range want {
		errs = append(errs, c.exec("UPDATE sqlite_schema SET type = ?1, name = ?2, tbl_name = ?3, sql = ?4 WHERE (name = ?2 OR sql = ?4 AND sql <> '') AND "+
			"(type, name, tbl_name, coalesce(sql, '')) <> (?1, ?2, ?3, coalesce(?4, ''))", e...))
	}
	return errors.Join(append(errs, c.close())...)
}

// schemaEntries returns type, name, table, and statement of each entry of a new database's schema.
func schemaEntries() (entries [][]driver.Value, err error) {
	err = withNew(func(c *conn) error {
		return c.query(func(r *row) { entries = append(entries, append([]driver.Value{}, r.Values...)) },
			"SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'")
	})
	return entries, err
}
