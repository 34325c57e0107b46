package feed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Limits of a document. The gofeed parser recurses into nested elements, copies the namespaces in scope for each element, and
// concatenates an element's text segments one by one. Without limits, 8 MiB of hostile XML would take hours, gigabytes, or the
// whole stack. A feed of 10,000 episodes stays within each limit.
const (
	maxDepth    = 64         // nesting of elements
	maxScopes   = 12_000_000 // namespaces in scope, summed over all elements
	maxSegments = 1_000      // text segments of one element, divided by comments and CDATA sections
	maxDates    = 25_000     // elements that are parsed as dates, in up to two hundred layouts each
)

// checkLimits checks a document against the limits, in time and memory proportional to its size, and returns the name of its
// root. Declared entities are never expanded, neither here nor by the parser.
func checkLimits(doc []byte) (root string, err error) {
	d := xml.NewDecoder(bytes.NewReader(doc))
	d.Strict = false
	c := cost{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if root == "" {
				return "", notFeed(err)
			}
			if strings.EqualFold(root, "html") {
				return root, nil // HTML needn't be well-formed XML
			}
			return "", notWellFormed(err)
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
		if c.add(token); c.tooMuch() {
			return "", engine.Errorf(engine.CodeUnprocessable, op, "The podcast feed is too deeply nested or has too many namespaces, text segments, or dates.")
		}
	}
	if root == "" {
		return "", notFeed(errors.New("no element"))
	}
	return root, nil
}

// cost measures the work that the parser will have.
type cost struct {
	scopes       []int // namespaces in scope at each open element
	segments     []int // text segments in each open element
	totalScopes  int
	mostSegments int // maximum of segments
	dates        int
	deepest      int
}

func (c *cost) tooMuch() bool {
	return c.deepest > maxDepth || c.totalScopes > maxScopes || c.mostSegments > maxSegments || c.dates > maxDates
}

func (c *cost) add(token xml.Token) {
	top := len(c.scopes) - 1
	switch t := token.(type) {
	case xml.StartElement:
		scope := 1
		if top >= 0 {
			scope = c.scopes[top]
		}
		for _, a := range t.Attr {
			if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
				scope++
			}
		}
		switch t.Name.Local {
		case "pubDate", "lastBuildDate", "date", "published", "updated", "issued", "modified", "created":
			c.dates++
		}
		c.scopes, c.segments = append(c.scopes, scope), append(c.segments, 0)
		c.totalScopes, c.deepest = c.totalScopes+scope, max(c.deepest, len(c.scopes))
	case xml.EndElement:
		if top >= 0 {
			c.scopes, c.segments = c.scopes[:top], c.segments[:top]
		}
	case xml.CharData:
		if top >= 0 && len(bytes.TrimSpace(t)) > 0 {
			c.segments[top]++
			c.mostSegments = max(c.mostSegments, c.segments[top])
		}
	}
}
