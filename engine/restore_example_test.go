package engine_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// This program restores a recording with its transcript and its speaker.
func ExampleEngine_Restore() {
	ctx := context.Background()
	eng, err := engine.New(engine.Config{
		Store: memory.NewStore(), Blobs: memory.NewBlobs(), Media: minuteOfSound(), Transcriber: hears(),
	})
	if err != nil {
		panic(err)
	}
	me, err := eng.CreateAccount(ctx, engine.NewAccount{Name: "Acme"})
	if err != nil {
		panic(err)
	}
	done, err := eng.Restore(ctx, me, engine.Archive{Spaces: []engine.ArchiveSpace{{
		Name:     "Old shows",
		Speakers: []engine.ArchiveSpeaker{{Speaker: engine.Speaker{Name: "Ada"}, Role: "Host"}},
		Recordings: []engine.ArchiveRecording{{
			Recording: engine.Recording{Title: "Pilot"},
			Transcript: &transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{
				{Speaker: "Speaker 0", Text: "Welcome.", End: time.Second, Words: []transcript.Word{{Text: "Welcome.", End: time.Second, Speaker: "Speaker 0"}}},
			}},
			Names:       map[string]string{"Speaker 0": "Ada"},
			Media:       func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("media")), nil },
			ContentType: "audio/wav",
		}},
	}}})
	if err != nil {
		panic(err)
	}
	got, err := eng.GetRecordingTranscript(ctx, me, done.Recordings[0])
	if err != nil {
		panic(err)
	}
	for _, u := range got.Transcript.Utterances {
		fmt.Printf("%s: %s: %s\n", got.Recording.Title, got.Names[u.Speaker], u.Text)
	}
	// Output: Pilot: Ada: Welcome.
}
