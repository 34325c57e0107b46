package outbox_test

import (
	"context"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// A program can test its webhooks without a server: a sink receives them in the process, and the outbox shows what was sent.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store := memory.NewStore()
	box := outbox.New(outbox.Config{Sender: fetch.NewSender(fetch.Config{})})
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs(), Sender: box, WebhookRetry: []time.Duration{time.Millisecond}})
	if err != nil {
		panic(err)
	}
	owner, err := e.CreateAccount(ctx, engine.NewAccount{Name: "Example"})
	if err != nil {
		panic(err)
	}
	if err := box.Attach(ctx, e, store, owner); err != nil {
		panic(err)
	}
	defer box.Close()
	go func() { _ = e.Run(ctx) }()

	if _, err := box.Subscribe(ctx, outbox.Sink{Status: []int{500, 200}}); err != nil {
		panic(err)
	}
	sent, err := box.Trigger(ctx, outbox.Trigger{Event: engine.EventTranscriptCompleted, Resource: "rec-1"})
	if err != nil {
		panic(err)
	}
	if err := box.WaitStatus(ctx, sent.Messages[0], outbox.StatusDelivered); err != nil {
		panic(err)
	}
	m, err := box.Get(sent.Messages[0])
	if err != nil {
		panic(err)
	}
	for _, a := range m.Attempts {
		fmt.Println(m.Event, m.Resource, a.Request.Line, a.Response.Status)
	}
	// Output:
	// transcript.completed rec-1 POST /?answer=500,200 HTTP/1.1 500
	// transcript.completed rec-1 POST /?answer=500,200 HTTP/1.1 200
}
