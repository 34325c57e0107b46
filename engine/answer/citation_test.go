package answer_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/answer"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func cited(label, title string, at time.Duration) transcript.Passage {
	return transcript.Passage{Label: label, Title: title, Utterances: []transcript.Utterance{{Start: at}}}
}

var citable = []transcript.Passage{
	cited("1.1", "Pilot", 0), cited("1.2", "Pilot", 12*time.Minute+34*time.Second+900*time.Millisecond),
	cited("2.17", "A [very] `odd` <b>title\\ \n", time.Hour+2*time.Minute+3*time.Second),
}

// mapCitations maps the labels of passages.
func mapCitations(text string, passages []transcript.Passage) (string, bool) {
	return answer.MapCitations(text, answer.Citations(passages))
}

// Labels become title and time. Unknown labels are removed with their blank. No other markdown changes.
func TestMapCitations(t *testing.T) {
	t.Parallel()
	odd := "“A \\[very\\] \\`odd\\` \\<b>title\\\\”, 1:02:03"
	for text, want := range map[string]string{
		"No citation.":                          "No citation.",
		"She left [1.2].":                       "She left [“Pilot”, 12:34].",
		"Both [1.1, 1.2] said":                  "Both [“Pilot”, 0:00; “Pilot”, 12:34] said",
		"Both [ 1.1;1.1 ]":                      "Both [“Pilot”, 0:00]",
		"Both [1.1][2.17]":                      "Both [“Pilot”, 0:00][" + odd + "]",
		"Half [9.9, 1.1]":                       "Half [“Pilot”, 0:00]",
		"None [9.9].":                           "None.",
		"None [9.9] of [1.99, 3.1] them":        "None of them",
		"[9.9] first":                           " first",
		"- a [9.9]\n  [9.9] b\n":                "- a\n   b\n",
		"Code `[1.2]` and ``a ` [1.2]``":        "Code `[1.2]` and ``a ` [1.2]``",
		"A lone ` tick [1.1]":                   "A lone ` tick [“Pilot”, 0:00]",
		"```\n[1.2]\n``` no\n[9.9]\n```\n[1.1]": "```\n[1.2]\n``` no\n[9.9]\n```\n[“Pilot”, 0:00]",
		"~~~\n[1.2]":                            "~~~\n[1.2]",
		"A [1.2](https://example.org) link":     "A [1.2](https://example.org) link",
		"Escaped \\[1.2] stays":                 "Escaped \\[1.2] stays",
		"Not one: [1], [v1.2], [1.2.3] [1.2":    "Not one: [1], [v1.2], [1.2.3] [1.2",
		"ends \\":                               "ends \\",
	} {
		got, any := mapCitations(text, citable)
		require.Equal(t, want, got, "%q", text)
		require.Equal(t, strings.Contains(want, "“"), any, "%q", text)
	}
	long, _ := mapCitations("[1.1]", []transcript.Passage{cited("1.1", strings.Repeat("ä", 200), 0)})
	require.Len(t, []rune(long), 80+len("[“”, 0:00]")-4, "a long title must be cut")
}

func FuzzMapCitations(f *testing.F) {
	for _, seed := range []string{
		"", "[1.2]", "a [9.9] b", "`[1.2]` ``", "```\n[1.1]\n~~~\n```", "[1.1](x)", "\\[1.1]", "[1.1, 1.2; 2.17]", "[[1.1]]", "![1.1]", "[1.1]: x", "\xff[1.1]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := mapCitations(text, citable)
		require.Equal(t, utf8.ValidString(text), utf8.ValidString(got))
		if !strings.Contains(text, "[") {
			require.Equal(t, text, got)
		}
		if !strings.ContainsAny(text, "[`~\\") {
			got, any := mapCitations(text+" [1.1] [9.9]", citable)
			require.Equal(t, text+" [“Pilot”, 0:00]", got)
			require.True(t, any)
		}
		none, any := mapCitations(text, nil)
		require.LessOrEqual(t, len(none), len(text), "without passages, labels must be removed")
		require.False(t, any)
	})
}
