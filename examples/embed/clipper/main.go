// Command clipper renders the part of a video that would make the best clip, with captions.
//
//	go run ./examples/embed/clipper talk.mp4 clip.mp4
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/render"
)

func main() {
	ctx := context.Background()
	eng := try(engine.New(engine.Config{
		Store: memory.NewStore(), Blobs: memory.NewBlobs(), Media: render.FFmpeg{}, Renderer: render.Renderer{},
		Transcriber: &fake.Transcriber{Media: render.FFmpeg{}}, // invents the words; docs/backends.md has real ones
		Progress:    func(_ engine.TranscriptID, done float64) { fmt.Printf("transcribing %3.0f %%\n", 100*done) },
	}))
	go func() { log.Fatal(eng.Run(ctx)) }()
	me := try(eng.CreateAccount(ctx, engine.NewAccount{}))
	rec := try(eng.AddFile(ctx, me, os.Args[1], engine.NewFile{}))
	best := try(eng.WaitSuggestions(ctx, me, rec.ID))
	fmt.Printf("clipping %q, %v to %v\n", best[0].Title, best[0].Window.Start, best[0].Window.End)
	clip := try(eng.CreateRender(ctx, me, engine.NewRender{RecordingID: rec.ID, SuggestionID: best[0].ID}))
	for !clip.Status.Over() {
		changed := eng.Changes()
		clip = try(eng.GetRender(ctx, me, clip.ID))
		fmt.Printf("rendering %3.0f %% %s\n", 100*clip.Progress, clip.Message)
		if !clip.Status.Over() {
			<-changed
		}
	}
	video := try(eng.OpenAsset(ctx, me, clip.ID, 0, -1))
	file := try(os.Create(os.Args[2]))
	_, err := io.Copy(file, video)
	try(0, errors.Join(err, video.Close(), file.Close()))
}

// try returns the value, and ends the program on an error.
func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
