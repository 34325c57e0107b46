package captions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A profile has its own limits, what it lacks is the default's, and a field that is set wins.
func TestProfiles(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"netflix", "bbc", "youtube", "social"}, captions.Profiles())
	type limits struct {
		columns  int
		speed    float64
		min, max time.Duration
		gap      time.Duration
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		name     string
		language transcript.Language
		want     limits
	}{
		{"netflix", "de", limits{42, 17, 834 * ms, 7000 * ms, 84 * ms}},
		{"bbc", "en", limits{37, 15, 1000 * ms, 7000 * ms, 0}},
		{"bbc", "ja", limits{26, 4, 1000 * ms, 7000 * ms, 0}},
		{"youtube", "fr", limits{42, 21, 1000 * ms, 7000 * ms, 0}},
		{"social", "en", limits{24, 21, 500 * ms, 3000 * ms, 0}},
		{"social", "zh", limits{24, 9, 500 * ms, 3000 * ms, 0}},
	} {
		o, ok := captions.Profile(c.name)
		require.True(t, ok)
		got := o.WithDefaults(c.language)
		require.Equal(t, c.want, limits{got.Columns, got.ReadingSpeed, got.MinDuration, got.MaxDuration, got.Gap}, "%s %s", c.name, c.language)
		o.Columns, o.MaxDuration = 60, 5*time.Second
		got = o.WithDefaults(c.language)
		require.Equal(t, []any{60, 5 * time.Second}, []any{got.Columns, got.MaxDuration})
	}
	_, ok := captions.Profile("cinema")
	require.False(t, ok)
}

// Cues that are faster than the limit are reported, and shown as they are.
func TestTooFast(t *testing.T) {
	t.Parallel()
	tr := transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{
		{Text: "Twenty characters ok", End: 1000 * time.Millisecond}, {Text: "This is more than anybody can read in a second.", Start: 4 * time.Second, End: 4200 * time.Millisecond},
	}}
	o := captions.Options{ReadingSpeed: 20}
	fast := captions.TooFast(captions.Build(tr, nil, o), "en", o)
	require.Len(t, fast, 1)
	require.Equal(t, "This is more\nthan anybody can read in a second.", fast[0].Text())
	require.Len(t, captions.TooFast(fast, "en", captions.Options{ReadingSpeed: 55}), 1)
	require.Empty(t, captions.TooFast(fast, "en", captions.Options{ReadingSpeed: 56}))
	require.InDelta(t, 46/0.834, fast[0].Speed(), 0.1)
}
