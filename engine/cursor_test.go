package engine

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var cursorCases = []Position{
	{CreatedAt: time.UnixMicro(0).UTC(), ID: "a"},
	{CreatedAt: time.Date(2026, 11, 21, 3, 4, 5, 678_901_000, time.UTC), ID: "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11"},
	{CreatedAt: time.UnixMicro(-1).UTC(), ID: strings.Repeat("x", 200)},
	{CreatedAt: time.UnixMicro(1<<62 - 1).UTC(), ID: "日本"},
}

// A cursor gives back its position to the filter that it was made for, and to no other filter or key.
func TestCursorRoundTrip(t *testing.T) {
	t.Parallel()
	c := cursors{[]byte("key")}
	for _, p := range cursorCases {
		s := c.encode(p, "filter")
		got, err := c.decode(s, "filter")
		require.NoError(t, err)
		require.Equal(t, p, got)
		_, err = c.decode(s, "other")
		require.Equal(t, CodeInvalid, CodeOf(err))
		_, err = cursors{[]byte("other")}.decode(s, "filter")
		require.Equal(t, CodeInvalid, CodeOf(err))
	}
}

// A cursor that was changed in any byte, cut, or lengthened is refused.
func TestCursorChanged(t *testing.T) {
	t.Parallel()
	c := cursors{[]byte("key")}
	s := c.encode(cursorCases[1], "filter")
	for i := range s {
		for _, r := range "A_9\n=" {
			if changed := s[:i] + string(r) + s[i+1:]; changed != s {
				_, err := c.decode(changed, "filter")
				require.Equal(t, CodeInvalid, CodeOf(err), changed)
			}
		}
		_, err := c.decode(s[:i], "filter")
		require.Equal(t, CodeInvalid, CodeOf(err))
		_, err = c.decode(s[:i]+"\r\n"+s[i:], "filter")
		require.Equal(t, CodeInvalid, CodeOf(err), "line breaks are no part of a cursor")
	}
	_, err := c.decode(s+"AA", "filter")
	require.Equal(t, CodeInvalid, CodeOf(err))
	raw, err := base64.RawURLEncoding.DecodeString(s)
	require.NoError(t, err)
	raw[0]++
	_, err = c.decode(base64.RawURLEncoding.EncodeToString(raw), "filter")
	require.Equal(t, CodeInvalid, CodeOf(err), "another version")
}

// Nothing but what encode made decodes, and what decodes encodes to the same text.
func FuzzCursor(f *testing.F) {
	c := cursors{[]byte("key")}
	for _, p := range cursorCases {
		f.Add(c.encode(p, "filter"), "filter")
	}
	f.Add("", "")
	f.Add("AQ", "filter")
	f.Add(strings.Repeat("A", 100), "filter")
	f.Fuzz(func(t *testing.T, s, filter string) {
		p, err := c.decode(s, filter)
		if err != nil {
			require.Equal(t, CodeInvalid, CodeOf(err))
			return
		}
		require.Equal(t, s, c.encode(p, filter))
	})
}
