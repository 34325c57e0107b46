package sqlite_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Each script runs once, in order. A file that has run them all isn't changed.
func TestMigrate(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM") // an empty database: version 0
	first, second := "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)", "UPDATE a SET x = x + 1; CREATE TABLE b (x) "
	for range 2 {
		require.NoError(t, sqlite.MigrateTo(path, first))
		require.Equal(t, []string{"1"}, queryFile(t, path, "SELECT x FROM a"))
	}
	for range 2 {
		require.NoError(t, sqlite.MigrateTo(path, first, second))
		require.Equal(t, []string{"2"}, queryFile(t, path, "SELECT x FROM a"))
	}
	require.Equal(t, []string{"2"}, queryFile(t, path, "PRAGMA user_version"))
	require.ErrorContains(t, sqlite.MigrateTo(path, first), "newer version")
}

// A failed script leaves no changes; the scripts before it remain applied.
func TestMigrateFails(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM")
	err := sqlite.MigrateTo(path, "CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)")
	require.ErrorContains(t, err, "migration 2")
	require.Equal(t, []string{"1"}, queryFile(t, path, "PRAGMA user_version"))
	require.Equal(t, []string{"a"}, queryFile(t, path, "SELECT name FROM sqlite_schema"))
}

// A file of schema version 2, which had no content, is migrated: its rows have the new columns, and new rows can be written.
func TestMigrateSecondVersion(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM")
	require.NoError(t, sqlite.MigrateTo(path, sqlite.Migrations()[:2]...))
	execFile(t, path, fmt.Sprintf(`INSERT INTO accounts VALUES ('a', 'Acme', 1, 2, 3, %d); INSERT INTO members VALUES ('u', 's'), ('t', 's')`, noon.UnixMicro()))

	s := openAt(t, path)
	want := engine.Account{ID: "a", Name: "Acme", StorageUsed: 1, StorageSoftLimit: 2, StorageHardLimit: 3, CreatedAt: noon}
	for range 2 {
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
			got, err := tx.Account("a")
			require.Equal(t, want, got)
			members, err2 := tx.Members("s")
			require.Equal(t, []engine.UserID{"t", "u"}, members)
			return errors.Join(err, err2)
		}))
		want.SpeechUsed, want.PeriodStart = time.Minute, noon
		update(t, s, func(tx engine.Tx) error {
			return errors.Join(tx.PutAccount(want), tx.PutPrompt(engine.Prompt{ID: "p", SpaceID: "s"}))
		})
	}
}

// A space of schema version 2, which had no prompts, gets the built-in prompts of a new space with unique ids.
func TestMigrateGivesBuiltInPrompts(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM")
	require.NoError(t, sqlite.MigrateTo(path, sqlite.Migrations()[:2]...))
	execFile(t, path, fmt.Sprintf(`INSERT INTO spaces VALUES ('old', 'a', 'Old', 'en', 1, NULL, NULL, 0, 7, %d), ('older', 'a', 'Older', 'en', 1, NULL, NULL, 0, 0, 5)`, noon.UnixMicro()))

	fresh := memory.NewStore()
	e, err := engine.New(engine.Config{Store: fresh, Blobs: memory.NewBlobs()})
	require.NoError(t, err)
	_, err = e.CreateAccount(t.Context(), engine.NewAccount{SpaceID: "new"})
	require.NoError(t, err)
	ids := map[engine.PromptID]bool{}
	prompts := func(s engine.Store, space engine.SpaceID) (list []engine.Prompt) {
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
			list, err = tx.Prompts(space)
			return err
		}))
		for i, p := range list {
			require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, p.ID)
			require.Equal(t, space, p.SpaceID)
			ids[p.ID] = true
			list[i].ID, list[i].SpaceID, list[i].CreatedAt = "", "", time.Time{}
		}
		return list
	}
	want, s := prompts(fresh, "new"), openAt(t, path)
	require.Len(t, want, len(engine.BuiltInTypes()))
	require.Equal(t, want, prompts(s, "old"))
	require.Equal(t, want, prompts(s, "older"))
	require.Len(t, ids, 3*len(want))
}

// Rows of schema version 3, which had no error hints, have empty ones.
func TestMigrateThirdVersion(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM")
	require.NoError(t, sqlite.MigrateTo(path, sqlite.Migrations()[:3]...))
	execFile(t, path, `INSERT INTO renders VALUES ('r', 'u', 'rec', 'failed', 'bars', '1:1', '', 0, 1, 0.5, 'No font. Install one.', '', 0, 5, 6)`)
	s := openAt(t, path)
	var r engine.Render
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
		r, err = tx.Render("r")
		return err
	}))
	require.Equal(t, []any{"No font. Install one.", "", engine.Rule("")}, []any{r.Message, r.ErrorHint, r.ErrorRule})
	r.ErrorHint, r.ErrorRule = "Install one.", "a.rule"
	update(t, s, func(tx engine.Tx) error { return tx.PutRender(r) })
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		again, err := tx.Render("r")
		require.Equal(t, r, again)
		return err
	}))
}

// A recording of schema version 4 gets its ImportID from its import.
func TestMigrateNamesImports(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM")
	require.NoError(t, sqlite.MigrateTo(path, sqlite.Migrations()[:4]...))
	recording := "INSERT INTO recordings (id, space_id, upload_id, title, number, language, transcript_id, transcript_status, duration, has_video, blob_key, size, created_at, title_folded) " +
		"VALUES ('%s', 's', '%s', '', 1, 'en', '%[1]s', 'queued', 0, 0, '', 0, 0, ''); "
	imported := "INSERT INTO imports (id, user_id, account_id, space_id, url, title, status, progress, error, recording_id, size, feed_item, created_at, updated_at) " +
		"VALUES ('%s', 'u', 'a', 's', '', '', 'queued', 0, '', '%s', 0, '', 0, 0); "
	execFile(t, path, fmt.Sprintf(recording, "imported", "")+fmt.Sprintf(recording, "uploaded", "obj_1")+
		fmt.Sprintf(imported, "imp_1", "imported")+fmt.Sprintf(imported, "imp_2", ""))

	require.NoError(t, openAt(t, path).View(t.Context(), func(tx engine.ReadTx) error {
		imported, err := tx.Recording("imported")
		require.Equal(t, engine.ImportID("imp_1"), imported.ImportID)
		uploaded, err2 := tx.Recording("uploaded")
		require.Empty(t, uploaded.ImportID)
		return errors.Join(err, err2)
	}))
}

// In a file of schema version 7, which had no deletions, edits, or events, the chats of a recording are found, spaces keep recordings for
// ever, recordings have no revision, and failed rows have no code.
func TestMigrateSeventhVersion(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	execFile(t, path, "VACUUM")
	require.NoError(t, sqlite.MigrateTo(path, sqlite.Migrations()[:7]...))
	execFile(t, path, `
		INSERT INTO chats (id, user_id, message, recording_ids, status, answer, created_at, updated_at)
			VALUES ('both', 'u', '', '["r","other","r"]', 'completed', '', 1, 1), ('none', 'u', '', NULL, 'completed', '', 2, 2);
		INSERT INTO spaces (id, account_id, name, language, auto_generate, inactive, last_number, created_at) VALUES ('s', 'a', '', 'en', 0, 0, 0, 0);
		INSERT INTO recordings (id, space_id, upload_id, title, number, language, transcript_id, transcript_status, duration, has_video, blob_key, size, created_at, title_folded)
			VALUES ('r', 's', '', '', 1, 'en', 't', 'completed', 0, 0, '', 0, 0, '');
		INSERT INTO imports (id, user_id, account_id, space_id, url, title, status, progress, error, recording_id, size, feed_item, created_at, updated_at)
			VALUES ('i', 'u', 'a', 's', '', '', 'error', 0, 'Gone.', '', 0, '', 0, 0)`)
	s := openAt(t, path)
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		for _, id := range []engine.RecordingID{"r", "other"} {
			chats, err := tx.Chats(id)
			require.NoError(t, err)
			require.Len(t, chats, 1)
			require.Equal(t, engine.ChatID("both"), chats[0].ID)
		}
		space, err := tx.Space("s")
		require.Zero(t, space.Retention)
		r, err2 := tx.Recording("r")
		require.Zero(t, r.Revision)
		require.Empty(t, r.NextTranscriptID)
		i, err3 := tx.Import("i")
		require.Equal(t, []any{"Gone.", engine.Code("")}, []any{i.Error, i.ErrorCode})
		edits, err4 := tx.Edits("r")
		require.Empty(t, edits)
		return errors.Join(err, err2, err3, err4)
	}))
}
