package enginetest

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Erasable is a Store with Blobs, for TestDeletion.
type Erasable struct {
	Store engine.Store
	Blobs engine.Blobs
	// Contents returns every row of the Store as text, however it is stored, without the log of events.
	Contents func() string
}

// TestDeletion checks that Engine.DeleteRecording leaves nothing in a store and its blobs: no id, no word, no byte, and no reserved
// storage, even if the process is killed before any of its writes. open returns empty ones.
func TestDeletion(t *testing.T, open func(t *testing.T) Erasable) {
	t.Run("a deleted recording leaves nothing", func(t *testing.T) {
		t.Parallel()
		d := newDoomed(t, open(t))
		require.NoError(t, d.delete(d.Store, d.Blobs))
		d.requireGone()
	})
	t.Run("a deletion that is killed before any write continues", func(t *testing.T) {
		t.Parallel()
		for writes := int64(0); ; writes++ {
			d := newDoomed(t, open(t))
			life := &life{}
			life.left.Store(writes)
			err := d.delete(mortalStore{d.Store, life}, mortalBlobs{d.Blobs, life})
			if writes == 0 {
				require.Error(t, err, "the first write must be that of DeleteRecording")
			}
			killed := life.left.Load() < 0
			if err != nil {
				d.requireWhole()
				require.NoError(t, d.delete(d.Store, d.Blobs))
			} else if killed {
				d.finish(d.Store, d.Blobs, nil)
			}
			d.requireGone()
			if !killed {
				require.Greater(t, writes, int64(8), "a deletion has more writes than this")
				return
			}
		}
	})
}

// marker is in every text about the recording.
const marker = "zanzibarium"

// idPattern matches the ids that the engine makes.
var idPattern = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}`)

// doomed is a recording with everything that can hang on it.
type doomed struct {
	Erasable
	t         *testing.T
	caller    engine.Caller
	speaker   engine.SpeakerID
	recording engine.Recording
	ids       []string // that the store has because of the recording
}

// newDoomed fills a store.
func newDoomed(t *testing.T, into Erasable) *doomed {
	d := &doomed{Erasable: into, t: t}
	e := d.engine(d.Store, d.Blobs)
	var err error
	d.caller, err = e.CreateAccount(t.Context(), engine.NewAccount{Name: "Test"})
	require.NoError(t, err)
	p, err := e.CreateSpeaker(t.Context(), d.caller, engine.NewSpeaker{SpaceID: d.caller.DefaultSpaceID, Name: "Ann"})
	require.NoError(t, err)
	d.speaker = p.ID
	before := idPattern.FindAllString(d.Contents(), -1)
	stop := run(t, e)
	d.fill(e)
	d.awaitQuiet()
	stop()
	known := map[string]bool{}
	for _, id := range before {
		known[id] = true
	}
	for _, id := range idPattern.FindAllString(d.Contents(), -1) {
		if !known[id] {
			known[id] = true
			d.ids = append(d.ids, id)
		}
	}
	d.requireWhole()
	return d
}

// engine returns an engine that is the only worker of a store, and never waits before it retries.
func (d *doomed) engine(s engine.Store, b engine.Blobs) *engine.Engine {
	e, err := engine.New(engine.Config{
		Store: soleStore{s}, Blobs: b, Media: minutes{}, Transcriber: hears{}, Renderer: draws{}, LLM: writes{}, Translator: shouts{},
		Random: func() float64 { return 0 },
	})
	require.NoError(d.t, err)
	return e
}

// run runs an engine until the returned function is called.
func run(t *testing.T, e *engine.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = e.Run(ctx) }) // a killed engine returns an error
	return func() {
		cancel()
		running.Wait()
	}
}

// fill adds the recording and everything about it.
func (d *doomed) fill(e *engine.Engine) {
	t, ctx := d.t, d.t.Context()
	r, err := e.AddReader(ctx, d.caller, strings.NewReader("media"), engine.NewFile{
		Name: marker + ".wav", NewRecording: engine.NewRecording{
			ContextPrompt: marker, Tags: engine.Tags{ExternalID: marker, Metadata: map[string]string{marker: marker}},
		},
	})
	require.NoError(t, err)
	d.recording, err = e.WaitRecording(ctx, d.caller, r.ID)
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, d.recording.TranscriptStatus)
	_, err = e.AssignSpeaker(ctx, d.caller, engine.Assignment{RecordingID: r.ID, Label: "Speaker 0", SpeakerID: d.speaker})
	require.NoError(t, err)
	_, err = e.TranslateTranscript(ctx, d.caller, r.ID, "de")
	require.NoError(t, err)
	_, err = e.GenerateOutput(ctx, d.caller, engine.NewOutput{RecordingID: r.ID, Prompt: marker})
	require.NoError(t, err)
	_, err = e.ListSuggestions(ctx, d.caller, r.ID, true)
	require.NoError(t, err)
	c, err := e.CreateChat(ctx, d.caller, engine.NewChat{Message: marker, RecordingIDs: []engine.RecordingID{r.ID}})
	require.NoError(t, err)
	_, err = e.WaitChat(ctx, d.caller, c.ID)
	require.NoError(t, err)
	for range 3 {
		v, err := e.CreateRender(ctx, d.caller, engine.NewRender{RecordingID: r.ID, Title: marker, Window: transcript.Window{Start: 0, End: 2 * time.Second}})
		require.NoError(t, err)
		v, err = e.WaitRender(ctx, d.caller, v.ID)
		require.NoError(t, err)
		require.Equal(t, engine.RenderCompleted, v.Status, v.Message)
	}
	write(t, d.Store, engine.Tx.PutSuggestion, engine.Suggestion{ID: "11111111-1111-4111-a111-111111111111", RecordingID: r.ID})
}

// awaitQuiet waits until no job is due or running.
func (d *doomed) awaitQuiet() {
	d.t.Helper()
	require.Eventually(d.t, func() bool {
		quiet := false
		require.NoError(d.t, d.Store.View(context.Background(), func(tx engine.ReadTx) error {
			leased, err := tx.LeasedJobs()
			waiting, err2 := tx.WaitingJobs(1)
			quiet = len(leased) == 0 && (len(waiting) == 0 || waiting[0].RunAt.After(time.Now()))
			require.NoError(d.t, err2)
			return err
		}))
		return quiet
	}, time.Minute, time.Millisecond)
}

// delete deletes the recording with a new engine on stores that may die, and finishes the deletion if they don't.
func (d *doomed) delete(s engine.Store, b engine.Blobs) error {
	e := d.engine(s, b)
	if err := e.DeleteRecording(d.t.Context(), d.caller, d.recording.ID); err != nil {
		return err
	}
	d.finish(s, b, e)
	return nil
}

// finish runs an engine, nil for a new one, until the deletion has ended or its process is dead.
func (d *doomed) finish(s engine.Store, b engine.Blobs, e *engine.Engine) {
	if e == nil {
		e = d.engine(s, b)
	}
	stop := run(d.t, e)
	mortal, _ := s.(mortalStore)
	require.Eventually(d.t, func() bool {
		if mortal.life != nil && mortal.left.Load() < 0 {
			return true
		}
		_, err := tryRead(d.t, d.Store, func(tx engine.ReadTx) (engine.Deletion, error) { return tx.DeletionOf(d.recording.ID) })
		return engine.CodeOf(err) == engine.CodeNotFound
	}, time.Minute, time.Millisecond)
	if mortal.life == nil {
		d.awaitQuiet()
	}
	stop()
}

// requireWhole checks that everything about the recording is there.
func (d *doomed) requireWhole() {
	d.t.Helper()
	contents := d.Contents()
	for _, id := range d.ids {
		require.Contains(d.t, contents, id)
	}
	require.Contains(d.t, strings.ToLower(contents), marker)
	require.GreaterOrEqual(d.t, len(d.ids), 15)
	require.Len(d.t, d.keys(), 4, "the media and 3 videos")
	require.Equal(d.t, int64(5), d.storage())
}

// requireGone checks that nothing about the recording is left.
func (d *doomed) requireGone() {
	d.t.Helper()
	require.Empty(d.t, d.keys())
	require.Zero(d.t, d.storage())
	contents := d.Contents()
	for _, id := range d.ids {
		require.NotContains(d.t, contents, id)
	}
	require.NotContains(d.t, strings.ToLower(contents), marker)
	e := d.engine(d.Store, d.Blobs)
	requireCode(d.t, engine.CodeNotFound, e.DeleteRecording(d.t.Context(), d.caller, d.recording.ID))
}

func (d *doomed) keys() (keys []string) {
	require.NoError(d.t, d.Blobs.List(d.t.Context(), "", func(b engine.BlobInfo) error {
		keys = append(keys, b.Key)
		return nil
	}))
	return keys
}

func (d *doomed) storage() int64 {
	a := read(d.t, d.Store, func(tx engine.ReadTx) (engine.Account, error) { return tx.Account(d.caller.AccountID) })
	return a.StorageUsed
}

// life is how many more writes a process does before it is killed; negative when it is dead.
type life struct{ left atomic.Int64 }

var errKilled = engine.Errorf(engine.CodeUnavailable, "", "The process was killed.")

// spend uses up one write. It fails when there is none left, and then for ever.
func (l *life) spend() error {
	if l.left.Add(-1) < 0 {
		return errKilled
	}
	return nil
}

type mortalStore struct {
	engine.Store
	*life
}

func (s mortalStore) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if s.left.Load() < 0 {
		return errKilled
	}
	return s.Store.View(ctx, fn)
}

func (s mortalStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if err := s.spend(); err != nil {
		return err
	}
	return s.Store.Update(ctx, fn)
}

type mortalBlobs struct {
	engine.Blobs
	*life
}

func (b mortalBlobs) Delete(ctx context.Context, key string) error {
	if err := b.spend(); err != nil {
		return err
	}
	return b.Blobs.Delete(ctx, key)
}

// soleStore is a store that only one engine opens at a time.
type soleStore struct{ engine.Store }

func (soleStore) Exclusive() bool { return true }
