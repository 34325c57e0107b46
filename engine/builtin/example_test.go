package builtin_test

import (
	"fmt"

	"github.com/soundstage-dev/soundstage/engine/builtin"
)

func ExamplePrompts() {
	for _, p := range builtin.Prompts() {
		fmt.Println(p.Type, p.Name)
	}
	// Output:
	// episode_overview Overview
	// quotes Quotes
	// key_topics Key topics
	// chapters Chapters
	// social_posts Social posts
}
