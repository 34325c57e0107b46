package command_test

import (
	"errors"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// New checks the arguments before it runs anything.
func ExampleNew() {
	_, err := command.New(command.Config{
		Program: "whisper-cli", Media: wav.Media{},
		Args: []string{"-m", "ggml-base.bin", "-f", "{file}", "-l", "{language}", "-ojf", "-pp", "--prompt", "{prompt}"},
	})
	refused, _ := errors.AsType[*engine.Error](err)
	fmt.Println(refused.Msg)
	fmt.Println(refused.Hint)
	// Output:
	// The argument "{file}" contains an unknown placeholder.
	// Use {wav}, {dir}, {language}, {known_language}, {speakers}, {words}, {prompt}.
}
