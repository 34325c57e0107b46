package fake_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The transcript of a fixed sound is the same everywhere and for ever: a release that changes it says so.
func TestGolden(t *testing.T) {
	t.Parallel()
	media := record(10, append(talk(), burst(9000), pause(350), burst(1500), pause(300))...)
	for _, language := range []engine.Language{"en", "de", "ja", "zh", "ko", "hi"} {
		words := transcribe(t, media, engine.TranscribeRequest{
			Language: language, SpeakersExpected: 3, BoostedWords: []string{"Soundstage", "open source"},
		})
		var b strings.Builder
		for _, u := range engine.BuildUtterances(words, language) {
			fmt.Fprintf(&b, "%s: %s\n", u.Speaker, u.Text)
			for _, w := range u.Words {
				fmt.Fprintf(&b, "%6d %6d %.2f %s\n", w.Start.Milliseconds(), w.End.Milliseconds(), w.Confidence, w.Text)
			}
		}
		file := filepath.Join("testdata", string(language)+".golden")
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), b.String(), language)
	}
}
