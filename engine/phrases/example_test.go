package phrases_test

import (
	"fmt"

	"github.com/soundstage-dev/soundstage/engine/phrases"
)

// Boundaries finds the phrases of Japanese.
func ExampleBoundaries() {
	text := "今日はコンピューターの話をします。"
	from := 0
	for _, b := range phrases.Boundaries(text, "ja") {
		fmt.Println(text[from:b.Offset])
		from = b.Offset
	}
	fmt.Println(text[from:])
	// Output:
	// 今日は
	// コンピューターの
	// 話を
	// します。
}
