package sweep_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/engine/sweep"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// ports does the work of an engine. Each third piece of work fails.
type ports struct{ count atomic.Int64 }

func (p *ports) fails() error {
	if p.count.Add(1)%3 == 1 {
		return engine.Errorf(engine.CodeBadMedia, "Test", "Broken.")
	}
	return nil
}

func (p *ports) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{Format: "wav", Duration: time.Minute, Audio: &engine.AudioStream{Codec: "pcm_s16le"}}, nil
}

func (p *ports) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(strings.Repeat("\x00", 32000))), nil
}

func (p *ports) Transcribe(ctx context.Context, req engine.TranscribeRequest) (t engine.Transcription, err error) {
	if err := req.Checkpoints.Save(ctx, "note", []byte("note")); err != nil {
		return t, err
	}
	if note, err := req.Checkpoints.Load(ctx, "note"); err != nil || string(note) != "note" {
		return t, fmt.Errorf("the note is %q: %w", note, err)
	}
	body, err := req.Source.Open(ctx, 0, -1)
	if err != nil {
		return t, err
	}
	_ = body.Close()
	t.Words = []transcript.Word{{Text: "Hello.", Speaker: "A", End: time.Second}} // and no turns, so that a second job reads the words
	return t, p.fails()
}

func (p *ports) Check(context.Context, string) error { return nil }

func (p *ports) Fetch(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
	_, err := io.WriteString(w, "media")
	if err == nil {
		err = p.fails()
	}
	return engine.FetchInfo{URL: r.URL, Size: 5}, err
}

func (p *ports) Render(_ context.Context, req engine.RenderRequest) (string, error) {
	_, err := io.WriteString(req.Output, "video")
	if err == nil {
		err = p.fails()
	}
	return "", err
}

// Sweeps that run all the time, without a limit of age, remove nothing that uploads, imports, transcriptions, renders, their retries, and
// restores need.
func TestSweepDuringWork(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(t *testing.T) engine.Blobs{
		"memory": func(*testing.T) engine.Blobs { return memory.NewBlobs() },
		"files": func(t *testing.T) engine.Blobs {
			blobs, err := files.New(t.TempDir(), files.Options{})
			require.NoError(t, err)
			return blobs
		},
		"s3": func(t *testing.T) engine.Blobs {
			bucket := s3test.New(t)
			blobs, err := s3.Open(t.Context(), bucket.Address(""), s3.Options{AccessKey: bucket.AccessKey, SecretKey: bucket.SecretKey})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, blobs.Close()) })
			return blobs
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testDuringWork(t, open(t))
		})
	}
}

// work is an engine with its caller.
type work struct {
	*engine.Engine
	t      *testing.T
	caller engine.Caller
}

func testDuringWork(t *testing.T, blobs engine.Blobs) {
	rows, p := memory.NewStore(), &ports{}
	e, err := engine.New(engine.Config{Store: rows, Blobs: blobs, Media: p, Transcriber: p, Fetcher: p, Renderer: p})
	require.NoError(t, err)
	caller, err := e.CreateAccount(t.Context(), engine.NewAccount{Name: "Test"})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var running, working sync.WaitGroup
	running.Go(func() { require.NoError(t, e.Run(ctx)) })
	running.Go(func() {
		for ctx.Err() == nil {
			_, err := sweep.Blobs(context.WithoutCancel(ctx), rows, old{blobs})
			require.NoError(t, err)
		}
	})
	w := work{e, t, caller}
	for range 4 {
		working.Go(func() {
			for range 5 {
				w.upload()
				w.importing()
				w.url()
				w.restore()
			}
		})
	}
	working.Wait()
	stop()
	running.Wait()
}

// requireBytes reads what a row needs.
func (w work) requireBytes(want string, body io.ReadCloser, err error) {
	require.NoError(w.t, err)
	got, err := io.ReadAll(body)
	require.NoError(w.t, err)
	require.NoError(w.t, body.Close())
	require.Equal(w.t, want, string(got))
}

// upload sends bytes twice, transcribes them, and renders a clip, with the retries that it takes.
func (w work) upload() {
	ctx := w.t.Context()
	u, err := w.CreateUpload(ctx, w.caller, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(w.t, err)
	for range 2 {
		_, err = w.ReceiveUpload(ctx, u.ID, strings.NewReader("media"))
		require.NoError(w.t, err)
	}
	r, _, err := w.CreateRecording(ctx, w.caller, engine.NewRecording{ObjectID: u.ID})
	require.NoError(w.t, err)
	w.finish(r.ID)
}

// finish waits for the transcript of a recording and for a clip, and reads the bytes.
func (w work) finish(id engine.RecordingID) {
	ctx := w.t.Context()
	r, err := w.WaitRecording(ctx, w.caller, id)
	for ; engine.CodeOf(err) == engine.CodeBadMedia; r, err = w.WaitRecording(ctx, w.caller, id) {
		_, err = w.RetryTranscript(ctx, w.caller, r.TranscriptID)
		require.NoError(w.t, err)
	}
	require.NoError(w.t, err)
	v, err := w.CreateRender(ctx, w.caller, engine.NewRender{RecordingID: id, Window: transcript.Window{End: time.Second}})
	require.NoError(w.t, err)
	for v, err = w.WaitRender(ctx, w.caller, v.ID); v.Status == engine.RenderFailed; v, err = w.WaitRender(ctx, w.caller, v.ID) {
		_, err = w.RetryRender(ctx, w.caller, v.ID)
		require.NoError(w.t, err)
	}
	require.NoError(w.t, err)
	body, err := w.OpenAsset(ctx, w.caller, v.ID, 0, -1)
	w.requireBytes("video", body, err)
	body, err = w.OpenMedia(ctx, w.caller, id, 0, -1)
	w.requireBytes("media", body, err)
}

// importing imports media, with the retries that it takes.
func (w work) importing() {
	ctx := w.t.Context()
	i, err := w.CreateImport(ctx, w.caller, engine.NewImport{URL: "https://media.example/a.mp3"})
	require.NoError(w.t, err)
	for i, err = w.WaitImport(ctx, w.caller, i.ID); i.Status == engine.ImportError; i, err = w.WaitImport(ctx, w.caller, i.ID) {
		_, err = w.RetryImport(ctx, w.caller, i.ID)
		require.NoError(w.t, err)
	}
	require.NoError(w.t, err)
	w.finish(i.RecordingID)
}

// url transcribes a URL, with the retries that it takes.
func (w work) url() {
	ctx := w.t.Context()
	n, err := w.CreateTranscript(ctx, w.caller, engine.NewTranscript{URL: "https://media.example/a.mp3"})
	require.NoError(w.t, err)
	n, err = w.WaitTranscript(ctx, w.caller, n.ID)
	for ; engine.CodeOf(err) == engine.CodeBadMedia; n, err = w.WaitTranscript(ctx, w.caller, n.ID) {
		_, err = w.RetryTranscript(ctx, w.caller, n.ID)
		require.NoError(w.t, err)
	}
	require.NoError(w.t, err)
}

// restore restores a recording.
func (w work) restore() {
	done, err := w.Restore(w.t.Context(), w.caller, engine.Archive{Spaces: []engine.ArchiveSpace{{Recordings: []engine.ArchiveRecording{{
		Recording: engine.Recording{Title: "Old"}, ContentType: "audio/wav",
		Media: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("media")), nil },
	}}}}})
	require.NoError(w.t, err)
	w.finish(done.Recordings[0])
}
