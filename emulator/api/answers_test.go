package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// The answer of every operation is the same as ever, except for IDs, times, signatures, and what ffmpeg measures.
func TestAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	have := r.populateHeard(true)
	idle := r.do("POST", "/_soundstage/idle", map[string]any{"timeout_ms": 120_000}) // lets the webhook's deliveries end
	require.Equal(t, 200, idle.status, "%s", idle.body)
	asked := append(accesses(), listAccesses...)
	order := map[string]int{"GET": 0, "POST": 1, "PATCH": 2, "DELETE": 3}
	slices.SortStableFunc(asked, func(a, b access) int { return cmp.Compare(order[a.method], order[b.method]) })
	var all bytes.Buffer
	for _, x := range asked {
		if x.path == "/v1/renders/{render}" {
			continue // ffmpeg measures parts of it
		}
		var body any
		if x.body != "" {
			body = fill(x.body, have)
		}
		a := r.do(x.method, fill(x.path, have), body)
		fmt.Fprintf(&all, "%s %s %s\n%d %s\n%s\n\n", x.method, x.path, x.body, a.status, a.header.Get("Content-Type"), constant(a.body, have))
	}
	shown := r.do("GET", "/v1/renders/"+have["render"], nil).want(200)["render"].(map[string]any)
	video := r.do("GET", shown["asset_url"].(string), nil)
	require.Equal(t, 200, video.status)
	part := r.do("GET", shown["asset_url"].(string), nil, "Range", "bytes=4-7")
	require.Equal(t, 206, part.status)
	require.Equal(t, "ftyp", string(part.body))
	require.Equal(t, "ftyp", string(video.body[4:8]))
	require.Equal(t, golden.Read(t, "testdata/answers.golden", all.Bytes()), all.String())
}

// listAccesses are the requests without an ID.
var listAccesses = []access{
	{"GET", "/v1/spaces", ""}, {"GET", "/v1/recordings?limit=1", ""}, {"GET", "/v1/recordings?query=nothing", ""}, {"GET", "/v1/prompts", ""},
	{"GET", "/v1/search?query=coffee", ""}, {"GET", "/v1/usage", ""}, {"GET", "/v1/webhooks", ""},
	{"POST", "/v1/uploads", `{"filename":"a.wav","content_type":"audio/wav","content_size":5}`},
}

// variable matches what differs from run to run.
var variable = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`), "<id>"},
	{regexp.MustCompile(`(imp|obj|whd|evt)_[0-9a-f]{32}`), "<id>"},
	{regexp.MustCompile(`"next_cursor": "[^"]+"`), `"next_cursor": "<cursor>"`},
	{regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`), "<secret>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/storage/[^"]*`), "<address>"},
	{regexp.MustCompile(`"(v1,[A-Za-z0-9+/=]+|\d{10})"`), `"<signature>"`},
	{regexp.MustCompile(`"duration_ms": \d+`), `"duration_ms": <n>`},
}

// constant returns a response's body, indented, with the same text in each run.
func constant(body []byte, have ids) string {
	text := string(body)
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", " ") == nil {
		text = indented.String()
	}
	for kind, id := range have {
		text = strings.ReplaceAll(text, id, "{"+kind+"}")
	}
	for _, v := range variable {
		text = v.pattern.ReplaceAllString(text, v.text)
	}
	for _, attempt := range attempts.FindAllString(text, -1) { // the wall clock decides how many there are by now
		for more := attempt + ",\n" + attempt; strings.Contains(text, more); {
			text = strings.ReplaceAll(text, more, attempt)
		}
	}
	return text
}

// attempts matches the attempts of deliveries.
var attempts = regexp.MustCompile(`    \{\n     "at": "<time>",[\s\S]*?\n    \}`)
