package lazyregexp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

func ExampleNew() {
	word := lazyregexp.New(`\w+`)
	fmt.Println(word.FindAllString("two words", -1))
	// Output: [two words]
}

// A test finds a mistake in a pattern that it doesn't use.
func TestMistake(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { lazyregexp.New(`(`) })
}
