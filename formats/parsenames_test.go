package formats_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// Visible names are not read as words, and what a speaker says stays, even the own name.
func TestReadVisibleNames(t *testing.T) {
	t.Parallel()
	all := []transcript.Transcript{spoken("en", say("A", 0, "No."), say("Lee, Ann: R&D", 350*time.Millisecond, "Hm."),
		say("A", 4*time.Second, "A:", "I", "was", "going", "to", "say", "something", "very", "important,", "and", "it", "takes", "two", "captions."),
		say("", 30*time.Second, "Oh: well."), say("B", 40*time.Second, "Who", "said", "that?"), say("B", 45*time.Second, "B:", "I", "did."))}
	for _, l := range transcript.Languages() {
		all = append(all, passage(t, l))
	}
	for _, format := range []string{"ttml", "ebuttd", "ass"} {
		for _, tr := range all {
			named, err := formats.Parse("a."+format, bytes.NewReader(write(t, format, tr, formats.Options{VisibleNames: true})))
			require.NoError(t, err)
			plain, err := formats.Parse("a."+format, bytes.NewReader(write(t, format, tr, formats.Options{})))
			require.NoError(t, err)
			require.Equal(t, saidBy(plain.Transcript), saidBy(named.Transcript), format)
		}
	}
}

// A file keeps its text unless each turn begins with the name, and the width counts the names.
func TestReadSomeNames(t *testing.T) {
	t.Parallel()
	const head = `<head><metadata><ttm:agent xml:id="a"><ttm:name>Ann</ttm:name></ttm:agent><ttm:agent xml:id="b"><ttm:name>Bob</ttm:name></ttm:agent></metadata></head>`
	for body, want := range map[string]string{
		`<p begin="1s" end="2s" ttm:agent="a">Ann: Hello.</p><p begin="3s" end="4s" ttm:agent="b">Bob: Hi.</p>`: "Hello.|Hi.",
		`<p begin="1s" end="2s" ttm:agent="a">Ann: Hello.</p><p begin="3s" end="4s" ttm:agent="b">Hi.</p>`:      "Ann: Hello.|Hi.",
		`<p begin="1s" end="2s" ttm:agent="a">Ann:Hello.</p>`:                                                   "Ann:Hello.",
	} {
		p, err := formats.Parse("a.ttml", strings.NewReader(tt("", head+"<body><div>"+body+"</div></body>")))
		require.NoError(t, err)
		var said []string
		for _, u := range p.Utterances {
			said = append(said, u.Text)
		}
		require.Equal(t, want, strings.Join(said, "|"))
	}
	wide := tt("", head+`<body><div><p begin="1s" end="5s" ttm:agent="a">Ann: `+strings.Repeat("a", 40)+`</p></div></body>`)
	report, err := formats.Check("a.ttml", strings.NewReader(wide), formats.CheckOptions{})
	require.NoError(t, err)
	require.Equal(t, "width", string(report.Findings[0].Rule))
}
