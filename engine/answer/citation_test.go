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

// A citation behind a quote has the time at which its words are spoken, in every language's marks. Other citations have the start of the passage.
func TestQuotedTimes(t *testing.T) {
	t.Parallel()
	say := func(speaker, text string, start time.Duration) transcript.Utterance {
		u := transcript.Utterance{Speaker: speaker, Text: text, Start: start}
		for i, w := range strings.Fields(text) {
			u.Words = append(u.Words, transcript.Word{Text: w, Start: start + time.Duration(i)*time.Second})
		}
		return u
	}
	edited := say("Bo", "Words that were edited.", 200*time.Second)
	edited.Words = edited.Words[:2]
	passages := []transcript.Passage{
		{Label: "1.1", Title: "Whole", Language: "en", Utterances: []transcript.Utterance{
			say("Ann", "We began here. Was it — really — the whole trick? Yes.", 10*time.Second),
			say("Bo", "Yes. That's the whole trick! He said \"no\" to it.", 60*time.Second), edited,
		}},
		{Label: "1.2", Title: "Whole", Language: "en", Utterances: []transcript.Utterance{say("Ann", "The end, the whole end.", 300*time.Second)}},
		{Label: "2.1", Title: "港", Language: "ja", Utterances: []transcript.Utterance{{Start: time.Second, Text: "はい。港です。", Words: []transcript.Word{
			{Text: "はい。", Start: time.Second}, {Text: "港", Start: 3 * time.Second}, {Text: "です。", Start: 4 * time.Second},
		}}}},
	}
	for text, want := range map[string]string{
		"Bo: “That's the whole trick!” [1.1]":              "Bo: “That's the whole trick!” [“Whole”, 1:01]",
		"„That’s the whole trick“ [1.1].":                  "„That’s the whole trick“ [“Whole”, 1:01].",
		"«that's the whole TRICK» [1.1]":                   "«that's the whole TRICK» [“Whole”, 1:01]",
		"”He said \"no\" to it.” [1.1]":                    "”He said \"no\" to it.” [“Whole”, 1:05]",
		"\"We began here\" [1.1], and \"Yes.\" [1.1]":      "\"We began here\" [“Whole”, 0:10], and \"Yes.\" [“Whole”, 0:21]",
		"Bo: “Yes.” [1.1]":                                 "Bo: “Yes.” [“Whole”, 1:00]",
		"Ann and Bo: “Yes.” [1.1]":                         "Ann and Bo: “Yes.” [“Whole”, 0:21]",
		"“We began here” and “really — the” [1.1]":         "“We began here” and “really — the” [“Whole”, 0:10; “Whole”, 0:16]",
		"‘That’s the whole trick!’, Bo’s words [1.1]":      "‘That’s the whole trick!’, Bo’s words [“Whole”, 1:01]",
		"“The end” [1.1] [9.9] [1.2]":                      "“The end” [“Whole”, 0:10] [“Whole”, 5:00]",
		"“Words that were” [1.1]":                          "“Words that were” [“Whole”, 0:10]",
		"“Words that were edited.” [1.1]":                  "“Words that were edited.” [“Whole”, 3:20]",
		"“the whole end” [1.1, 1.2]":                       "“the whole end” [“Whole”, 0:10; “Whole”, 5:02]",
		"In “Whole” she says: “The end” [1.2]":             "In “Whole” she says: “The end” [“Whole”, 5:00]",
		"“hole trick” is inside of words [1.1]":            "“hole trick” is inside of words [“Whole”, 0:10]",
		"“whole tri” as well [1.1]":                        "“whole tri” as well [“Whole”, 0:10]",
		"“Never said” [1.1]":                               "“Never said” [“Whole”, 0:10]",
		"That's the whole trick! [1.1]":                    "That's the whole trick! [“Whole”, 0:10]",
		"“We began here” [1.1]. That's all [1.1]":          "“We began here” [“Whole”, 0:10]. That's all [“Whole”, 0:10]",
		"“That's the whole trick!”\nOn another line [1.1]": "“That's the whole trick!”\nOn another line [“Whole”, 0:10]",
		"“…” [1.2]":                                        "“…” [“Whole”, 5:00]",
		"「港です」 [2.1]":                                      "「港です」 [“港”, 0:03]",
		"「港」です。[2.1]":                                      "「港」です。[“港”, 0:01]",
		"“The end [1.2]":                                   "“The end [“Whole”, 5:00]",
	} {
		got, _ := mapCitations(text, passages)
		require.Equal(t, want, got)
	}
	many := strings.Repeat("“Yes.” ", 400) + "[1.1] “That's the whole trick!” [1.1]"
	got, _ := mapCitations(many, passages)
	require.True(t, strings.HasSuffix(got, "[“Whole”, 0:21] “That's the whole trick!” [“Whole”, 0:10]"), "the number of quotes is limited")
}

func FuzzMapCitations(f *testing.F) {
	for _, seed := range []string{
		"", "[1.2]", "a [9.9] b", "`[1.2]` ``", "```\n[1.1]\n~~~\n```", "[1.1](x)", "\\[1.1]", "[1.1, 1.2; 2.17]", "[[1.1]]", "![1.1]", "[1.1]: x", "\xff[1.1]", "“a” [1.1]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := mapCitations(text, citable)
		require.True(t, utf8.ValidString(got) || !utf8.ValidString(text))
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
