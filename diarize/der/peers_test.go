package der_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// Scores agree with NIST's md-eval and with dscore to the hundredth of a per cent that they print.
func TestAgreesWithPeers(t *testing.T) {
	t.Parallel()
	const digit = 0.00501 // they round to two digits
	var pairs []struct {
		Ref, Hyp    string
		End         float64 `json:"uem_end_s"`
		Plain       float64 `json:"md_eval_der"`
		Collar      float64 `json:"md_eval_der_collar_0.25"`
		SkipOverlap float64 `json:"md_eval_der_collar_0.25_skip_overlap"`
		NoUEM       float64 `json:"md_eval_der_no_uem"`
		Dscore      float64 `json:"dscore_der"`
		DscoreJER   float64 `json:"dscore_jer"`
	}
	data, err := os.ReadFile("testdata/peers/expected.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &pairs))
	require.Len(t, pairs, 14)
	for _, p := range pairs {
		t.Run(p.Hyp, func(t *testing.T) {
			t.Parallel()
			ref, hyp := segments(t, p.Ref), segments(t, p.Hyp)
			uem := []der.Span{{End: seconds(p.End)}}
			for name, c := range map[string]struct {
				want float64
				o    der.Options
			}{
				"no collar":                  {p.Plain, der.Options{UEM: uem}},
				"dscore":                     {p.Dscore, der.Options{UEM: uem}},
				"collar":                     {p.Collar, der.Options{UEM: uem, Collar: 250 * time.Millisecond}},
				"collar and without overlap": {p.SkipOverlap, der.Options{UEM: uem, Collar: 250 * time.Millisecond, SkipOverlap: true}},
				"no UEM":                     {p.NoUEM, der.Options{UEM: der.Extent(ref)}},
			} {
				require.InDelta(t, c.want, 100*der.DER(ref, hyp, c.o).DER(), digit, name)
			}
			require.InDelta(t, p.DscoreJER, 100*der.JER(ref, hyp, der.Options{UEM: uem}), digit, "JER")
		})
	}
}

// segments reads the only file in an RTTM file.
func segments(t *testing.T, name string) []der.Segment {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "peers", name))
	require.NoError(t, err)
	defer f.Close()
	files, err := der.ParseRTTM(f)
	require.NoError(t, err)
	require.Len(t, files, 1)
	for _, s := range files {
		return s
	}
	return nil
}
