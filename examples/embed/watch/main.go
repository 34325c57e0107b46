// Command watch FOLDER OUT transcribes the media files of a folder, now and later, and writes captions and the best clip of each. Stop or
// kill it at any time: it goes on where it was, and adds nothing twice.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

func main() {
	ctx, folder, out := context.Background(), os.Args[1], os.Args[2]
	store, blobs := try(sqlite.Open(ctx, filepath.Join(out, "studio.db"))), try(files.New(filepath.Join(out, "blobs"), files.Options{}))
	eng := try(engine.New(engine.Config{
		Store: store, Blobs: blobs, Media: render.FFmpeg{}, Renderer: render.Renderer{},
		Transcriber: &fake.Transcriber{Media: render.FFmpeg{}}, // invents the words; docs/backends.md has real ones
	}))
	go func() { log.Fatal(eng.Run(ctx)) }()
	me := try(eng.CreateAccount(ctx, engine.NewAccount{AccountID: "studio"})) // at each start the same
	for seen := map[string]bool{}; ; time.Sleep(time.Second) {
		for _, file := range try(os.ReadDir(folder)) {
			name := filepath.Join(folder, file.Name())
			if info, err := os.Stat(name); err == nil && filepath.Ext(name) != "" && !seen[name] && time.Since(info.ModTime()) > 2*time.Second { // else it may be incomplete
				seen[name] = true
				log.Printf("%s: %v", name, process(ctx, eng, me, name, filepath.Join(out, file.Name())))
			}
		}
	}
}

// process adds a file and writes what is missing of its captions and its clip.
func process(ctx context.Context, eng *engine.Engine, me engine.Caller, name, out string) (err error) {
	defer func() { err, _ = recover().(error) }() // of try
	rec := try(eng.AddFile(ctx, me, name, engine.NewFile{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: name}}}))
	try(eng.WaitRecording(ctx, me, rec.ID))
	talk := try(eng.GetRecordingTranscript(ctx, me, rec.ID))
	save(out+".srt", func(f *os.File) error { return formats.WriteSRT(f, talk.Transcript, formats.Options{}) })
	clip := engine.RenderID(rec.Metadata["clip"]) // of an earlier run
	if clip == "" {
		best := try(eng.WaitSuggestions(ctx, me, rec.ID))
		clip = try(eng.CreateRender(ctx, me, engine.NewRender{RecordingID: rec.ID, SuggestionID: best[0].ID})).ID
		try(eng.UpdateRecording(ctx, me, rec.ID, func(r *engine.Recording) error { r.Metadata = map[string]string{"clip": string(clip)}; return nil }))
	}
	try(eng.WaitRender(ctx, me, clip))
	save(out+".mp4", func(f *os.File) error {
		video := try(eng.OpenAsset(ctx, me, clip, 0, -1))
		_, err := io.Copy(f, video)
		return errors.Join(err, video.Close())
	})
	return nil
}

// save writes a file, unless it is there. A kill leaves no half of it.
func save(path string, write func(*os.File) error) {
	if _, err := os.Stat(path); err == nil {
		return
	}
	f := try(os.Create(path + ".part"))
	try(0, errors.Join(write(f), f.Close()))
	try(0, os.Rename(f.Name(), path))
}

// try returns the value, and panics on an error.
func try[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
