package memory_test

import (
	"context"
	"fmt"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// An engine that keeps nothing after the process ends.
func ExampleNewStore() {
	e, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs()})
	if err != nil {
		panic(err)
	}
	caller, err := e.CreateAccount(context.Background(), engine.NewAccount{Name: "The Morning Show", SpaceID: "mornings"})
	if err != nil {
		panic(err)
	}
	spaces, err := e.ListSpaces(context.Background(), caller)
	fmt.Println(spaces[0].ID, spaces[0].Name, err)
	// Output: mornings The Morning Show <nil>
}

// A blob becomes visible on Commit.
func ExampleNewBlobs() {
	ctx, blobs := context.Background(), memory.NewBlobs()
	w, err := blobs.Create(ctx, "notes/a.txt", engine.BlobMeta{ContentType: "text/plain"})
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(w, "sound and stage")
	info, err := w.Commit()
	if err != nil {
		panic(err)
	}
	r, err := blobs.Open(ctx, "notes/a.txt", 6, 3)
	if err != nil {
		panic(err)
	}
	part, _ := io.ReadAll(r)
	fmt.Printf("%d bytes, %q\n", info.Size, part)
	// Output: 15 bytes, "and"
}
