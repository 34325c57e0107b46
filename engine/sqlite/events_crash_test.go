package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// cursorEnv is the cursor from which a child goes on.
const cursorEnv = "SOUNDSTAGE_TEST_CURSOR"

// ports are a Media, a Transcriber, and a Fetcher that do nothing.
type ports struct{}

func (ports) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{Format: "wav", Duration: time.Second, Audio: &engine.AudioStream{Codec: "pcm_s16le"}}, nil
}

func (ports) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("")), nil
}

func (ports) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Words: sample.Dialogue("A: Hello there.")}, nil
}

func (ports) Check(context.Context, string) error { return nil }

func (ports) Fetch(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	n, err := io.WriteString(w, "media")
	return engine.FetchInfo{URL: r.URL, Size: int64(n)}, err
}

// openEngine returns an engine on a database file and its folder, and the caller of its account.
func openEngine(ctx context.Context, path string) (*engine.Engine, engine.Caller, *sqlite.Store, error) {
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, engine.Caller{}, nil, err
	}
	blobs, err := files.New(filepath.Join(filepath.Dir(path), "blobs"), files.Options{})
	if err != nil {
		return nil, engine.Caller{}, nil, err
	}
	e, err := engine.New(engine.Config{Store: store, Blobs: blobs, Media: ports{}, Transcriber: ports{}, Fetcher: ports{}})
	if err != nil {
		return nil, engine.Caller{}, nil, err
	}
	me, err := e.CreateAccount(ctx, engine.NewAccount{Name: "Test", AccountID: "account", UserID: "user", SpaceID: "space"})
	if engine.CodeOf(err) == engine.CodeConflict {
		me, err = e.CallerOf(ctx, "user")
	}
	return e, me, store, err
}

// transcribeForever adds and does transcriptions, twenty at a time, and prints each event after the cursor.
func transcribeForever(path string) error {
	ctx := context.Background()
	e, me, _, err := openEngine(ctx, path)
	if err != nil {
		return err
	}
	go func() { _ = e.Run(ctx) }()
	unfinished := make(chan struct{}, 20)
	go func() {
		for err := error(nil); err == nil; time.Sleep(5 * time.Millisecond) {
			unfinished <- struct{}{}
			_, err = e.CreateTranscript(ctx, me, engine.NewTranscript{URL: "https://media.example/a.mp3"})
		}
	}()
	for v, err := range e.Subscribe(ctx, me, engine.EventFilter{After: engine.EventCursor(os.Getenv(cursorEnv))}) {
		if err != nil {
			return err
		}
		fmt.Printf("%s %s %s\n", v.Cursor(), v.TranscriptID, v.Status)
		if v.Status == "completed" {
			select {
			case <-unfinished:
			default: // one that was added before the last kill
			}
		}
	}
	return nil
}

// A program that is killed again and again, and goes on after the last event that it handled, gets each event exactly once, in order; and
// each status of each row is one event.
func TestEventsSurviveKills(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts four processes")
	path := newPath(t)
	saved, handled, statuses := string(engine.EventsFromStart), 0, map[string][]string{}
	handle := func(cursor, id, status string) {
		handled++
		require.Equal(t, fmt.Sprintf("ev_%d", handled), cursor)
		saved, statuses[id] = cursor, append(statuses[id], status)
	}
	for round := range 4 {
		cmd := child(t, "transcribe", path)
		cmd.Env = append(cmd.Env, cursorEnv+"="+saved)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			fields := strings.Fields(lines.Text())
			require.Len(t, fields, 3, lines.Text())
			handle(fields[0], fields[1], fields[2])
			if n == 40+17*round {
				require.NoError(t, cmd.Process.Kill())
			}
		}
		require.Error(t, cmd.Wait(), "killed")
	}
	e, me, store, err := openEngine(t.Context(), path)
	require.NoError(t, err)
	_, err = e.CreateTranscript(t.Context(), me, engine.NewTranscript{URL: "https://media.example/a.mp3"})
	require.NoError(t, err, "one more, since the last child may have handled all events")
	go func() { _ = e.Run(t.Context()) }()
	unfinished := func() (n int) {
		counts, err := store.Counts(t.Context())
		require.NoError(t, err)
		return counts["jobs"]
	}
	require.Eventually(t, func() bool { return unfinished() == 0 }, 30*time.Second, 10*time.Millisecond)
	counts, err := store.Counts(t.Context())
	require.NoError(t, err)
	for v, err := range e.Subscribe(t.Context(), me, engine.EventFilter{After: engine.EventCursor(saved)}) {
		require.NoError(t, err)
		handle(string(v.Cursor()), string(v.TranscriptID), v.Status)
		if handled == 3*counts["transcripts"] {
			break
		}
	}
	require.Len(t, statuses, counts["transcripts"])
	for id, got := range statuses {
		require.Equal(t, []string{"queued", "processing", "completed"}, got, id)
	}
	require.NoError(t, e.Close())
	require.NoError(t, store.Close())
}
