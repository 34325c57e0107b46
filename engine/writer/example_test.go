package writer_test

import (
	"context"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

func ExampleLLM() {
	said := []transcript.Utterance{
		{Speaker: "Nadia", Text: "Why did the bakery close?", Start: 0, End: 2 * time.Second},
		{Speaker: "Marcus", Text: "Nobody wanted to get up at three.", Start: 3 * time.Second, End: 6 * time.Second},
		{Speaker: "Nadia", Text: "I miss the bread of that bakery.", Start: 7 * time.Second, End: 9 * time.Second},
	}
	answer, err := writer.LLM{}.Write(context.Background(), engine.WriteRequest{
		Task: engine.TaskChat, Prompt: "Who misses the bread?", Language: "en",
		Passages: []transcript.Passage{{Label: "1.1", Title: "Breakfast", Language: "en", Utterances: said}},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(answer)
	// Output: Nadia: “I miss the bread of that bakery.” [1.1]
}
