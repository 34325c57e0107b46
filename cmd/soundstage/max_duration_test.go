package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// --max-duration refuses longer media with an error that names the flag. It must not be negative.
func TestMaxDuration(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	const media = "../../testdata/conversation.wav"
	code, _, errOut := cli(t, "transcribe", media, "--max-duration", "2s")
	require.Equal(t, 6, code, errOut)
	require.Contains(t, errOut, "The media must be at most 2s long.\n  Split it into shorter parts, or raise the limit with --max-duration")
	code, out, errOut := cli(t, "transcribe", media, "--max-duration", "1h")
	require.Zero(t, code, errOut)
	require.NotEmpty(t, out)
	for _, command := range [][]string{{"transcribe", media}, {"serve"}} {
		code, _, errOut = cli(t, append(command, "--max-duration", "-1s")...)
		require.Equal(t, 2, code, errOut)
		require.Contains(t, errOut, "--max-duration must not be negative (got -1s).")
	}
}
