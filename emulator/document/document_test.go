package document_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/document"
)

const depth = 64

// wrong are documents that are refused, and where and why.
var wrong = map[string]string{
	"a: 1\n---\na: 2\n":                  "3:1: one YAML document was expected; another one begins here",
	"a:\n\t- b\n":                        "2:1: the YAML is broken: found character '\\t' that cannot start any token",
	"a: [\"b\n":                          "1:5: the YAML is broken: found unexpected end of stream while scanning a quoted scalar",
	"a:\n  b: 1\n c: 2\n":                "3:2: the YAML is broken: did not find expected key while parsing a block mapping",
	"a: [":                               "1:4: the YAML is broken: did not find expected node content",
	"a: b: c\n":                          "1:5: the YAML is broken: mapping values are not allowed in this context",
	"a: &b []\n":                         "1:4: plain YAML was expected, without anchors, aliases, tags and merge keys",
	"a: &b 1\nc: *b\n":                   "1:4: plain YAML was expected, without anchors, aliases, tags and merge keys",
	"a: !!str 1\n":                       "1:4: plain YAML was expected, without anchors, aliases, tags and merge keys",
	"a: 1\n<<: {b: 2}\n":                 "2:1: plain YAML was expected, without anchors, aliases, tags and merge keys",
	"a: 1\n\"a\": 2\n":                   "2:1: a is there twice; the first one is on line 1",
	"a:\n  - {b: 1, b: 2}\n":             "2:12: b is there twice; the first one is on line 2",
	"[a]: 1\n":                           "1:1: a name was expected",
	"~: 1\n":                             "1:1: a name was expected",
	"a: \x00\n":                          "1:1: the YAML is broken: control characters are not allowed",
	strings.Repeat("- ", 100):            "1:129: the YAML is broken: it is nested deeper than 64 levels",
	strings.Repeat("[", 1<<20):           "1:65: the YAML is broken: it is nested deeper than 64 levels",
	"a: " + strings.Repeat("!b ", 1<<20): "1:7: the YAML is broken: did not find expected key while parsing a block mapping",
}

// Every error has its line and column, and what would take a parser long is refused at once.
func TestParseWrong(t *testing.T) {
	t.Parallel()
	for raw, want := range wrong {
		began := time.Now()
		n, err := document.Parse([]byte(raw), depth)
		require.Nil(t, n)
		require.Error(t, err, "%.40q", raw)
		require.True(t, strings.HasPrefix(err.Error(), want), "%.40q\n%s\n%s", raw, want, err)
		require.Less(t, time.Since(began), 5*time.Second, "%.40q", raw)
	}
}

// Nodes have their places; what says nothing is no document.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", " \n", "# nothing\n", "---\n", "---\n# nothing\n---\n"} {
		n, err := document.Parse([]byte(raw), depth)
		require.NoError(t, err, "%q", raw)
		require.Nil(t, n, "%q", raw)
	}
	n, err := document.Parse([]byte("# first\na: 1\nb:\n  - c\n---\n"), depth)
	require.NoError(t, err)
	require.Len(t, n.Content, 4)
	item := n.Content[3].Content[0]
	require.Equal(t, []any{"c", 4, 5}, []any{item.Value, item.Line, item.Column})
}

// Any bytes are a document or an error with a place.
func FuzzParse(f *testing.F) {
	for raw := range wrong {
		f.Add(raw[:min(len(raw), 400)])
	}
	f.Add("a: [1, 0x1f, 2026-01-01, ~, yes]\nb: |-\n  c\n? d\n: 'e'\n")
	f.Fuzz(func(t *testing.T, raw string) {
		n, err := document.Parse([]byte(raw), depth)
		var e *document.Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Msg == "" || n != nil) {
			t.Fatalf("%v and %v", n, err)
		}
	})
}
