package live

import (
	"crypto/rand"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Cursor is a place in a Feed: after the message with a number. Its text is "q7xk2m4a-12".
type Cursor struct {
	feed   string // ID of the feed, so that the cursor of another server or world isn't mistaken for one of this feed
	number int64
}

const (
	feedLetters = "abcdefghijklmnopqrstuvwxyz234567"
	feedLength  = 8
	maxDigits   = 18
)

// newFeedID returns a random ID.
func newFeedID() string { return strings.ToLower(rand.Text()[:feedLength]) }

func (c Cursor) String() string { return c.feed + "-" + strconv.FormatInt(c.number, 10) }

// MarshalText implements encoding.TextMarshaler.
func (c Cursor) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseCursor parses the text of a Cursor. CodeInvalid for every other text.
func ParseCursor(text string) (Cursor, error) {
	feed, digits, ok := strings.Cut(text, "-")
	if ok && len(feed) == feedLength && strings.Trim(feed, feedLetters) == "" && len(digits) <= maxDigits && strings.Trim(digits, "0123456789") == "" {
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil && strconv.FormatInt(n, 10) == digits {
			return Cursor{feed, n}, nil
		}
	}
	return Cursor{}, engine.Errorf(engine.CodeInvalid, "events", "%.40q is not a cursor of this stream.", text).
		WithHint("Pass the id of the last message that you handled, or none to begin now.")
}
