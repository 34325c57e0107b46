package transcript_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const ms = time.Millisecond

func word(start, end int) transcript.Word {
	return transcript.Word{Text: "w", Start: time.Duration(start) * ms, End: time.Duration(end) * ms}
}

func window(start, end int) transcript.Window {
	return transcript.Window{Start: time.Duration(start) * ms, End: time.Duration(end) * ms}
}

// A word is touched if it shares some time with the window and is inside the media; a border is no time.
func TestTouchedWords(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{word(0, 1000), word(999, 1001), word(1500, 1500), word(1999, 2000), word(2000, 2500), word(1900, 3001)}
	require.Equal(t, []transcript.Word{words[1], words[3]}, transcript.TouchedWords(words, 3000*ms, window(1000, 2000)))
}

// Snap moves edges to word borders, keeps edges that are a word's, and refuses invalid windows.
func TestSnap(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{word(1000, 1400), word(1500, 2000), word(2000, 2600), word(9000, 9500)}
	long := []transcript.Word{word(0, 500), word(100_000, 100_500), word(179_000, 180_000), word(180_000, 180_600), word(181_000, 181_500)}
	overlap := []transcript.Word{word(0, 1000), word(500, 2000), word(1500, 3000)}
	for name, c := range map[string]struct {
		words []transcript.Word
		media int
		asked transcript.Window
		want  transcript.Window
		code  fault.Code
	}{
		"it grows to the words that it touches":           {words, 10_000, window(1200, 2100), window(1000, 2600), ""},
		"it shrinks to the words that it holds":           {words, 10_000, window(0, 5000), window(1000, 2600), ""},
		"a word that ends where it begins is not touched": {words, 10_000, window(1400, 1600), window(1500, 2000), ""},
		"a word that begins where it ends is not touched": {words, 10_000, window(1100, 1500), window(1000, 1400), ""},
		"one word":                            {words, 10_000, window(9100, 9200), window(9000, 9500), ""},
		"the whole":                           {words, 10_000, window(0, 10_000), window(1000, 9500), ""},
		"silence":                             {words, 10_000, window(3000, 8000), transcript.Window{}, fault.CodeNoSpeech},
		"no words at all":                     {nil, 10_000, window(0, 5000), transcript.Window{}, fault.CodeNoSpeech},
		"end before start":                    {words, 10_000, window(5000, 4000), transcript.Window{}, fault.CodeInvalid},
		"an empty window":                     {words, 10_000, window(5000, 5000), transcript.Window{}, fault.CodeInvalid},
		"a negative start":                    {words, 10_000, window(-1, 4000), transcript.Window{}, fault.CodeInvalid},
		"behind the end":                      {words, 10_000, window(10_000, 10_500), transcript.Window{}, fault.CodeInvalid},
		"far over the end":                    {words, 10_000, window(1000, 11_001), transcript.Window{}, fault.CodeInvalid},
		"up to a rounded second over the end": {words, 9600, window(8000, 10_000), window(9000, 9500), ""},
		"beyond the rounded second":           {words, 9600, window(8000, 10_001), transcript.Window{}, fault.CodeInvalid},
		"beyond a whole second":               {words, 10_000, window(8000, 10_001), transcript.Window{}, fault.CodeInvalid},
		"longer than three minutes":           {long, 200_000, window(0, 180_001), transcript.Window{}, fault.CodeInvalid},
		"exactly three minutes":               {long, 200_000, window(0, 180_000), window(0, 180_000), ""},
		"growing over three minutes drops the last word":  {long, 200_000, window(400, 180_300), window(0, 180_000), ""},
		"words that end behind the media don't count":     {words, 9200, window(8000, 9200), transcript.Window{}, fault.CodeNoSpeech},
		"an edge that is a word's stays when two overlap": {overlap, 5000, window(500, 2000), window(500, 2000), ""},
		"an edge inside two words goes to the outer ones": {overlap, 5000, window(600, 1600), window(0, 3000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := transcript.Snap(c.words, time.Duration(c.media)*ms, c.asked)
			require.Equal(t, c.code, fault.CodeOf(err), fmt.Sprint(err))
			require.Equal(t, c.want, got)
		})
	}
}

// The message for a window without speech says what to do: pick a range with spoken words.
func TestSnapSaysWhatToDo(t *testing.T) {
	t.Parallel()
	_, err := transcript.Snap(nil, time.Minute, window(0, 1000))
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Msg, "spoken words")
}

// For any words, even of overlapping speakers, and any window, a snapped window has its edges at word borders and is inside the media. It
// is at most three minutes long, touches the requested window, and doesn't change when snapped again.
func TestSnapProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		media := rapid.IntRange(1, 400_000).Draw(t, "media")
		var words []transcript.Word
		at := 0
		for range rapid.IntRange(0, 40).Draw(t, "words") {
			start := at + rapid.IntRange(0, 9000).Draw(t, "gap")
			length := rapid.IntRange(1, 12_000).Draw(t, "length")
			if start+length > media {
				break
			}
			words = append(words, word(start, start+length))
			at = start + rapid.IntRange(0, length).Draw(t, "overlap")
		}
		start := rapid.IntRange(0, media-1).Draw(t, "start")
		asked := window(start, start+rapid.IntRange(1, 180_000).Draw(t, "asked"))
		got, err := transcript.Snap(words, time.Duration(media)*ms, asked)
		touches := false
		for _, w := range words {
			touches = touches || w.Start < asked.End && w.End > asked.Start
		}
		if err != nil {
			if roundedUp := time.Duration((media+999)/1000) * time.Second; asked.End <= roundedUp && touches {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		var startsWord, endsWord bool
		for _, w := range words {
			startsWord = startsWord || w.Start == got.Start
			endsWord = endsWord || w.End == got.End
		}
		switch again, err := transcript.Snap(words, time.Duration(media)*ms, got); {
		case !touches:
			t.Fatal("snapped to words that were not touched")
		case !startsWord || !endsWord:
			t.Fatalf("%v is not on word edges", got)
		case got.Start < 0 || got.End > time.Duration(media)*ms || got.End <= got.Start:
			t.Fatalf("%v is not inside the media", got)
		case got.End-got.Start > transcript.MaxWindow:
			t.Fatalf("%v is longer than three minutes", got)
		case err != nil || again != got:
			t.Fatalf("%v snaps to %v (%v)", got, again, err)
		}
	})
}
