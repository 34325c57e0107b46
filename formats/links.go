package formats

import (
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// textLink is an address in a text.
type textLink struct {
	start, end int // bytes
	address    string
}

var webAddress = lazyregexp.New(`(?i)\bhttps?://[A-Za-z0-9\[][A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*`)

// linksIn returns the web addresses in a text, without the punctuation that follows them.
func linksIn(text string) []textLink {
	if !strings.Contains(text, "://") {
		return nil
	}
	var links []textLink
	for _, at := range webAddress.FindAllStringIndex(text, -1) {
		address := trimAddress(text[at[0]:at[1]])
		if linkOf(address) != "" {
			links = append(links, textLink{at[0], at[0] + len(address), address})
		}
	}
	return links
}

// trimAddress removes the punctuation that belongs to the sentence. A closing bracket stays if it has an opening one.
func trimAddress(address string) string {
	for {
		cut := strings.TrimRight(address, ".,;:!?'*")
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(cut, pair[1:]) && strings.Count(cut, pair[:1]) < strings.Count(cut, pair[1:]) {
				cut = cut[:len(cut)-1]
			}
		}
		if cut == address {
			return address
		}
		address = cut
	}
}
