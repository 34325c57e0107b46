package answer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/answer"
)

// Chapters reads lists as the writer and models write them, and skips what is no chapter.
func TestChapters(t *testing.T) {
	t.Parallel()
	at := func(seconds int, title string) answer.Chapter {
		return answer.Chapter{Start: time.Duration(seconds) * time.Second, Title: title}
	}
	for text, want := range map[string][]answer.Chapter{
		"- 0:00 Welcome\n- 1:05 Plans \\& prices\n- 1:02:03 The end":       {at(0, "Welcome"), at(65, "Plans & prices"), at(3723, "The end")},
		"Chapters:\n\n1. **[00:05]** – *Why we listen*\r\n2. (00:20) Next": {at(5, "Why we listen"), at(20, "Next")},
		"- 0:30 – 1:10 A range [3]\n- 1:10: **Bold** ends\n":               {at(30, "A range"), at(70, "Bold ends")},
		"- 0:10 二人で企画する\n- 0:08 earlier\n- 0:20\n- 0:30 **":                {at(10, "二人で企画する")},
		"No list.": nil,
		"":         nil,
	} {
		require.Equal(t, want, answer.Chapters(text), text)
	}
	require.Len(t, answer.Chapters(strings.Repeat("0:00 same\n", 5)), 1)
	var many strings.Builder
	for i := range 400 {
		many.WriteString("- " + time.Unix(int64(i), 0).UTC().Format("4:05") + " x\n")
	}
	require.Len(t, answer.Chapters(many.String()), 300)
}
