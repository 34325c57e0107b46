package formats_test

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// rendered is a block that a Markdown file shows, and the tags inside it.
type rendered struct{ block, text, inside string }

// renderMD renders Markdown with goldmark, in GitHub's dialect.
func renderMD(t testing.TB, md []byte) []rendered {
	t.Helper()
	var page bytes.Buffer
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList), goldmark.WithRendererOptions(html.WithUnsafe())).Convert(md, &page))
	root, err := nethtml.Parse(&page)
	require.NoError(t, err)
	blocks := regexp.MustCompile(`^(h[1-6]|p|li|th|td|pre|blockquote|hr|dd|dt)$`)
	var all []rendered
	var walk func(n *nethtml.Node, in *rendered)
	walk = func(n *nethtml.Node, in *rendered) {
		if n.Type == nethtml.ElementNode {
			switch {
			case blocks.MatchString(n.Data):
				all = append(all, rendered{block: n.Data})
				at := len(all) - 1
				for c := n.FirstChild; c != nil; c = c.NextSibling {
					walk(c, &all[at])
				}
				return
			case in != nil:
				in.inside += "<" + n.Data + ">"
			}
		}
		if n.Type == nethtml.TextNode && in != nil {
			in.text += n.Data
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, in)
		}
	}
	walk(root, nil)
	return all
}

var markdownSpeech = []string{
	"# no heading", "####### seven", "#tag and C# and # alone #", "1. no list", "12) nor this", "1234567890. ten digits", "- no list", "+ nor this", "* nor this",
	"--- no rule", "***", "===", "==mark==", "> no quote", "*a* **b** _c_ __d__ a*b*c snake_case_name", "`code` ``x``", "~~struck~~ H~2~O x^2^",
	"[a](b) ![c](d) [e][f] [^1] [ ] [x]", "<b>bold</b> <!-- gone --> <a@b.c> <http://x>", "&amp; &#42; &copy;", `back\slash \* \`, "a | b | c", ":smile: 10:30 :100: a:b", "$x$ and $20",
	"www.example.com/a_b_c and ftp://x.y/a_b", "a_b_c@example.com", "see https://example.com/a_(b)_c?d=e&f=[g]#h_i.", "http://x_y_z.example/*a*", "%%comment%%", ": definition", "term : definition", "^[note]", "[^a]: note",
	"```", "~~~", "    four spaces", "| a |\n|---|", "a\\\nb", "“quotes” 'and' more--dashes...", "{#id} {.class}", "<script>alert(1)</script>", "\u00a0nbsp\u00a0", "*", "_", "#", "\\",
	"שלום *עולם*", "数学*强调*，。", "a ** b ** c", "@name #12 GH-1",
}

// Whatever is said, the rendered text is what was said, without markup; only web addresses become links.
func TestMarkdownShowsSpeech(t *testing.T) {
	t.Parallel()
	for _, text := range markdownSpeech {
		for _, line := range []string{text, "1. " + text, "a " + text + " " + text} {
			checkMarkdown(t, line, line)
		}
	}
}

// checkMarkdown checks that speech, name, title, and chapters are shown as they are.
func checkMarkdown(t *testing.T, text, name string) {
	t.Helper()
	tr := transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{{Speaker: "A", Text: text, End: time.Second}, {Speaker: "B", Text: "b", Start: 2 * time.Second, End: 3 * time.Second}}}
	md := write(t, "md", tr, formats.Options{Title: text, Names: map[string]string{"A": name}, Summary: strings.ReplaceAll(text, "\n", " "), SpeakerTable: true, Chapters: []formats.Chapter{{Title: text, Summary: name}}})
	d := document(t, tr, formats.Options{Names: map[string]string{"A": name}})
	if len(d.Utterances) < 2 {
		return
	}
	said, who := d.Utterances[0].Text, cmp.Or(d.Utterances[0].SpeakerName, "A")
	bold := strings.TrimSpace(who)
	links := map[string]string{said: "", who: ""}
	for text := range links {
		links[text] = strings.Repeat("<a>", strings.Count(strings.ToLower(text), "http://x")+strings.Count(strings.ToLower(text), "https://e"))
	}
	head, inHead := bold+" 00:00:00", "<strong>"+links[who]
	if bold == "" {
		head, inHead = "00:00:00", ""
	}
	got := renderMD(t, md)
	has := func(want rendered) {
		t.Helper()
		require.Contains(t, got, want, "%q\n%s", text, md)
	}
	has(rendered{"h1", said, links[said]})
	has(rendered{"p", said, links[said]})
	has(rendered{"p", head, inHead})
	has(rendered{"h3", said, "<a>" + links[said]})
	has(rendered{"td", who, links[who]})
	counts := map[string]int{}
	for _, b := range got {
		counts[b.block]++
	}
	want := map[string]int{"h1": 1, "h2": 4, "h3": 1, "li": 3, "p": 5, "th": 3, "td": 6}
	require.Equal(t, want, counts, "%q\n%s", text, md)
}

// Any text is shown as it is.
func FuzzMarkdown(f *testing.F) {
	for i, text := range markdownSpeech {
		f.Add(text, markdownSpeech[len(markdownSpeech)-1-i])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		if strings.Contains(text+name, "://") || captions.CleanText(name) == "B" || len(text) > 2000 {
			return // links, which TestMarkdownShowsSpeech has, a single speaker, and text that may be divided
		}
		checkMarkdown(t, strings.ReplaceAll(text, "\n", " "), name)
	})
}

// sections returns the options of a document with every section.
func sections() formats.Options {
	_, o := interview()
	o.Source, o.Media = "https://example.com/talk?a=1&b=2", "talk.mp4"
	o.Summary = "Two people talk about *early* computers.\n\nSee https://example.com/ada for more."
	o.Chapters = []formats.Chapter{{Title: "Opening"}, {Start: 11 * time.Second, Title: "Ada & the [engine]", Summary: "What she wrote in 1843."}}
	o.SpeakerTable = true
	return o
}
