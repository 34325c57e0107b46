package fake_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// The transcript of a fixed sound is the same on every machine and in every release. A change must be in the release notes.
func TestGolden(t *testing.T) {
	t.Parallel()
	media := record(10, append(talk(), burst(9000), pause(350), burst(1500), pause(300))...)
	for _, language := range []transcript.Language{"en", "de", "ja", "zh", "ko", "hi"} {
		words := transcribe(t, media, engine.TranscribeRequest{
			Language: language, SpeakersExpected: 3, BoostedWords: []string{"Soundstage", "open source"},
		})
		var b strings.Builder
		for _, u := range transcript.BuildUtterances(words, language) {
			fmt.Fprintf(&b, "%s: %s\n", u.Speaker, u.Text)
			for _, w := range u.Words {
				fmt.Fprintf(&b, "%6d %6d %.2f %s\n", w.Start.Milliseconds(), w.End.Milliseconds(), w.Confidence, w.Text)
			}
		}
		file := filepath.Join("testdata", string(language)+".golden")
		require.Equal(t, golden.Read(t, file, []byte(b.String())), b.String(), language)
	}
}

// The translation of a fixed text is the same on every machine and in every release.
func TestTranslateGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, to := range transcript.Languages() {
		if to == "en" {
			continue
		}
		for _, s := range translate(t, "en", to,
			"We had an offer on the table, a good one. Why do so many shows give up before the tenth episode?",
			"I think [[T0]] came out in 2019 and cost 3.50 dollars.", "Yes.",
		) {
			fmt.Fprintf(&b, "%s: %s\n", to, s)
		}
	}
	require.Equal(t, golden.Read(t, filepath.Join("testdata", "translator.golden"), []byte(b.String())), b.String())
}
