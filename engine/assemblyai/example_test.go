package assemblyai_test

import (
	"fmt"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/assemblyai"
)

// Only the key is required.
func ExampleNew() {
	transcriber, err := assemblyai.New(assemblyai.Config{Key: "the key of the account", Model: "universal-3-5-pro,universal-2"})
	if err != nil {
		fmt.Println(engine.Message(err))
	}
	_ = engine.Config{Transcriber: transcriber}

	_, err = assemblyai.New(assemblyai.Config{})
	fmt.Println(engine.Message(err))
	// Output:
	// The key of AssemblyAI is missing.
}
