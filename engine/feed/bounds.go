package feed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// What a document may cost. The parser behind this package calls itself for elements within elements, copies the namespaces
// in scope for each element, and joins an element's stretches of text one by one, so that 8 MiB of the right bytes would
// take hours, gigabytes or the whole stack. A feed of 10,000 episodes stays within each bound.
const (
	maxDepth     = 64         // elements within elements
	maxScopes    = 12_000_000 // namespaces in scope, summed over all elements
	maxStretches = 1_000      // of text within one element, as comments and CDATA sections divide it
	maxDates     = 25_000     // elements that are taken for dates, each of which is tried in two hundred forms
)

// bound reads a document once, in time and memory that grow with its size only, and returns the name of its root. Entities
// that a document declares are not expanded, here or later.
func bound(doc []byte) (root string, err error) {
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
				return "", isNone(err)
			}
			if strings.EqualFold(root, "html") {
				return root, nil // pages needn't be XML
			}
			return "", isBroken(err)
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
		if c.add(token); c.tooMuch() {
			return "", engine.Errorf(engine.CodeUnprocessable, op, "The podcast feed is too deeply nested or too divided to be read.")
		}
	}
	if root == "" {
		return "", isNone(errors.New("no element"))
	}
	return root, nil
}

// cost is what the parser will have to do.
type cost struct {
	scopes    []int // namespaces in scope at each open element
	stretches []int // of text in each open element
	scoped    int
	divided   int // the most stretches of one element
	dates     int
	deepest   int
}

func (c *cost) tooMuch() bool {
	return c.deepest > maxDepth || c.scoped > maxScopes || c.divided > maxStretches || c.dates > maxDates
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
		c.scopes, c.stretches = append(c.scopes, scope), append(c.stretches, 0)
		c.scoped, c.deepest = c.scoped+scope, max(c.deepest, len(c.scopes))
	case xml.EndElement:
		if top >= 0 {
			c.scopes, c.stretches = c.scopes[:top], c.stretches[:top]
		}
	case xml.CharData:
		if top >= 0 && len(bytes.TrimSpace(t)) > 0 {
			c.stretches[top]++
			c.divided = max(c.divided, c.stretches[top])
		}
	}
}
