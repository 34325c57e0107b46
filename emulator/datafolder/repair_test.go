package datafolder_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/datafolder"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (f folder) verify(t *testing.T) datafolder.Report {
	t.Helper()
	r, err := datafolder.Verify(t.Context(), f.dir)
	require.NoError(t, err)
	return r
}

// repair repairs the folder, and requires that it is undamaged then.
func (f folder) repair(t *testing.T) datafolder.Repaired {
	t.Helper()
	done, err := datafolder.Repair(t.Context(), f.dir, noon)
	require.NoError(t, err)
	after := f.verify(t)
	require.True(t, after.OK, "%+v", after)
	left, err := filepath.Glob(filepath.Join(f.dir, "repair-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	return done
}

// view reads the folder's database.
func (f folder) view(t *testing.T, fn func(engine.ReadTx)) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), f.database())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		fn(tx)
		return nil
	}))
}

// An undamaged folder has no problem, and Repair changes nothing.
func TestNothingToRepair(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	r := f.verify(t)
	require.True(t, r.OK, "%+v", r)
	require.Greater(t, r.Rows, 100)
	require.Equal(t, 2*recordings, r.Files)
	require.Empty(t, r.Orphans)
	done, err := datafolder.Repair(t.Context(), f.dir, noon)
	require.NoError(t, err)
	require.Equal(t, datafolder.Repaired{Report: r}, done)
	require.NoDirExists(t, filepath.Join(f.dir, "damaged"))
}

// A damaged, a missing, and an unneeded file, a damaged record, and a damaged row are reported, each with its key.
func TestVerify(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	flip(t, f.file(t, 0, false), 8*50_000)
	require.NoError(t, os.Remove(f.file(t, 1, false)))
	require.NoError(t, os.Remove(f.file(t, 1, true)))
	flip(t, f.file(t, 2, true), 100)
	require.NoError(t, os.Remove(f.file(t, 3, false))) // its record is left
	flipText(t, f.database(), "Notes about episode 4.")
	require.NoError(t, os.CopyFS(filepath.Join(f.dir, "blobs", "spare"), os.DirFS(filepath.Dir(f.file(t, 5, false)))))
	r := f.verify(t)
	require.False(t, r.OK)
	require.Equal(t, []sqlite.Damage{{Table: "outputs", Key: "00000000-0000-4000-8000-100000000004", Problem: "the checksum of the row is wrong"}}, r.Database)
	key := func(i int) string { return fmt.Sprintf("renders/00000000-0000-4000-8000-00000000000%d/1", i) }
	var damaged []string
	for _, d := range r.Damaged {
		require.Equal(t, "renders", d.Table)
		require.Contains(t, d.Key, d.ID)
		require.NotEmpty(t, d.Problem)
		damaged = append(damaged, d.Key)
	}
	require.Equal(t, []string{key(0), key(2), key(3)}, damaged)
	require.Equal(t, []datafolder.File{{Key: key(1), Table: "renders", ID: "00000000-0000-4000-8000-000000000001", Problem: "the file is missing"}}, r.Missing)
	require.Equal(t, []string{"spare/1"}, r.Orphans)
}

// A folder that a server uses, and one without a database, are refused.
func TestRefusals(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s, err := sqlite.Open(t.Context(), f.database())
	require.NoError(t, err)
	_, err = datafolder.Verify(t.Context(), f.dir)
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	_, err = datafolder.Repair(t.Context(), f.dir, noon)
	require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	require.NoError(t, s.Close())
	empty := t.TempDir()
	_, err = datafolder.Verify(t.Context(), empty)
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
	entries, err := os.ReadDir(empty)
	require.NoError(t, err)
	require.Empty(t, entries, "nothing was created")
}

// A damaged video moves away, and its render says why it failed. The database is the same one.
func TestRepairFile(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	flip(t, f.file(t, 0, false), 8*50_000)
	damaged, err := os.ReadFile(f.file(t, 0, false))
	require.NoError(t, err)
	done := f.repair(t)
	require.Zero(t, done.Rows)
	require.Empty(t, done.Lost)
	require.Len(t, done.Marked, 1)
	moved, err := filepath.Glob(filepath.Join(done.Moved, "blobs", "renders", "*", "*"))
	require.NoError(t, err)
	require.Len(t, moved, 2)
	kept := slices.ContainsFunc(moved, func(path string) bool {
		b, err := os.ReadFile(path)
		return err == nil && string(b) == string(damaged)
	})
	require.True(t, kept, "the damaged bytes are kept")
	f.view(t, func(tx engine.ReadTx) {
		r, err := tx.Render("00000000-0000-4000-8000-000000000000")
		require.NoError(t, err)
		require.Equal(t, engine.RenderFailed, r.Status)
		require.Equal(t, "Its file was damaged on the disk. Render it again.", r.Message)
		require.Empty(t, r.BlobKey)
		require.Equal(t, noon, r.UpdatedAt)
		other, err := tx.Render("00000000-0000-4000-8000-000000000001")
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, other.Status)
	})
}

// The media of a recording that is damaged is taken from it; its transcript stays.
func TestRepairMedia(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	var rec engine.Recording
	f.view(t, func(tx engine.ReadTx) {
		var err error
		rec, err = tx.Recording(f.recordings[0])
		require.NoError(t, err)
	})
	media, err := filepath.Glob(filepath.Join(f.dir, "blobs", filepath.FromSlash(rec.BlobKey)) + "@*")
	require.NoError(t, err)
	for _, path := range media {
		require.NoError(t, os.Remove(path))
	}
	f.repair(t)
	f.view(t, func(tx engine.ReadTx) {
		rec, err := tx.Recording(rec.ID)
		require.NoError(t, err)
		require.Empty(t, rec.BlobKey)
		require.Equal(t, engine.TranscriptCompleted, rec.TranscriptStatus)
	})
}

// A damaged transcript is lost, its recording says so, and every other row is in the new database. Search finds the others. The old
// database is kept.
func TestRepairRow(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	f := newFolder(t)
	s, err := f.start(t)
	require.NoError(t, err)
	want := f.answers(t, s.URL())
	require.NoError(t, s.Close())
	flipText(t, f.database(), "Needle2 hay7.")
	before, err := os.ReadFile(f.database())
	require.NoError(t, err)

	done := f.repair(t)
	require.Len(t, done.Lost, 1, "%+v", done)
	require.Equal(t, "transcripts", done.Lost[0].Table)
	require.Greater(t, done.Rows, 50)
	kept, err := os.ReadFile(filepath.Join(done.Moved, "soundstage.db"))
	require.NoError(t, err)
	require.Equal(t, before, kept)

	s, err = f.start(t)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.Equal(t, 200, get(t, s.URL()+"/_soundstage/health").status)
	lost := "/v1/recordings/" + string(f.recordings[2])
	for name, a := range f.answers(t, s.URL()) {
		switch {
		case name == lost:
			require.Contains(t, a.body, `"transcript_status":"error"`)
		case name == lost+"/clip-suggestions", name == lost+"/transcript", name == lost+"/transcript?format=srt":
			require.Equal(t, 400, a.status, "%s: %s", name, a.body)
		case name == lost+"/speakers", name == "/v1/search?query=hay3", strings.HasPrefix(name, "/v1/recordings?"), name == "/v1/recordings":
			require.Equal(t, 200, a.status, "%s: %s", name, a.body) // without the lost words
		default:
			require.Equal(t, want[name], a, name)
		}
	}
	require.NotContains(t, get(t, s.URL()+"/v1/search?query=needle2").body, "Needle2")
}

// A folder may be named as users do: relative to theirs.
func TestRepairRelative(t *testing.T) {
	f := newFolder(t)
	flipText(t, f.database(), "Needle2 hay7.")
	t.Chdir(filepath.Dir(f.dir))
	done := folder{dir: filepath.Base(f.dir)}.repair(t)
	require.Len(t, done.Lost, 1, "%+v", done)
	require.Greater(t, done.Rows, 50)
}

// Any single damaged page leaves a folder that can be repaired and served again.
func TestRepairPages(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts servers")
	needFFmpeg(t)
	whole := newFolder(t)
	file, err := os.ReadFile(whole.database())
	require.NoError(t, err)
	const page = 4096
	least := 1 << 30
	for at := 0; at < len(file); at += 13 * page { // page 1 has the header and the schema
		f := whole.clone(t)
		damaged := slices.Clone(file)
		for i := range page {
			damaged[at+i] ^= 0xa5
		}
		require.NoError(t, os.WriteFile(f.database(), damaged, 0o600))
		if f.verify(t).OK {
			continue // a free page
		}
		done := f.repair(t)
		if at > 0 {
			least = min(least, done.Rows)
		}
		s, err := f.start(t)
		require.NoError(t, err, "page %d", at/page+1)
		for name, a := range f.answers(t, s.URL()) {
			require.Less(t, a.status, 500, "page %d: %s: %s", at/page+1, name, a.body)
			require.NotZero(t, a.status, name)
		}
		require.NoError(t, s.Close())
	}
	require.Greater(t, least, 50)
}

// Work whose job is lost doesn't wait for ever.
func TestRepairStuck(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s, err := sqlite.Open(t.Context(), f.database())
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		for _, err := range []error{
			tx.PutRender(engine.Render{ID: "r", Status: engine.RenderRendering}),
			tx.PutOutput(engine.Output{ID: "o", Status: engine.OutputRetrying}),
			tx.PutTranscript(engine.Transcript{ID: "t", Status: engine.TranscriptProcessing}),
			tx.PutImport(engine.Import{ID: "i", Status: engine.ImportProcessing}),
			tx.PutChat(engine.Chat{ID: "c", Status: engine.ChatQueued}),
			tx.PutDelivery(engine.Delivery{ID: "d", Status: engine.DeliveryRetrying}),
			tx.PutSpeaker(engine.Speaker{ID: "s", Name: "Damaged speaker"}),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, s.Close())
	flipText(t, f.database(), "Damaged speaker")
	done := f.repair(t)
	require.Len(t, done.Marked, 6)
	f.view(t, func(tx engine.ReadTx) {
		render, _ := tx.Render("r")
		output, _ := tx.Output("o")
		transcript, _ := tx.Transcript("t")
		imported, _ := tx.Import("i")
		chat, _ := tx.Chat("c")
		delivery, _ := tx.Delivery("d")
		require.Equal(t, []any{engine.RenderFailed, engine.OutputFailed, engine.TranscriptError, engine.ImportError, engine.ChatCompleted, engine.DeliveryFailed},
			[]any{render.Status, output.Status, transcript.Status, imported.Status, chat.Status, delivery.Status})
		_, err := tx.Speaker("s")
		require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
	})
}

// If the users are lost, the server can start again, and their recordings are still there.
func TestRepairOwners(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	file, err := os.ReadFile(f.database())
	require.NoError(t, err)
	// The users' names stand before nothing else with the same neighbours: an id, the account's id, and the name.
	user := string(emulator.SandboxUserID) + string(emulator.SandboxAccountID) + "Sandbox"
	require.Contains(t, string(file), user)
	flipText(t, f.database(), user)
	done := f.repair(t)
	require.Contains(t, done.Marked, "user "+string(emulator.SandboxUserID)+" was created again")
	f.view(t, func(tx engine.ReadTx) {
		_, err := tx.User(emulator.SandboxUserID)
		require.NoError(t, err)
		spaces, err := tx.SpacesOf(emulator.SandboxUserID)
		require.NoError(t, err)
		require.Len(t, spaces, 1)
	})
}

// A damaged header loses no row, because it is the same in each database.
func TestRepairHeader(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	flip(t, f.database(), 3) // of "SQLite format 3"
	done := f.repair(t)
	require.Empty(t, done.Lost)
	require.Greater(t, done.Rows, 50)
}

// A damaged file moves away, too, if the path of the folder has characters of patterns.
func TestRepairFileInFolderLikeAPattern(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	flip(t, f.file(t, 0, false), 8*50_000)
	dir := filepath.Join(t.TempDir(), "a[1]b")
	require.NoError(t, os.Rename(f.dir, dir))
	f.dir = dir
	done := f.repair(t)
	moved, err := os.ReadDir(filepath.Join(done.Moved, "blobs", "renders", "00000000-0000-4000-8000-000000000000"))
	require.NoError(t, err)
	require.Len(t, moved, 2)
	require.Empty(t, f.verify(t).Orphans)
}
