package writer_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

var (
	escaped  = regexp.MustCompile(`\\[!-/:-@\[-` + "`" + `{-~]`)
	citation = regexp.MustCompile(`\[[0-9A-Za-z.]+\](?:\n|$)`)
	marker   = regexp.MustCompile(`(?m)^(?:- |> |>$|## |[0-9]+\. |\*\*)`)
)

// checkMarkdown checks that a text contains only the LLM's own markup: lists, block quotes, headings, bold names, and citations, but no
// HTML, links, or code.
func checkMarkdown(t require.TestingT, text string) {
	require.True(t, utf8.ValidString(text), "%q", text)
	require.NotEmpty(t, strings.TrimSpace(text))
	bare := citation.ReplaceAllString(escaped.ReplaceAllString(text, "x"), "\n")
	require.False(t, strings.ContainsAny(bare, "<`[]_~|&\\"), "%q", text)
	require.Zero(t, strings.Count(strings.ReplaceAll(bare, "**", ""), "*"), "%q", text)
	require.Zero(t, strings.Count(bare, "**")%2, "%q", text)
	for row := range strings.SplitSeq(bare, "\n") {
		rest := row
		for m := marker.FindString(rest); m != "" && m != "**"; m = "" {
			rest = rest[len(m):]
		}
		require.NotRegexp(t, `^(?:#{1,6} |[-+=]+ |[-=]{2,}$|> )`, rest, "%q", text)
		for _, r := range row {
			require.False(t, r < ' ' || r == 0x7f || r == 0xfeff, "%q", text)
		}
	}
}

// For any transcript, title, name, and prompt, the text is valid UTF-8 and contains only the LLM's own markup.
func FuzzLLMWrite(f *testing.F) {
	for _, seed := range []struct{ said, speaker, title, prompt, language string }{
		{"We sold the first twenty units. Why? Because we could!", "Ada", "Pilot", "Three quotes about units", "en"},
		{"<script>alert(1)</script> *bold* _it_ [link](http://x) `code` # no\n# heading\n- item\n> quote", "**A**", "[t](x)", "summary", "de"},
		{"これは「番組。です」と言った。編集は楽しい！", "話者", "番組", "編集について", "ja"},
		{"यह कहानी है। क्या आप सुनेंगे?", "वक्ता", "कड़ी", "कहानी", "hi"},
		{"1. one 2) two &lt; &#60; ~~x~~ | y | \\ z.", "1.", "=== x", "titles 5", "fr"},
		{"\xff\xfe.\x00 ...?!", "\x00", "\xff", "\xff", "zz"},
		{strings.Repeat("word ", 300), "", "", "questions", "ko"},
		{"我们聊聊产品。产品很好？产品！", "主播", "节目", "产品怎么样", "zh"},
	} {
		f.Add(seed.said, seed.speaker, seed.title, seed.prompt, seed.language)
	}
	f.Fuzz(func(t *testing.T, said, speaker, title, prompt, language string) {
		half := len(said) / 2
		p := passages([]transcript.Utterance{
			{Speaker: speaker, Text: said, End: time.Minute}, {Speaker: "B", Text: said[half:], Start: time.Hour, End: -time.Hour},
			{Speaker: speaker, Text: said[:half], Start: -1, End: 1 << 62},
		}, transcript.Language(language), 1)
		p[0].Title = title
		for _, task := range []engine.Task{engine.TaskGenerate, engine.TaskChat, engine.TaskSpeaker} {
			for _, kind := range append(builtIns, engine.OutputDynamic) {
				req := engine.WriteRequest{Task: task, Type: kind, Prompt: prompt, Language: transcript.Language(language), Passages: p}
				text := write(t, req)
				checkMarkdown(t, text)
				require.Equal(t, text, write(t, req))
				if task != engine.TaskGenerate {
					break
				}
			}
		}
	})
}

// Markup in transcripts is escaped and shown verbatim.
func TestLLMEscapes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"# No heading is what this sentence about carpets is.", "1. This is the first carpet of nine.", "Use <b>carpets</b> & *stars* in your_house.",
		"See [this](https://example.com/carpet) or `code` for a carpet.", "- A carpet is not a list of threads.", "> Carpets quote nobody ever.",
	} {
		p := passages([]transcript.Utterance{{Speaker: "_A_", Text: text}}, "en", 1)
		quote := write(t, engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputQuotes, Language: "en", Passages: p})
		checkMarkdown(t, quote)
		require.Contains(t, unescape(quote), "> "+text+"\n", quote)
		answer := write(t, engine.WriteRequest{Task: engine.TaskChat, Prompt: "carpet", Language: "en", Passages: p})
		checkMarkdown(t, answer)
		require.Contains(t, unescape(answer), "“"+text+"” [1.1]", answer)
	}
}
