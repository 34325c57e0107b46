package cursor_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/stretchr/testify/require"
)

var cursorCases = []cursor.Position{
	{CreatedAt: time.UnixMicro(0).UTC(), ID: "a"},
	{CreatedAt: time.Date(2026, 11, 21, 3, 4, 5, 678_901_000, time.UTC), ID: "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11"},
	{CreatedAt: time.UnixMicro(-1).UTC(), ID: strings.Repeat("x", 200)},
	{CreatedAt: time.UnixMicro(1<<62 - 1).UTC(), ID: "日本"},
}

// A cursor decodes to its position with its own filter and key, and with no other.
func TestCursorRoundTrip(t *testing.T) {
	t.Parallel()
	c := cursor.Codec{Key: []byte("key")}
	for _, p := range cursorCases {
		s := c.Encode(p, "filter")
		got, err := c.Decode(s, "filter")
		require.NoError(t, err)
		require.Equal(t, p, got)
		_, err = c.Decode(s, "other")
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		_, err = cursor.Codec{Key: []byte("other")}.Decode(s, "filter")
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	}
}

// A cursor with a changed, missing, or additional byte is refused.
func TestCursorChanged(t *testing.T) {
	t.Parallel()
	c := cursor.Codec{Key: []byte("key")}
	s := c.Encode(cursorCases[1], "filter")
	for i := range s {
		for _, r := range "A_9\n=" {
			if changed := s[:i] + string(r) + s[i+1:]; changed != s {
				_, err := c.Decode(changed, "filter")
				require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), changed)
			}
		}
		_, err := c.Decode(s[:i], "filter")
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		_, err = c.Decode(s[:i]+"\r\n"+s[i:], "filter")
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "line breaks must be refused")
	}
	_, err := c.Decode(s+"AA", "filter")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	raw, err := base64.RawURLEncoding.DecodeString(s)
	require.NoError(t, err)
	raw[0]++
	_, err = c.Decode(base64.RawURLEncoding.EncodeToString(raw), "filter")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "another version must be refused")
}

// Where the position ends and the filter begins is part of what is signed: a byte can't move from one to the other.
func TestCursorBorder(t *testing.T) {
	t.Parallel()
	c := cursor.Codec{Key: []byte("key")}
	raw, err := base64.RawURLEncoding.DecodeString(c.Encode(cursor.Position{CreatedAt: time.Unix(1, 0), ID: "ab"}, "c"))
	require.NoError(t, err)
	mac := len(raw) - 16
	require.Equal(t, "ab", string(raw[mac-2:mac]))
	moved := base64.RawURLEncoding.EncodeToString(slices.Delete(raw, mac-1, mac))
	_, err = c.Decode(moved, "bc")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

// Clients keep cursors, so a cursor of an earlier program still works.
func TestCursorOfEarlierProgram(t *testing.T) {
	t.Parallel()
	const kept = "AQAGRNphKoYFYfwyN3u1qiYTBzZ2paXdK7Y"
	c := cursor.Codec{Key: []byte("key")}
	p := cursor.Position{CreatedAt: time.Date(2025, 12, 1, 2, 3, 4, 5000, time.UTC), ID: "a"}
	require.Equal(t, kept, c.Encode(p, "filter"))
	got, err := c.Decode(kept, "filter")
	require.NoError(t, err)
	require.Equal(t, p, got)
}

// A cursor without an ID is refused: no position has none.
func TestCursorWithoutID(t *testing.T) {
	t.Parallel()
	c := cursor.Codec{Key: []byte("key")}
	_, err := c.Decode(c.Encode(cursor.Position{CreatedAt: time.Unix(1, 0)}, "filter"), "filter")
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

// Only encoded cursors decode, and a decoded cursor encodes to the same text.
func FuzzCursor(f *testing.F) {
	c := cursor.Codec{Key: []byte("key")}
	for _, p := range cursorCases {
		f.Add(c.Encode(p, "filter"), "filter")
	}
	f.Add("", "")
	f.Add("AQ", "filter")
	f.Add(strings.Repeat("A", 100), "filter")
	f.Fuzz(func(t *testing.T, s, filter string) {
		p, err := c.Decode(s, filter)
		if err != nil {
			require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
			return
		}
		require.Equal(t, s, c.Encode(p, filter))
	})
}
