package rows

import (
	"encoding/binary"
	"errors"

	"github.com/soundstage-dev/soundstage/engine/search"
)

// KindNumbers encodes a document's kind in its postings, which are numerous: one for each term of each document.
var KindNumbers = map[search.DocumentKind]int64{search.DocumentTranscript: 1, search.DocumentRecording: 2, search.DocumentContent: 3}

// EncodeParts encodes the part numbers as varints: the first number, then the difference of each to the previous one.
func EncodeParts(parts []int) []byte {
	b, last := make([]byte, 0, len(parts)+8), 0
	for _, part := range parts {
		b = binary.AppendUvarint(b, uint64(part-last))
		last = part
	}
	return b
}

// DecodeParts is the inverse of EncodeParts. It takes most of the time of a search for a common word, whose differences mostly
// fit into one byte each.
func DecodeParts(b []byte) ([]int, error) {
	parts, last := make([]int, 0, len(b)), 0
	for i := 0; i < len(b); {
		v, n := uint64(b[i]), 1
		if v >= 0x80 {
			v, n = binary.Uvarint(b[i:])
		}
		if n <= 0 {
			return nil, errors.New("the stored parts are corrupt")
		}
		i, last = i+n, last+int(v)
		parts = append(parts, last)
	}
	return parts, nil
}
