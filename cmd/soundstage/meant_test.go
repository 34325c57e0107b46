package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A misspelt command, flag, or value is an error that names the one that was meant. Nothing is suggested if none is close.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	for line, meant := range map[string]string{
		"transcrbe x":                        "transcribe",
		"library cilp 1":                     "clip",
		"exprot":                             "export",
		"render x --styl pop":                "--style",
		"render x -o y.mp4 --style capitons": "captions",
		"render x -o y.mp4 --aspect 9x16":    "9:16",
		"render x -o y.mp4 --fit corp":       "crop",
		"library clip 1 --data x -o y.mp4 --style kareoke": "karaoke",
		"library clip 1 --data x -o y.mp4 --aspect 916":    "9:16",
		"export x --to str,pfd":                            "srt",
		"export x --to txt --paper a5":                     "a4",
		"transcribe x --format vvt":                        "vtt",
		"transcribe x --language englsh":                   "english",
		"transcribe x --transcriber whispercp":             "whispercpp",
		"check x --profile netflx":                         "netflix",
		"keys create --data x --tier plaform":              "platform",
		"trigger transcript.complete":                      "transcript.completed",
		"serve --log jsn":                                  "json",
		"serve --style kareoke":                            "karaoke",
		"serve --for short":                                "shorts",
		"serve --clock manaul":                             "manual",
		"conformance --base-url http://x --format junti":   "junit",
		"render x -o y.mp4 --for tiktock":                  "tiktok",
		"clip x --for reel":                                "reels",
		"library clip 1 --data x -o y.mp4 --for yutube":    "youtube",
		"clip x --focus center":                            "centre",
		"clip x --snap sentences":                          "sentence",
		"nothing":                                          "",
		"render x --nothing":                               "",
		"render x -o y.mp4 --style neon":                   "",
		"transcribe x --language xx":                       "",
	} {
		code, _, errOut := cli(t, strings.Fields(line)...)
		require.Equal(t, 2, code, "%s: %s", line, errOut)
		if meant == "" {
			require.NotContains(t, strings.ToLower(errOut), "did you mean", line)
			continue
		}
		require.Contains(t, strings.ToLower(errOut), "did you mean "+meant+"?", line)
	}
}
