package drift_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/emulator/drift"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

const hostile = `</pre><script>alert(1)</script><img src=x onerror=alert(1)>`

func exchange(number int64, path string, status int, body string) *record.Exchange {
	x := record.WithoutSecrets(record.Raw{
		Method: "GET", Path: path, Host: "api.example.com", Sent: http.Header{"Authorization": {"Bearer x"}}, Status: status,
		Received: http.Header{"Content-Type": {"application/json"}}, Answer: record.Captured{Data: []byte(body), Bytes: int64(len(body))},
	}, 1<<20)
	x.Number = number
	return x
}

// report returns a report with differences of each provenance, two of them in several exchanges, and with exchanges that can't be checked.
func report(t *testing.T) drift.Report {
	t.Helper()
	c, err := drift.New()
	require.NoError(t, err)
	cut := exchange(4, "/v1/spaces", 200, `{"spaces`)
	cut.ResponseBody.Partial = "only the first bytes are recorded"
	unreachable := exchange(5, "/v1/spaces", 502, "")
	unreachable.Error = "the service can't be reached"
	require.Len(t, c.Add(exchange(1, "/v1/spaces", 200, `{"spaces":[],"count":"`+hostile+`"}`)), 1)
	require.Empty(t, c.Add(exchange(2, "/v1/spaces", 200, `{"spaces":[],"count":"`+hostile+`"}`)), "the same difference again")
	c.Add(exchange(3, "/v1/recordings/0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11", 400, `{"error":"`+hostile+`","more":1}`))
	for _, x := range []*record.Exchange{cut, unreachable, exchange(6, "/health", 200, "{}"), exchange(7, "/v1/"+hostile, 200, "{}")} {
		c.Add(x)
	}
	c.Add(exchange(8, "/v1/usage", 200, `{"plan_status":"active","api_tier":"gold"}`))
	return c.Report("https://api.example.com/" + hostile)
}

// Equal differences are one finding. The report begins with the specified ones, and says what was not checked.
func TestReport(t *testing.T) {
	t.Parallel()
	r := report(t)
	require.Equal(t, 8, r.Counts.Exchanges)
	require.Equal(t, 6, r.Counts.Checked)
	require.Equal(t, map[string]int{
		"the service sent no complete response": 1, "the path is not under /v1": 1, "the body was not checked: only the first bytes are recorded": 1,
	}, r.Counts.Unchecked)
	require.Equal(t, "listSpaces.200.type./count", r.Findings[0].ID)
	require.Equal(t, 2, r.Findings[0].Count)
	require.Equal(t, []int64{1, 2}, r.Findings[0].Exchanges)
	last := 0
	for _, f := range r.Findings {
		rank := map[conformance.Provenance]int{conformance.Specified: 0, conformance.Documented: 1, conformance.Assumed: 2}[f.Provenance]
		require.GreaterOrEqual(t, rank, last, f.ID)
		last = rank
	}
	require.Positive(t, r.Count(conformance.Documented))
	require.Positive(t, r.Count(conformance.Assumed))
	require.Less(t, len(r.Drifts(false)), len(r.Drifts(true)))
}

// Each format has every finding and is valid, whatever the service sent.
func TestFormats(t *testing.T) {
	t.Parallel()
	r := report(t)
	for _, format := range drift.Formats() {
		var b bytes.Buffer
		require.NoError(t, r.Write(&b, format))
		for _, f := range r.Findings {
			want := f.ID
			switch format {
			case "html":
				want = html.EscapeString(want)
			case "junit":
				continue // checked below
			case "json":
				raw, err := json.Marshal(want)
				require.NoError(t, err)
				want = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(raw))
			}
			require.Contains(t, b.String(), want, format)
		}
		switch format {
		case "json":
			require.NoError(t, json.Unmarshal(b.Bytes(), &drift.Report{}))
		case "junit":
			var suites struct {
				Tests    int `xml:"tests,attr"`
				Failures int `xml:"failures,attr"`
			}
			require.NoError(t, xml.Unmarshal(b.Bytes(), &suites))
			require.Equal(t, len(r.Findings), suites.Failures)
			require.GreaterOrEqual(t, suites.Tests, suites.Failures)
		case "html":
			selfContained(t, b.String())
		}
	}
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(r.Write(&bytes.Buffer{}, "pdf")))
}

// selfContained fails the test if a page loads something, runs something, or has an element from the hostile text.
func selfContained(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			require.NotContains(t, []string{"script", "img", "link", "iframe"}, n.Data)
			for _, a := range n.Attr {
				require.NotContains(t, []string{"src", "href", "onerror"}, a.Key)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
}

// A report without findings says so.
func TestNoDrift(t *testing.T) {
	t.Parallel()
	c, err := drift.New()
	require.NoError(t, err)
	c.Add(exchange(1, "/v1/spaces", 200, `{"spaces":[],"count":0}`))
	r := c.Report("https://api.example.com")
	require.Empty(t, r.Drifts(true))
	for format, want := range map[string]string{"text": "0 differences", "html": "does not differ", "junit": `failures="0"`, "json": `"findings": []`} {
		var b bytes.Buffer
		require.NoError(t, r.Write(&b, format))
		require.Contains(t, b.String(), want)
	}
}
