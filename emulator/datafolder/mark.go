package datafolder

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// What rows say that depend on something lost.
const (
	lostRow  = "It was lost when a damaged data folder was repaired."
	lostFile = "Its file was damaged on the disk."
)

// marker changes rows that depend on something lost.
type marker struct {
	now     time.Time
	dir     string
	rebuild bool // the search index is empty
	rows    sqlite.Contents
	tx      engine.Tx
	marked  []string
	err     error // the first of a put
}

// run changes all rows in one transaction, and returns what it changed.
func (m *marker) run(ctx context.Context, store *sqlite.Store) ([]string, error) {
	var err error
	if m.rows, err = store.Contents(ctx); err != nil {
		return nil, err
	}
	err = store.Update(ctx, func(tx engine.Tx) error {
		m.tx, m.marked = tx, nil
		m.owners()
		m.uploads()
		m.transcripts()
		m.recordings()
		m.renders()
		m.content()
		if m.rebuild && m.err == nil {
			m.err = m.index()
		}
		return m.err
	})
	return m.marked, err
}

// put notes a change of a row, and its error.
func (m *marker) put(err error, what string) {
	m.err = errors.Join(m.err, err)
	m.marked = append(m.marked, what)
}

// gone reports whether a file that a row needs isn't there any more.
func (m *marker) gone(key string) bool {
	if key == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(blobsPath(m.dir), filepath.FromSlash(key)) + "@meta")
	return errors.Is(err, os.ErrNotExist)
}

// stuck reports whether an unfinished row has no job that would finish it.
func (m *marker) stuck(finished bool, id string) bool { return !finished && !m.rows.LiveJobs[id] }

// owners writes the sandbox's users, accounts, and spaces again if they are lost. The server creates them only together.
func (m *marker) owners() {
	for _, o := range []struct {
		account engine.AccountID
		user    engine.UserID
		space   engine.SpaceID
		name    string
	}{
		{emulator.SandboxAccountID, emulator.SandboxUserID, emulator.SandboxSpaceID, "Sandbox"},
		{emulator.OtherAccountID, emulator.OtherUserID, emulator.OtherSpaceID, "Other"},
	} {
		if _, err := m.tx.Account(o.account); engine.CodeOf(err) == engine.CodeNotFound {
			m.put(m.tx.PutAccount(engine.Account{
				ID: o.account, Name: o.name, CreatedAt: m.now, StorageUsed: m.storage(o.account),
				StorageSoftLimit: engine.DefaultStorageSoftLimit, StorageHardLimit: engine.DefaultStorageHardLimit,
			}), "account "+string(o.account)+" was created again")
		}
		if _, err := m.tx.User(o.user); engine.CodeOf(err) == engine.CodeNotFound {
			m.put(m.tx.PutUser(engine.User{ID: o.user, AccountID: o.account, Name: o.name, CreatedAt: m.now}), "user "+string(o.user)+" was created again")
		}
		if _, err := m.tx.Space(o.space); engine.CodeOf(err) == engine.CodeNotFound {
			m.put(m.tx.PutSpace(engine.Space{
				ID: o.space, AccountID: o.account, Name: o.name, Language: "en", AutoGenerate: true, CreatedAt: m.now, LastNumber: m.lastNumber(o.space),
			}), "space "+string(o.space)+" was created again")
		}
		m.err = errors.Join(m.err, m.tx.AddMember(o.space, o.user))
	}
}

// storage returns the bytes that an account uses.
func (m *marker) storage(id engine.AccountID) (used int64) {
	for _, u := range m.rows.Uploads {
		if u.AccountID == id && u.Status != engine.UploadExpired {
			used += u.Size
		}
	}
	for _, i := range m.rows.Imports {
		if i.AccountID == id {
			used += i.Size
		}
	}
	return used
}

// lastNumber returns the highest number of a recording of a space.
func (m *marker) lastNumber(id engine.SpaceID) (last int) {
	for _, r := range m.rows.Recordings {
		if r.SpaceID == id {
			last = max(last, r.Number)
		}
	}
	return last
}
