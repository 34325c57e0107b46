package llm_test

import (
	"context"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// parrot is a Completer that returns a fixed text.
type parrot string

func (p parrot) Complete(context.Context, llm.Request) (llm.Answer, error) {
	return llm.Answer{Text: string(p), Finish: llm.FinishStop}, nil
}

func ExampleNew() {
	model, err := llm.New(llm.Config{Completer: parrot("- [@1] The bakery\n- [@2] Who misses it"), ContextTokens: 32_000})
	if err != nil {
		fmt.Println(err)
	}
	text, err := model.Write(context.Background(), engine.WriteRequest{
		Task: engine.TaskGenerate, Type: engine.OutputChapters, Language: "en",
		Passages: []transcript.Passage{{Label: "1.1", Title: "Breakfast", Language: "en", Utterances: []transcript.Utterance{
			{Speaker: "Nadia", Text: "Why did the bakery close?"},
			{Speaker: "Marcus", Text: "I miss its bread.", Start: 95 * time.Second},
		}}},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(text) // the model writes marks, and Write replaces them with times
	// Output:
	// - 0:00 The bakery
	// - 1:35 Who misses it
}
