package diarize_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// Short recordings give exactly these turns, to the last bit of their confidence, on every machine. A change of the algorithm may change
// them; then the budgets show whether it is better.
func TestExactTurns(t *testing.T) {
	t.Parallel()
	long(t)
	raw, err := os.ReadFile("../testdata/conversation.wav")
	require.NoError(t, err)
	conversation := make([]int16, (len(raw)-44)/2)
	for i := range conversation {
		conversation[i] = int16(binary.LittleEndian.Uint16(raw[44+2*i:]))
	}
	noisy := make([]int16, len(conversation))
	rng := rand.NewPCG(3, 3)
	for i, v := range conversation {
		noisy[i] = v/2 + int16(rng.Uint64()%800) - 400
	}
	// The embedder tells the parts of the recording from each other.
	parts := func() diarize.Embedder {
		return &embedder{embed: func(call int, _ []int16) ([]float32, error) {
			v := []float32{0.25, 0.25, 0.25}
			v[call/10%3] = 1
			return v, nil
		}}
	}
	three := synthSpeech(7, []int{0, 3, 6}, 30)
	// The conversation twice, in which each speaker begins 1.5 s earlier.
	var overlapping []int16
	cuts := []int{0, 54 * rate / 10, 125 * rate / 10, 165 * rate / 10, 212 * rate / 10, len(conversation)}
	for k := range 2 * (len(cuts) - 1) {
		k %= len(cuts) - 1
		at := max(0, len(overlapping)-3*rate/2)
		for i, x := range conversation[cuts[k]:cuts[k+1]] {
			if at+i == len(overlapping) {
				overlapping = append(overlapping, 0)
			}
			overlapping[at+i] += x / 2
		}
	}
	for name, c := range map[string]struct {
		samples []int16
		config  diarize.Config
	}{
		"conversation":            {conversation, diarize.Config{}},
		"conversation of 3":       {conversation, diarize.Config{Speakers: 3}},
		"noisy":                   {noisy, diarize.Config{}},
		"noisy of at least 3":     {noisy, diarize.Config{MinSpeakers: 3}},
		"embedded":                {conversation, diarize.Config{Embedder: parts()}},
		"three voices":            {three, diarize.Config{}},
		"three voices, hint of 2": {three, diarize.Config{Expected: 2}},
		"three voices as 1":       {three, diarize.Config{Speakers: 1}},
		"three voices as 5":       {three, diarize.Config{Speakers: 5}},
		"overlapping":             {overlapping, diarize.Config{Overlap: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, turn := range run(t, c.samples, c.config) {
				fmt.Fprintf(&b, "%v to %v: speaker %d, %g", turn.Start, turn.End, turn.Speaker, turn.Confidence)
				if turn.Second {
					b.WriteString(", second")
				}
				b.WriteString("\n")
			}
			file := filepath.Join("testdata", "turns", strings.NewReplacer(" ", "-", ",", "").Replace(name)+".golden")
			require.Equal(t, golden.Read(t, file, []byte(b.String())), b.String())
		})
	}
}
