package fake_test

import (
	"context"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
)

func ExampleLLM() {
	said := []engine.Utterance{
		{Speaker: "Nadia", Text: "Why did the bakery close?", Start: 0, End: 2 * time.Second},
		{Speaker: "Marcus", Text: "Nobody wanted to get up at three.", Start: 3 * time.Second, End: 6 * time.Second},
		{Speaker: "Nadia", Text: "I miss the bread of that bakery.", Start: 7 * time.Second, End: 9 * time.Second},
	}
	answer, err := fake.LLM{}.Write(context.Background(), engine.WriteRequest{
		Task: engine.TaskChat, Prompt: "Who misses the bread?", Language: "en",
		Passages: []engine.Passage{{Label: "1.1", Title: "Breakfast", Language: "en", Utterances: said}},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(answer)
	// Output: Nadia: “I miss the bread of that bakery.” [1.1]
}

func ExampleTranslator() {
	texts, err := fake.Translator{}.Translate(context.Background(), engine.TranslateRequest{
		From: "en", To: "de", Texts: []string{"What would you do differently if you were starting [[T0]] today?"},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(texts[0]) // invented, but in German, and the term is there
	// Output: Wusstest du, dass [[T0]] schon in der ersten Folge vorkam?
}
