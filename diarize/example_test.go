package diarize_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
)

// Find out who spoke when in a conversation of two people. A WAV file of 16 kHz mono 16-bit has the samples after its header of 44 bytes;
// render.FFmpeg decodes other media.
func Example() {
	file, err := os.Open("../testdata/conversation.wav")
	if err != nil {
		panic(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(44, 0); err != nil {
		panic(err)
	}
	turns, err := diarize.Run(context.Background(), file, diarize.Config{})
	if err != nil {
		panic(err)
	}
	for _, turn := range turns {
		fmt.Printf("Speaker %d from %v to %v\n", turn.Speaker, turn.Start.Round(time.Second), turn.End.Round(time.Second))
	}
	// Output:
	// Speaker 0 from 0s to 1s
	// Speaker 0 from 2s to 5s
	// Speaker 1 from 6s to 12s
	// Speaker 0 from 13s to 14s
	// Speaker 0 from 14s to 16s
	// Speaker 1 from 17s to 18s
	// Speaker 1 from 18s to 21s
	// Speaker 0 from 22s to 22s
	// Speaker 0 from 23s to 24s
}
