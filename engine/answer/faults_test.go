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

// interview is what the texts of these tests are about.
func interview() *answer.Source {
	said := func(speaker, text string, at, until time.Duration) transcript.Utterance {
		return transcript.Utterance{Speaker: speaker, Text: text, Start: at * time.Second, End: until * time.Second}
	}
	return answer.NewSource([]transcript.Passage{{Label: "1.1", Title: "The lighthouse [3]", Language: "en", Utterances: []transcript.Utterance{
		said("Mara", "Maria repaired the old light-house, didn't she?", 0, 9), said("Tom", "For eleven winters we lost boats.", 10, 19),
		said("Tom", "Three boats were never found [laughs] [12].", 22, 30), said("Mara", "Today it burns every night.", 31, 39),
		said("Mara", "Today it burns every night.", 91, 99),
	}}}, "An episode about the coast.")
}

// kinds returns the kinds of faults, each once per fault.
func kinds(faults []answer.Fault) (all []answer.FaultKind) {
	for _, f := range faults {
		all = append(all, f.Kind)
	}
	return all
}

func quote(words, source string) string { return "> " + words + "\n>\n> — " + source }

// Quotes are what somebody says, word for word, with the place and the speaker.
func TestCheckQuotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]answer.FaultKind{
		quote("Today it burns every night.", "**Mara**, 0:31"):                                            nil,
		quote("“TODAY, it burns *every* night…”", "**Mara**, 1:31"):                                       nil,
		quote("maria repaired the old lighthouse", "**Mara**, 0:00"):                                      nil,
		quote("For eleven winters we lost boats. Three boats were never found", "Tom, 0:10"):              nil,
		quote("we lost boats", "Tom, 0:19"):                                                               nil,
		quote("Mara: Today it burns every night.", "**Mara**, 0:31"):                                      nil,
		quote("Today it burns every night.", "**the host**, 0:31"):                                        nil,
		"> Today it burns every night. — **Mara**, 0:31":                                                  nil,
		"> Today it burns\n> every night.\n\n— **Mara**, 0:31":                                            nil,
		"Quotes:\n\n" + quote("we lost boats", "Tom, 0:10") + "\n\n" + quote("every night", "Mara, 1:35"): nil,
		"> we lost boats\n> — Tom, 0:10\n> every night\n> — Mara, 0:31":                                   nil,
		quote("Three boats were never found [laughs] [12].", "Tom, 0:22"):                                 nil,

		"":                          {answer.FaultNothing},
		"Mara says it well.":        {answer.FaultNothing},
		quote("…", "Mara, 0:31"):    {answer.FaultQuote},
		quote("The words.", "Name"): {answer.FaultQuote},
		quote("Today it burns each night.", "Mara, 0:31"):                     {answer.FaultQuote},
		quote("Today it burns … every night, Maria", "Mara, 0:31"):            {answer.FaultQuote},
		quote("we lost boats never found", "Tom, 0:10"):                       {answer.FaultQuote},
		quote("never found [laughs] [12]. Today it burns", "Tom, 0:22"):       {answer.FaultQuote},
		quote("Today it burns every night.", "**Mara**"):                      {answer.FaultQuote},
		quote("Today it burns every night.", "**Mara**, 0:50"):                {answer.FaultQuote},
		quote("Today it burns every night.", "**Tom**, 0:31"):                 {answer.FaultQuote},
		quote("we lost boats", "Tom, 0:10") + "\n\n> we lost everything":      {answer.FaultQuote},
		quote("we lost boats", "Tom [2]"):                                     {answer.FaultCitation, answer.FaultQuote},
		quote("we lost boats", "Tom, 0:10") + " [1.1]":                        {answer.FaultCitation},
		quote("we lost boats", "Tom, 0:10") + "\n\nSee [@7, @8], [4; 5] [6].": {answer.FaultCitation, answer.FaultCitation, answer.FaultCitation},
		strings.Repeat(quote("we lost boats", "Tom, 0:10")+"\n\n", 301):       {answer.FaultQuote},
	} {
		require.Equal(t, want, kinds(interview().CheckQuotes(text)), "%.300s", text)
	}
}

// Chapters begin with utterances, in order, and have titles.
func TestCheckChapters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]answer.FaultKind{
		"- 0:00 The repair\n- 0:10 Boats\n- 1:31 Today":                        nil,
		"1. **0:00** The repair\n2. 0:22–0:30: Boats":                          nil,
		"## Chapters\n\n* (0:00) The repair\n  - what Maria did\n* 0:31 Today": nil,
		"0:00 The repair\n0:10 - Boats":                                        nil,
		"":                                                                     {answer.FaultNothing},
		"The recording has no parts.":                                          {answer.FaultNothing},
		"- The repair\n- Boats":                                                {answer.FaultChapter, answer.FaultChapter, answer.FaultNothing},
		"- 0:00 The repair\n- Boats":                                           {answer.FaultChapter},
		"- 0:00 The repair\n- 0:05 Oil":                                        {answer.FaultChapter},
		"- 0:00 The repair\n- 9:59 Oil":                                        {answer.FaultChapter},
		"- 0:00\n- 0:10 **":                                                    {answer.FaultChapter},
		"- 0:10 Boats\n- 0:00 Repair":                                          {answer.FaultOrder},
		"- 0:10 Boats\n- 0:10 Winter":                                          {answer.FaultOrder},
		"- [1] The repair\n- [2] Boats":                                        {answer.FaultCitation, answer.FaultCitation, answer.FaultChapter, answer.FaultChapter, answer.FaultNothing},
		strings.Repeat("- 0:00 A\n", 400):                                      {answer.FaultOrder, answer.FaultChapter},
	} {
		require.Equal(t, want, kinds(interview().CheckChapters(text)), "%.300s", text)
	}
}

// An overview, topics, and posts are about the transcript, in its language. Long quotations in them are what somebody says.
func TestCheckProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]answer.FaultKind{
		"Maria repaired a lighthouse, and boats were lost.":                nil,
		"“For eleven winters, we lost boats”, says Tom of the winters.":    nil,
		"Tom tells of the \"lost boats\" of those winters.":                nil,
		"Every night: «today it burns every night».":                       nil,
		"A 5\" lamp burns every night.":                                    nil,
		"The lighthouse [3] was repaired. Three boats [12] were lost.":     nil,
		"The lighthouse, `a[3]`, was repaired; see [7](x) and \\[8\\].":    nil,
		"“We lost all of our boats in winter”, says Tom of the boats.":     {answer.FaultQuote},
		"Tom: \"We lost all of our boats in winter\" - boats every night.": {answer.FaultQuote},
		"The lighthouse was repaired [4], and burns every night [1.1].":    {answer.FaultCitation, answer.FaultCitation},
		"I am sorry, please provide something that I can summarise":        {answer.FaultSubject},
		"Der Leuchtturm wurde repariert, nachdem Schiffe verloren gingen.": {answer.FaultSubject},
		"Ich sehe leider nichts, was ich zusammenfassen könnte [4].":       {answer.FaultCitation, answer.FaultSubject},
	} {
		require.Equal(t, want, kinds(interview().CheckProse(text, false)), "%.300s", text)
	}
	require.Empty(t, interview().CheckProse("Der Leuchtturm: „Wir haben alle unsere Boote verloren“.", true), "another language")
}

// Any other content keeps numbers in brackets only if they belong to something.
func TestCheckCitations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]answer.FaultKind{
		"A poem.": nil, "a[i] and [x] and [v1.2]": nil, "```\na[0]\n```": nil, "See [1].\n\n[1] The repair": nil, "- [1] One\n- [2] Two": nil,
		"See [1].": {answer.FaultCitation}, "See [@5].": {answer.FaultCitation}, "See [1.1, 1.2] and [ 7 ].": {answer.FaultCitation, answer.FaultCitation},
	} {
		require.Equal(t, want, kinds(interview().CheckCitations(text)), text)
	}
	require.Len(t, interview().CheckCitations(strings.Repeat("[1] ", 20_000)), 1, "too many to look up")
}

// Texts that differ only in how characters are written are equal: full width, nuktas, case, and spaces.
func TestQuotesInAnyScript(t *testing.T) {
	t.Parallel()
	for said, quoted := range map[string]string{
		"ＡＢＣ１２３はどう？":              "「ABC 123 はどう」",
		"क\u093cलम और ज\u093cमीन": "\u0958लम और \u095bमीन।",
		"Straße und Maß":          "STRASSE UND MASS",
		"l’été dernier":           "L'été dernier.",
	} {
		s := answer.NewSource([]transcript.Passage{{Label: "1.1", Utterances: []transcript.Utterance{{Speaker: "A", Text: said, End: time.Second}}}}, "")
		require.Empty(t, s.CheckQuotes(quote(quoted, "A, 0:00")), said)
	}
}

// FuzzFaults checks that any text is checked without a panic, with few and short faults, and that a false quote, a false chapter, and a
// number in brackets are always found.
func FuzzFaults(f *testing.F) {
	for _, seed := range []string{
		"", "> a\n>\n> — **Mara**, 0:31", "- 0:00 A\n- 0:10 B", "“a”„b“«c»「d」\"e\"", "```\n[1]", "[1](x) \\[2] `[3]`", ">>\n> -\n>— \n—", "999:99:99", "> 0:00", "\xff[1]\xff",
	} {
		f.Add(seed)
	}
	source := interview()
	f.Fuzz(func(t *testing.T, text string) {
		checks := map[string]func(string) []answer.Fault{
			"quotes": source.CheckQuotes, "chapters": source.CheckChapters, "citations": source.CheckCitations,
			"prose": func(s string) []answer.Fault { return source.CheckProse(s, false) },
		}
		for name, check := range checks {
			faults := check(text)
			require.LessOrEqual(t, len(faults), 8, name)
			for _, fault := range faults {
				require.True(t, utf8.ValidString(fault.Text), name)
				require.Less(t, len(fault.Text), 1000, name)
				require.NotContains(t, fault.Text, "\n", name)
			}
		}
		if strings.ContainsAny(text, "`~") {
			return // a code block may hide what follows
		}
		require.NotEmpty(t, source.CheckQuotes(text+"\n\n"+quote("Nobody says these words.", "Mara, 0:31")))
		require.NotEmpty(t, source.CheckChapters(text+"\n\n- 0:03 Nothing begins here"))
		require.NotEmpty(t, source.CheckCitations(text+"\n\nAs said in [777.7]."))
	})
}
