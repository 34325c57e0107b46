package command_test

import (
	"errors"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// Arguments are checked before anything runs.
func ExampleNew() {
	_, err := command.New(command.Config{
		Program: "whisper-cli", Media: wav.Media{},
		Args: []string{"-m", "ggml-base.bin", "-f", "{file}", "-l", "{language}", "-ojf", "-pp", "--prompt", "{prompt}"},
	})
	refused, _ := errors.AsType[*engine.Error](err)
	fmt.Println(refused.Msg)
	fmt.Println(refused.Hint)
	// Output:
	// The argument "{file}" has a placeholder that is not known.
	// Known are {wav}, {dir}, {language}, {known_language}, {speakers}, {words}, {prompt}.
}
