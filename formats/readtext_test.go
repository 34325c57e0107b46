package formats

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// A file of exactly the limit is read; one more byte is too large.
func TestReadTextLimit(t *testing.T) {
	t.Parallel()
	text, _, err := readText("Op", strings.NewReader("12345"), 5)
	require.NoError(t, err)
	require.Equal(t, "12345", string(text))
	_, _, err = readText("Op", strings.NewReader("123456"), 5)
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err))
	require.Equal(t, "The file has more than 5 bytes.", fault.Message(err))
}

// A caption file of more than 16 MiB is refused; its lines would take many times as much memory.
func TestMaxCaptions(t *testing.T) {
	t.Parallel()
	for _, k := range []kind{kindVTT, kindSRT, kindTTML} {
		_, err := readCaptions("Op", k, make([]byte, maxCaptions+1), problems{})
		require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err))
	}
}

// A file with too many cues is refused before its text is copied.
func TestMaxCues(t *testing.T) {
	t.Parallel()
	f := captionFile{cues: make([]sourceCue, maxCues+1)}
	_, err := f.transcript("Op")
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err))
	f.cues = f.cues[:maxCues]
	for i := range f.cues {
		f.cues[i].end = 1
	}
	_, err = f.transcript("Op")
	require.NoError(t, err)
}
