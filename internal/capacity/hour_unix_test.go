//go:build unix

package capacity_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// step is what a step costs: seconds of CPU of this process and of ffmpeg, and bytes.
type step struct {
	name               string
	cpu, stored, moved float64
}

// BenchmarkHourCosts measures each step of an hour of MP3 at 128 kbit/s, alone and in order, rows in SQLite and bytes in files. The speech model is
// not among them: an invented transcript replaces its words. rows are those of the recording, its index, its jobs, and seven texts; webhooks are
// seven deliveries to a receiver in this process; exports are vtt, srt, docx, and pdf. stored is what stays, and moved what goes over a network or a
// pipe.
//
//	go test ./internal/capacity -run '^$' -bench HourCosts -benchtime 1x
func BenchmarkHourCosts(b *testing.B) {
	for b.Loop() {
		for _, s := range hourCosts(b) {
			b.Logf("%-11s %8.3f s CPU  %12.0f bytes stored  %12.0f bytes moved", s.name, s.cpu, s.stored, s.moved)
			b.ReportMetric(s.cpu, s.name+"-cpu-s")
		}
	}
}

func hourCosts(b *testing.B) (all []step) {
	ctx, dir := b.Context(), b.TempDir()
	media := filepath.Join(dir, "hour.mp3")
	out, err := exec.Command("ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", "../../testdata/conversation.wav", "-t", "3600", "-b:a", "128k", media).CombinedOutput()
	require.NoError(b, err, "%s", out)
	measure := func(name string, run func() (stored, moved float64)) {
		before := cpu(syscall.RUSAGE_SELF) + cpu(syscall.RUSAGE_CHILDREN)
		stored, moved := run()
		all = append(all, step{name, (cpu(syscall.RUSAGE_SELF) + cpu(syscall.RUSAGE_CHILDREN) - before).Seconds(), stored, moved})
	}
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{})
	require.NoError(b, err)
	measure("upload", func() (float64, float64) {
		file, err := os.Open(media)
		require.NoError(b, err)
		defer func() { _ = file.Close() }()
		to, err := blobs.Create(ctx, "hour", engine.BlobMeta{})
		require.NoError(b, err)
		n, err := io.Copy(to, file)
		require.NoError(b, err)
		_, err = to.Commit()
		require.NoError(b, err)
		return float64(n), float64(n)
	})
	ffmpeg, source := render.FFmpeg{}, file(media)
	var info engine.MediaInfo
	measure("probe", func() (float64, float64) {
		info, err = ffmpeg.Probe(ctx, source)
		require.NoError(b, err)
		return 0, 0
	})
	pcm := filepath.Join(dir, "hour.pcm")
	measure("decode", func() (float64, float64) {
		sound, err := ffmpeg.Decode(ctx, source)
		require.NoError(b, err)
		n, err := io.Copy(io.Discard, sound)
		require.NoError(b, err)
		require.NoError(b, sound.Close())
		return 0, float64(n)
	})
	sound, err := ffmpeg.Decode(ctx, source)
	require.NoError(b, err)
	raw, err := os.Create(pcm)
	require.NoError(b, err)
	_, err = io.Copy(raw, sound)
	require.NoError(b, err)
	require.NoError(b, sound.Close())
	var turns []transcript.Turn
	measure("speakers", func() (float64, float64) {
		_, err := raw.Seek(0, io.SeekStart)
		require.NoError(b, err)
		turns, err = diarize.Run(ctx, raw, diarize.Config{})
		require.NoError(b, err)
		return 0, 0
	})
	heard, err := (&fake.Transcriber{Media: ffmpeg}).Transcribe(ctx, engine.TranscribeRequest{Source: source, Info: info})
	require.NoError(b, err)
	words := diarize.Assign(heard.Words, turns, "en")
	talk := transcript.Transcript{Language: "en", Duration: info.Duration, Utterances: transcript.BuildUtterances(words, "en")}
	rowsOfHour(b, dir, media, words, measure)
	measure("exports", func() (_, moved float64) {
		for _, name := range []string{"vtt", "srt", "docx", "pdf"} {
			f, _ := formats.Lookup(name)
			n := written(0)
			require.NoError(b, f.Write(&n, talk, formats.Options{Title: "An hour"}))
			moved += float64(n)
		}
		return 0, moved
	})
	measure("suggestions", func() (float64, float64) {
		require.NotEmpty(b, clips.Suggest(talk))
		return 0, 0
	})
	clip := filepath.Join(dir, "clip.mp4")
	window := transcript.Window{End: 30 * time.Second}
	request := render.Request{Window: window, Words: transcript.TouchedWords(words, info.Duration, window), Title: "What customers said"}
	measure("audiogram", func() (float64, float64) { return renderClip(b, source, request, clip) })
	film := filepath.Join(dir, "film.mp4")
	out, err = exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=30", "-i", media, "-t", "30", "-preset", "veryfast", "-pix_fmt", "yuv420p", film).CombinedOutput()
	require.NoError(b, err, "%s", out)
	request.Fit = render.Crop
	measure("clip", func() (float64, float64) { return renderClip(b, file(film), request, clip) })
	return all
}

// renderClip returns the size of a clip, which is stored and downloaded once.
func renderClip(b *testing.B, source engine.Source, request render.Request, to string) (stored, moved float64) {
	_, err := render.FFmpeg{}.Render(b.Context(), source, request, to, nil)
	require.NoError(b, err)
	made, err := os.Stat(to)
	require.NoError(b, err)
	return float64(made.Size()), float64(made.Size())
}

type written int

func (w *written) Write(p []byte) (int, error) {
	*w += written(len(p))
	return len(p), nil
}

// file is a file of this machine.
type file string

func (f file) Path() (string, error) { return string(f), nil }

func (f file) Size() int64 {
	info, err := os.Stat(string(f))
	if err != nil {
		return 0
	}
	return info.Size()
}

func (f file) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	opened, err := os.Open(string(f))
	if err != nil {
		return nil, err
	}
	if n < 0 {
		n = f.Size() - off
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(opened, off, n), opened}, nil
}

// known is a Transcriber that has heard the words before.
type known []transcript.Word

func (k known) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Language: "en", Words: k}, nil
}

// rowsOfHour measures the jobs, rows, and index of a recording and its six texts, and then its webhooks.
func rowsOfHour(b *testing.B, dir, media string, words []transcript.Word, measure func(string, func() (stored, moved float64))) {
	path := filepath.Join(dir, "hour.db")
	store, err := sqlite.Open(b.Context(), path)
	require.NoError(b, err)
	blobs, err := files.New(filepath.Join(dir, "library"), files.Options{})
	require.NoError(b, err)
	var bytes atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		bytes.Add(n)
	}))
	defer receiver.Close()
	sender := fetch.NewSender(fetch.Config{AllowPrivate: true})
	defer sender.Close()
	e, err := engine.New(engine.Config{Store: store, Blobs: blobs, Media: render.FFmpeg{}, Transcriber: known(words), LLM: writer.LLM{}, Sender: sender})
	require.NoError(b, err)
	ctx, stop := context.WithCancel(b.Context())
	me, err := e.CreateAccount(ctx, engine.NewAccount{Name: "Studio"})
	require.NoError(b, err)
	before := sizeOf(b, path)
	r, err := e.AddFile(ctx, me, media, engine.NewFile{}) // not measured: it uploads and probes again
	require.NoError(b, err)
	var running sync.WaitGroup
	measure("rows", func() (float64, float64) {
		running.Go(func() { require.NoError(b, e.Run(ctx)) })
		_, err = e.WaitRecording(ctx, me, r.ID)
		require.NoError(b, err)
		o, err := e.GenerateOutput(ctx, me, engine.NewOutput{RecordingID: r.ID, Prompt: "Summarise the recording.", Name: "Summary"})
		require.NoError(b, err)
		_, err = e.WaitOutput(ctx, me, o.ID)
		require.NoError(b, err)
		require.Eventually(b, func() bool { return settled(b, store) }, time.Minute, 10*time.Millisecond)
		return sizeOf(b, path) - before, 0
	})
	hook, _, err := e.CreateWebhook(ctx, me, engine.NewWebhook{URL: receiver.URL, Events: engine.EventTypes()})
	require.NoError(b, err)
	const deliveries = 70
	measure("webhooks", func() (float64, float64) {
		before := sizeOf(b, path)
		for range deliveries {
			_, err := e.TestWebhook(ctx, me, hook.ID)
			require.NoError(b, err)
		}
		require.Eventually(b, func() bool { return settled(b, store) }, time.Minute, 10*time.Millisecond)
		return (sizeOf(b, path) - before) / deliveries * 7, float64(bytes.Load()) / deliveries * 7
	})
	stop()
	running.Wait()
	require.NoError(b, store.Close())
}

// sizeOf returns the size of an open database.
func sizeOf(b *testing.B, path string) float64 {
	db := openFile(b, path)
	defer func() { _ = db.Close() }()
	n, err := strconv.ParseFloat(query(b, db, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")[0], 64)
	require.NoError(b, err)
	return n
}
