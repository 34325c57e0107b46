package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// try returns the value. It panics if there is an error.
func try[T any](value T, err error) T {
	check(err)
	return value
}

// check panics if there is an error.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A program embeds the engine. It stores rows in SQLite and media in a folder, and makes a PDF and a captioned clip of a video.
// The deterministic transcriber invents the words.
func Example() {
	dir := try(os.MkdirTemp("", "studio"))
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	var pdf bytes.Buffer
	video := "../testdata/conversation.mp4"

	store := try(sqlite.Open(ctx, filepath.Join(dir, "studio.db")))
	blobs := try(files.New(filepath.Join(dir, "blobs"), files.Options{}))
	media := render.FFmpeg{}
	eng := try(engine.New(engine.Config{
		Store: store, Blobs: blobs, Media: media, Renderer: render.Renderer{},
		Transcriber: &fake.Transcriber{Media: media},
	}))
	running.Go(func() { check(eng.Run(ctx)) })

	me := try(eng.CreateAccount(ctx, engine.NewAccount{Name: "Studio"}))
	rec := try(eng.AddFile(ctx, me, video, engine.NewFile{}))
	try(eng.WaitRecording(ctx, me, rec.ID))

	talk := try(eng.GetRecordingTranscript(ctx, me, rec.ID))
	check(formats.WritePDF(&pdf, talk.Transcript, formats.Options{Title: "Talk", Names: talk.Names}))
	clip := try(eng.CreateRender(ctx, me, engine.NewRender{
		RecordingID: rec.ID, Window: transcript.Window{End: 5 * time.Second},
	}))
	clip = try(eng.WaitRender(ctx, me, clip.ID))
	mp4 := try(eng.OpenAsset(ctx, me, clip.ID, 0, -1))

	clipBytes := try(io.ReadAll(mp4))
	check(mp4.Close())
	stop()
	running.Wait()
	check(store.Close())
	for _, u := range talk.Transcript.Utterances {
		fmt.Println(u.Speaker)
	}
	fmt.Println(clip.Status, clip.Style, clip.AspectRatio, (clip.Window.End - clip.Window.Start).Round(time.Second))
	fmt.Printf("%s %s\n", pdf.Bytes()[:8], clipBytes[4:8])
	// Output:
	// Speaker 0
	// Speaker 1
	// Speaker 0
	// Speaker 1
	// Speaker 0
	// completed captions 9:16 5s
	// %PDF-1.7 ftyp
}
