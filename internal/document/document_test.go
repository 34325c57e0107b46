package document_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/document"
)

const depth = 64

// invalid maps rejected documents to the start of their error.
var invalid = map[string]string{
	"a: 1\n---\na: 2\n":                  "3:1: expected one YAML document, but another starts here",
	"a:\n\t- b\n":                        "2:1: invalid YAML: found character '\\t' that cannot start any token",
	"a: [\"b\n":                          "1:5: invalid YAML: found unexpected end of stream while scanning a quoted scalar",
	"a:\n  b: 1\n c: 2\n":                "3:2: invalid YAML: did not find expected key while parsing a block mapping",
	"a: [":                               "1:4: invalid YAML: did not find expected node content",
	"a: b: c\n":                          "1:5: invalid YAML: mapping values are not allowed in this context",
	"a: &b []\n":                         "1:4: anchors, aliases, tags, and merge keys are not supported",
	"a: &b 1\nc: *b\n":                   "1:4: anchors, aliases, tags, and merge keys are not supported",
	"a: !!str 1\n":                       "1:4: anchors, aliases, tags, and merge keys are not supported",
	"a: 1\n<<: {b: 2}\n":                 "2:1: anchors, aliases, tags, and merge keys are not supported",
	"a: 1\n\"a\": 2\n":                   "2:1: duplicate key a, first defined on line 1",
	"a:\n  - {b: 1, b: 2}\n":             "2:12: duplicate key b, first defined on line 2",
	"[a]: 1\n":                           "1:1: expected a key",
	"~: 1\n":                             "1:1: expected a key",
	"a: \x00\n":                          "1:1: invalid YAML: control characters are not allowed",
	strings.Repeat("- ", 100):            "1:129: invalid YAML: nested more than 64 levels deep",
	strings.Repeat("[", 1<<20):           "1:65: invalid YAML: nested more than 64 levels deep",
	"a: " + strings.Repeat("!b ", 1<<20): "1:7: invalid YAML: did not find expected key while parsing a block mapping",
}

// Every error has its line and column, and expensive input is rejected soon.
func TestParseWrong(t *testing.T) {
	t.Parallel()
	for raw, want := range invalid {
		began := time.Now()
		n, err := document.Parse([]byte(raw), depth)
		require.Nil(t, n)
		require.Error(t, err, "%.40q", raw)
		require.True(t, strings.HasPrefix(err.Error(), want), "%.40q\n%s\n%s", raw, want, err)
		require.Less(t, time.Since(began), 30*time.Second, "%.40q", raw)
	}
}

// Nodes have their positions; a file without content returns nil.
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

// Any input parses or returns an error with a position.
func FuzzParse(f *testing.F) {
	for raw := range invalid {
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
