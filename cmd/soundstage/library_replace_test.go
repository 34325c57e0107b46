package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whole words are replaced, also next to punctuation, and in scripts without spaces any text.
func TestReplaceWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, old, by, want string
		n                   int
	}{
		{"Jon met Jonas. “Jon!” said Jon", "Jon", "John", "John met Jonas. “John!” said John", 3},
		{"a category, a cat", "cat", "dog", "a category, a dog", 1},
		{"cats cat", "cat", "dog", "cats dog", 1},
		{"aa aaa aa", "aa", "b", "b aaa b", 2},
		{"Jose\u0301 is here", "Jose", "Joe", "Jose\u0301 is here", 0},
		{"the the end", "the end", "fin", "the fin", 1},
		{"東京都に行く", "京都", "大阪", "東大阪に行く", 1},
		{"", "x", "y", "", 0},
	} {
		got, n := replaceWords(c.text, c.old, c.by)
		require.Equal(t, c.want, got)
		require.Equal(t, c.n, n, c.text)
	}
}
