package speech_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/speech"
)

// Times and confidences are parsed from all forms that servers use. Invalid ones are unknown, not errors.
func TestNumbersOfServers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		seconds, milliseconds speech.Time
		confidence            speech.Confidence
	}{
		`1.5`:         {speech.At(1500 * time.Millisecond), speech.At(1500 * time.Microsecond), speech.KnownConfidence(1)},
		`0`:           {speech.At(0), speech.At(0), speech.KnownConfidence(0)},
		`0.25`:        {speech.At(250 * time.Millisecond), speech.At(250 * time.Microsecond), speech.KnownConfidence(0.25)},
		`-2`:          {speech.At(-2 * time.Second), speech.At(-2 * time.Millisecond), speech.KnownConfidence(0)},
		`"3"`:         {speech.At(3 * time.Second), speech.At(3 * time.Millisecond), speech.KnownConfidence(1)},
		`" 0.5 "`:     {speech.At(500 * time.Millisecond), speech.At(500 * time.Microsecond), speech.KnownConfidence(0.5)},
		`1e300`:       {confidence: speech.KnownConfidence(1)},
		`"NaN"`:       {},
		`"-Infinity"`: {confidence: speech.KnownConfidence(0)},
		`""`:          {},
		`"soon"`:      {},
		`null`:        {},
		`true`:        {},
		`{"at":1}`:    {},
		`[1]`:         {},
	} {
		var got struct {
			S speech.InSeconds
			M speech.InMilliseconds
			C speech.Confidence
		}
		require.NoError(t, json.Unmarshal([]byte(`{"S":`+in+`,"M":`+in+`,"C":`+in+`}`), &got), in)
		require.Equal(t, want.seconds, got.S.Time, in)
		require.Equal(t, want.milliseconds, got.M.Time, in)
		require.Equal(t, want.confidence, got.C, in)
	}
	require.Equal(t, speech.Time{}, speech.Seconds(math.NaN()))
	require.Equal(t, speech.Time{}, speech.Seconds(math.Inf(-1)))
	require.Equal(t, speech.Confidence{}, speech.KnownConfidence(math.NaN()))
	require.Equal(t, speech.At(3*time.Second), speech.At(time.Second).Add(2*time.Second))
	require.Equal(t, speech.Time{}, speech.Time{}.Add(time.Second))
}

// Times and confidences accept any JSON value, and known values are within their limits.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{`1.5`, `"1.5"`, `null`, `1e999`, `"NaN"`, `-0`, `{}`, `"\u0031"`, `"0x1p-2"`} {
		f.Add([]byte(seed))
	}
	const year = 366 * 24 * time.Hour
	f.Fuzz(func(t *testing.T, b []byte) {
		var s speech.InSeconds
		var m speech.InMilliseconds
		var c speech.Confidence
		for _, v := range []any{&s, &m, &c} {
			if err := json.Unmarshal(b, v); err != nil {
				require.False(t, json.Valid(b), "%s", b)
			}
		}
		require.Less(t, s.At.Abs(), year)
		require.Less(t, m.At.Abs(), year)
		require.True(t, c.Value >= 0 && c.Value <= 1)
		require.True(t, c.Known || c.Value == 0)
		require.True(t, s.Known || s.At == 0)
	})
}
