package engine_test

import (
	"context"
	"log"
	"os"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// The whole way from an engine to captions: everything is kept in memory, ffmpeg decodes, and the deterministic transcriber
// invents what is said. (A program would look at the errors.)
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	media := render.FFmpeg{}
	eng, err := engine.New(engine.Config{
		Store: memory.NewStore(), Blobs: memory.NewBlobs(), Media: media, Transcriber: &fake.Transcriber{Media: media},
	})
	if err != nil {
		log.Fatal(err)
	}
	go func() { _ = eng.Run(ctx) }()
	me, _ := eng.CreateAccount(ctx, engine.NewAccount{Name: "Studio"})
	file, _ := os.Open("../testdata/conversation.wav")
	info, _ := file.Stat()
	up, _ := eng.CreateUpload(ctx, me, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: info.Size()})
	_, _ = eng.ReceiveUpload(ctx, up.ID, file)
	rec, _, _ := eng.CreateRecording(ctx, me, engine.NewRecording{ObjectID: up.ID})
	_, _ = eng.WaitRecording(ctx, me, rec.ID)
	got, _ := eng.GetRecordingTranscript(ctx, me, rec.ID)
	_ = formats.WriteVTT(os.Stdout, got.Transcript, formats.Options{Names: got.Names})
	// Output:
	// WEBVTT
	//
	// 1
	// 00:00:00.400 --> 00:00:05.340
	// <v Speaker 0>He can fix a hum in the audio just
	// by glaring at the cable.
	//
	// 2
	// 00:00:05.840 --> 00:00:07.701
	// <v Speaker 1>Oh, absolutely, every time.
	//
	// 3
	// 00:00:07.785 --> 00:00:12.420
	// <v Speaker 1>Have you ever let a guest hear
	// the edit before it went out?
	//
	// 4
	// 00:00:12.920 --> 00:00:16.460
	// <v Speaker 0>Somebody always forgets the batteries.
	//
	// 5
	// 00:00:16.960 --> 00:00:21.160
	// <v Speaker 1>We shot the whole trailer
	// in a car park in Bristol.
	//
	// 6
	// 00:00:21.660 --> 00:00:24.500
	// <v Speaker 0>Who was holding the budget?
}
