package sqlite_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

var flips = flag.Int("flips", 40, "number of bits that TestFlippedBits flips")

// putAll writes rows of every kind that has an index, a large value, or a foreign format.
func putAll(tx engine.Tx, i int) error {
	id := fmt.Sprint(i)
	words := []transcript.Word{{Text: "word" + id, End: time.Second, Confidence: 0.5}}
	return errors.Join(
		putRows(tx, i),
		tx.AddMember("space", engine.UserID(id)),
		tx.PutSpace(engine.Space{ID: engine.SpaceID(id), AccountID: "account", BoostedWords: []string{"one", id}, CreatedAt: noon}),
		tx.PutSpeaker(engine.Speaker{ID: engine.SpeakerID(id), SpaceID: "space", Name: "Speaker " + id, CreatedAt: noon}),
		tx.PutAssignment(engine.Assignment{RecordingID: engine.RecordingID(id), Label: "A", SpeakerID: engine.SpeakerID(id)}),
		tx.PutOutput(engine.Output{ID: engine.OutputID(id), RecordingID: "r", Status: engine.OutputCompleted, Text: "Text " + id, CreatedAt: noon}),
		tx.PutTranscript(engine.Transcript{ID: engine.TranscriptID(id), Status: engine.TranscriptCompleted, Transcript: transcript.Transcript{Utterances: []transcript.Utterance{{Text: "word" + id, Words: words}}}}),
		tx.PutDelivery(engine.Delivery{ID: engine.DeliveryID(id), WebhookID: "w", Status: engine.DeliveryDelivered, Body: []byte(id), UpdatedAt: noon}),
		tx.PutDocument(search.Document{ID: search.DocumentID(id), Kind: search.DocumentRecording, SpaceID: "space"}, map[string][]int{"word": {i}, "term" + id: {0, i}}),
	)
}

// filledFile returns the bytes of a closed database with rows, and the rows.
func filledFile(t *testing.T) (file []byte, rows []string) {
	t.Helper()
	path := newPath(t)
	s, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true})
	require.NoError(t, err)
	for i := range 30 {
		update(t, s, func(tx engine.Tx) error { return putAll(tx, i) })
	}
	require.NoError(t, s.Close())
	file, err = os.ReadFile(path)
	require.NoError(t, err)
	return file, allRows(t, path)
}

// allRows returns every row of a file as text, read without the store, by table and by index. It omits the planner's statistics,
// which change no answer.
func allRows(t *testing.T, path string) (rows []string) {
	t.Helper()
	db, err := sql.Open(sqlite.DriverName, "file:"+path+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var queries []string
	read := func(query string) (found []string) {
		answer, err := db.Query(query)
		require.NoError(t, err)
		defer func() { _ = answer.Close() }()
		columns, err := answer.Columns()
		require.NoError(t, err)
		for answer.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = &row[i]
			}
			require.NoError(t, answer.Scan(row...))
			found = append(found, fmt.Sprintf("%q", row))
		}
		require.NoError(t, answer.Err())
		slices.Sort(found) // statistics may change the order
		return found
	}
	names, err := db.Query("SELECT 'SELECT * FROM ' || tbl_name || CASE WHEN type = 'index' AND sql NOT LIKE '%WHERE%' THEN ' INDEXED BY ' || name ELSE '' END FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'")
	require.NoError(t, err)
	defer func() { _ = names.Close() }()
	for names.Next() {
		var q string
		require.NoError(t, names.Scan(&q))
		queries = append(queries, q)
	}
	require.NoError(t, names.Err())
	for _, q := range slices.Sorted(slices.Values(queries)) {
		rows = append(rows, read(q)...)
	}
	return rows
}

// A flipped bit is found when the file is opened, or changes no row. The bits are chosen from bytes that aren't 0: most of the
// others are free space.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	file, want := filledFile(t)
	require.Greater(t, len(want), 500)
	var used []int // offsets
	for at, b := range file {
		if b != 0 {
			used = append(used, at)
		}
	}
	choose := rand.New(rand.NewPCG(1, 2))
	found, harmless := 0, 0
	path := newPath(t)
	for range *flips {
		bit := used[choose.IntN(len(used))]*8 + choose.IntN(8)
		damaged := slices.Clone(file)
		damaged[bit/8] ^= 1 << (bit % 8)
		for _, name := range []string{path + "-wal", path + "-shm"} {
			_ = os.Remove(name)
		}
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		s, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true})
		if err != nil {
			found++
			require.NotEqual(t, engine.CodeInternal, engine.CodeOf(err), "bit %d: %v", bit, err)
			continue
		}
		harmless++
		require.NoError(t, s.Close())
		require.Equal(t, want, allRows(t, path), "bit %d was not found", bit)
	}
	t.Logf("%d bits of %d bytes flipped: %d found, %d harmless", *flips, len(file), found, harmless)
	require.Greater(t, found, *flips*3/4)
}

// flipText flips a bit of a text in a closed database, and keeps it valid.
func flipText(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	at := slices.Index(file, 0)
	for i := range file {
		if string(file[i:min(len(file), i+len(text))]) == text {
			at = i
			file[at] ^= 1
			break
		}
	}
	require.NotZero(t, at)
	require.NoError(t, os.WriteFile(path, file, 0o600))
}

// Damage is CodeUnavailable, in Open or in the statement that reads it, and the hint names the commands that help.
func requireDamage(t *testing.T, err error) {
	t.Helper()
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.Contains(t, e.Msg, "is damaged")
	require.Contains(t, e.Hint, "soundstage verify DIR")
	require.Contains(t, e.Hint, "soundstage repair DIR")
	require.False(t, e.Retryable)
}

// A file with a damaged row can't be opened. It stays as it is, and its lock is released.
func TestOpenRefusesDamage(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
	require.NoError(t, s.Close())
	flipText(t, path, "Name of u")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	for range 2 {
		_, err = sqlite.Open(t.Context(), path)
		requireDamage(t, err)
		require.ErrorContains(t, err, "the row u of the table users is damaged")
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// A damaged schema is found even if it is valid SQL and fits every row.
func TestOpenRefusesDamagedSchema(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	require.NoError(t, openAt(t, path).Close())
	flipText(t, path, "rendering', ") // in the CHECK of a table without rows
	_, err := sqlite.Open(t.Context(), path)
	requireDamage(t, err)
	require.ErrorContains(t, err, "the schema is not the one that this program writes")
}

// A large file is opened at once and checked in the background. Rows that are damaged can't be read, others can, and Health
// reports the damage.
func TestDamageInBackground(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openAt(t, path)
	update(t, s, func(tx engine.Tx) error { return errors.Join(tx.PutUser(user("good")), tx.PutUser(user("bad"))) })
	require.NoError(t, s.Close())
	flipText(t, path, "Name of bad")
	large := sqlite.OpenOptions{NoSync: true, CheckInOpen: 1}
	s, err := sqlite.OpenWith(t.Context(), path, large)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.True(t, hasUser(t, s, "good"))
	requireDamage(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		_, err := tx.User("bad")
		return err
	}))
	requireDamage(t, s.Health().Problem)
	require.Eventually(t, func() bool { return !s.Health().Checking }, 30*time.Second, time.Millisecond)
	require.NoError(t, s.Close())

	s, err = sqlite.OpenWith(t.Context(), path, large)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !s.Health().Checking }, 30*time.Second, time.Millisecond)
	requireDamage(t, s.Health().Problem) // found by the check alone
}

// The check of an undamaged file finds nothing, and Close ends it early.
func TestCheckInBackground(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	for range 20 {
		s, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true, CheckInOpen: 1})
		require.NoError(t, err)
		update(t, s, func(tx engine.Tx) error { return tx.PutUser(user("u")) })
		require.NoError(t, s.Close())
		require.NoError(t, s.Health().Problem)
	}
	s, err := sqlite.OpenWith(t.Context(), path, sqlite.OpenOptions{NoSync: true, CheckInOpen: 1})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !s.Health().Checking }, 30*time.Second, time.Millisecond)
	require.NoError(t, s.Health().Problem)
	require.NoError(t, s.Close())
}

// When a file of an open database is deleted or replaced, Health says so and no Update succeeds: its rows would be lost. When the
// file is back, everything works again. Windows doesn't let anyone do that.
func TestDeletedAndReplaced(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "-wal"} {
		t.Run("file"+suffix, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			s := openAt(t, path)
			put := func() error {
				return s.Update(t.Context(), func(tx engine.Tx) error { return tx.PutUser(user("u")) })
			}
			require.NoError(t, put())
			require.NoError(t, s.Health().Problem)
			away := filepath.Join(t.TempDir(), "away")
			if runtime.GOOS == "windows" {
				require.Error(t, os.Rename(path+suffix, away))
				require.NoError(t, put())
				return
			}
			require.NoError(t, os.Rename(path+suffix, away))
			for _, err := range []error{put(), s.Health().Problem} {
				require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
				require.ErrorContains(t, err, "was deleted")
			}
			require.NoError(t, os.WriteFile(path+suffix, nil, 0o600))
			for _, err := range []error{put(), s.Health().Problem} {
				require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
				require.ErrorContains(t, err, "was replaced")
			}
			require.NoError(t, os.Rename(away, path+suffix))
			require.NoError(t, put())
			require.NoError(t, s.Health().Problem)
		})
	}
}
