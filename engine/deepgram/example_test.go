package deepgram_test

import (
	"fmt"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/deepgram"
)

// Only the key is required.
func ExampleNew() {
	transcriber, err := deepgram.New(deepgram.Config{Key: "the key of the account", Model: "nova-3"})
	if err != nil {
		fmt.Println(engine.Message(err))
	}
	_ = engine.Config{Transcriber: transcriber}

	_, err = deepgram.New(deepgram.Config{})
	fmt.Println(engine.Message(err))
	// Output:
	// The key of Deepgram is missing.
}
