package formats_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// ttmlModel lists the children and attributes that the profiles allow for each element that we write: the intersection of IMSC 1.1 Text and
// EBU-TT-D. An attribute with an exclamation mark is required.
var ttmlModel = map[string]struct{ children, attributes string }{
	"tt":       {"head body", "version contentProfiles timeBase! cellResolution lang!"},
	"head":     {"metadata styling layout", ""},
	"metadata": {"documentMetadata title agent", ""}, "documentMetadata": {"conformsToStandard", ""}, "conformsToStandard": {"", ""},
	"title": {"", ""}, "agent": {"name", "id! type!"}, "name": {"", "type!"},
	"styling": {"style", ""},
	"style":   {"", "id! fontFamily fontSize lineHeight textAlign linePadding fillLineGap color backgroundColor direction unicodeBidi"},
	"layout":  {"region", ""},
	"region":  {"", "id! origin! extent! displayAlign showBackground"},
	"body":    {"div", "style"},
	"div":     {"p", ""},
	"p":       {"span br", "id! begin! end! region! agent"},
	"span":    {"", "style! agent"},
	"br":      {"", ""},
}

// requireTTML checks a document against the model: elements, attributes, their values, unique IDs, and references.
func requireTTML(t *testing.T, in string, ebuttd bool) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(in))
	var open []string
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			model, ok := ttmlModel[name]
			require.True(t, ok, name)
			if len(open) > 0 {
				require.Contains(t, strings.Fields(ttmlModel[open[len(open)-1]].children), name)
			}
			open = append(open, name)
			var seen []string
			for _, a := range token.Attr {
				if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
					continue
				}
				seen = append(seen, a.Name.Local)
				require.Contains(t, strings.Fields(strings.ReplaceAll(model.attributes, "!", "")), a.Name.Local, name)
				switch a.Name.Local {
				case "id":
					require.False(t, ids[a.Value], a.Value)
					ids[a.Value] = true
				case "agent", "region", "style":
					for id := range strings.FieldsSeq(a.Value) {
						require.True(t, ids[id], "%s has no %s %s", name, a.Name.Local, id)
					}
				case "begin", "end":
					require.Regexp(t, `^\d\d+:[0-5]\d:[0-5]\d\.\d{3}$`, a.Value)
				case "color", "backgroundColor":
					require.Regexp(t, `^#[0-9a-f]{6}([0-9a-f]{2})?$`, a.Value)
				case "version", "contentProfiles":
					require.False(t, ebuttd, "EBU-TT-D has no %s", a.Name.Local)
				}
			}
			for a := range strings.FieldsSeq(model.attributes) {
				if required, ok := strings.CutSuffix(a, "!"); ok {
					require.Contains(t, seen, required, name)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if strings.TrimSpace(string(token)) != "" {
				require.Contains(t, []string{"span", "name", "title", "conformsToStandard"}, open[len(open)-1])
			}
		}
	}
}

// The documents of every transcript keep the rules of their profile, and imscJS shows each cue at its time, in the colour of its speaker, without
// an error or a warning.
func TestValidatorTTML(t *testing.T) {
	t.Parallel()
	_, o := hostile()
	o.Captions.Dialogues = true
	colours := []string{"255,255,255,255", "255,255,0,255", "0,255,255,255", "0,255,0,255"}
	for _, format := range timedTexts {
		requireTTML(t, string(write(t, format, transcript.Transcript{}, formats.Options{})), format == "ebuttd")
		for n, got := range readCaptions(t, "imsc", format, o) {
			tr := captionTranscripts(t)[n]
			requireTTML(t, string(write(t, format, tr, o)), format == "ebuttd")
			cues := captions.Build(tr, o.Names, o.Captions)
			require.Empty(t, got.Errors, "%s %d", format, n)
			require.Len(t, got.Cues, len(cues))
			var labels []string
			for i, c := range cues {
				first := c.Label
				if c.Dialogue() {
					first = c.Lines[0].Label
				}
				if first != "" && !slices.Contains(labels, first) {
					labels = append(labels, first)
				}
				require.Equal(t, c.Start.Milliseconds(), got.Cues[i].Start)
				require.Equal(t, c.End.Milliseconds(), got.Cues[i].End)
				require.Equal(t, c.Text(), got.Cues[i].Text)
				require.Equal(t, colours[max(slices.Index(labels, first), 0)%4], got.Cues[i].Voice, "%s %d: %s", format, n, c.Text())
				if c.Dialogue() && c.Lines[1].Label != "" && !slices.Contains(labels, c.Lines[1].Label) {
					labels = append(labels, c.Lines[1].Label)
				}
			}
		}
	}
}

var timedTexts = []string{"ttml", "ebuttd"}

// Both lines of a dialogue have their agents, and a line that begins with a right-to-left letter its direction.
func TestTTMLDialogue(t *testing.T) {
	t.Parallel()
	tr := spoken("", say("Speaker 0", time.Second, "No."), say("Speaker 1", 1400*time.Millisecond, "שלום."))
	for _, format := range timedTexts {
		out := string(write(t, format, tr, formats.Options{Names: map[string]string{"Speaker 0": "Ann & Co"}}))
		require.Contains(t, out, `<ttm:name type="full">Ann &amp; Co</ttm:name>`)
		require.Contains(t, out, `ttm:agent="speaker1"><span style="voice1">- No.</span><br/><span style="voice2 rtl" ttm:agent="speaker2">- שלום.</span></p>`)
	}
}

// VisibleNames begins each turn with the name.
func TestTTMLVisibleNames(t *testing.T) {
	t.Parallel()
	tr, o := interview()
	o.VisibleNames = true
	for _, format := range append([]string{"ass"}, timedTexts...) {
		require.Contains(t, string(write(t, format, tr, o)), "Prof. Ada Byron:", format)
	}
}
