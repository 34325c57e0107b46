package backendtest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// SpeechQuirk is a deviation of a speech server from the documentation, or a variation that it allows.
type SpeechQuirk string

const (
	NoWords          SpeechQuirk = "no words"          // only segments have times
	NoSegments       SpeechQuirk = "no segments"       // the response has only the text
	NaNTimes         SpeechQuirk = "NaN times"         // every other word has NaN as a time
	OverlappingWords SpeechQuirk = "overlapping words" // each word ends when the word after next starts
	EmptyResult      SpeechQuirk = "empty result"      // there are no words
	NestedWords      SpeechQuirk = "nested words"      // words are members of their segments
	BrokenCharacters SpeechQuirk = "broken characters" // tokens split characters, which become U+FFFD
	PlainOnly        SpeechQuirk = "plain only"        // response_format must be json
)

// utterance is a word in a sound, with times in seconds.
type utterance struct {
	text       string
	start, end float64
	turn       int // number of long pauses before it
}

// sentence is a sequence of words.
type sentence []utterance

const (
	listenFrame = transcript.SampleRate / 100
	listenFloor = 100 // samples below this 16-bit amplitude are silence
)

// samplesOf returns the samples of a form's WAV file: 16 bit, mono, 16 kHz, with a header of 44 bytes.
func samplesOf(r *http.Request) ([]int16, error) {
	f, head, err := r.FormFile("file")
	if err != nil {
		return nil, errors.New("file is required")
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	switch {
	case !strings.HasSuffix(head.Filename, ".wav"), len(b) < 44, string(b[:4]) != "RIFF", string(b[8:16]) != "WAVEfmt ",
		binary.LittleEndian.Uint32(b[24:]) != transcript.SampleRate, int(binary.LittleEndian.Uint32(b[40:])) != len(b)-44,
		int(binary.LittleEndian.Uint32(b[4:])) != len(b)-8:
		return nil, errors.New("invalid file format")
	}
	samples := make([]int16, (len(b)-44)/2)
	return samples, binary.Read(bytes.NewReader(b[44:]), binary.LittleEndian, samples)
}

// listen returns a word of at most 400 ms for each stretch of sound between silences of at least 40 ms. Equal sounds are equal
// words.
func listen(samples []int16, language string) (words []utterance) {
	turn, quiet, from := 0, 0, -1
	end := func(at int) {
		if from >= 0 {
			words = append(words, utterance{speak(samples[from*listenFrame:min(at*listenFrame, len(samples))], language),
				float64(from) / 100, min(float64(at)/100, float64(len(samples))/transcript.SampleRate), turn})
		}
		from = -1
	}
	frames := (len(samples) + listenFrame - 1) / listenFrame
	for i := range frames {
		if !audible(samples[i*listenFrame : min((i+1)*listenFrame, len(samples))]) {
			if quiet++; quiet == 4 {
				end(i - 3)
			}
			continue
		}
		if quiet >= 50 && len(words) > 0 {
			turn++
		}
		quiet = 0
		if from >= 0 && i-from >= 40 {
			end(i)
		}
		if from < 0 {
			from = i
		}
	}
	end(frames - quiet)
	return words
}

func audible(samples []int16) bool {
	for _, s := range samples {
		if math.Abs(float64(s)) >= listenFloor {
			return true
		}
	}
	return false
}

// speak returns the word for a sound, derived from a hash of its samples.
func speak(samples []int16, language string) string {
	h := fnv.New32a()
	_ = binary.Write(h, binary.LittleEndian, samples)
	n := h.Sum32()
	n ^= n >> 15
	if language == "chinese" || language == "japanese" {
		return string(rune(0x4e00 + n%2000))
	}
	var b strings.Builder
	for range 3 {
		b.WriteByte("bdfgklmnprstvz"[n%14])
		b.WriteByte("aeiou"[n/14%5])
		n /= 70
	}
	return b.String()
}

// sentences groups words into sentences of up to six words of one turn.
func sentences(words []utterance) (out []sentence) {
	for i, w := range words {
		if i == 0 || w.turn != words[i-1].turn || len(out[len(out)-1]) == 6 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], w)
	}
	return out
}

// pieces returns the words with punctuation: a capital letter first, a comma after the third, and a full stop at the end.
func (s sentence) pieces() []string {
	var out []string
	for i, w := range s {
		text, wide := w.text, w.text[0] >= 0x80
		if i == 0 && !wide {
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		switch {
		case i == len(s)-1 && wide:
			text += "。"
		case i == len(s)-1:
			text += "."
		case i == 2 && !wide:
			text += ","
		}
		if !wide {
			text = " " + text
		}
		out = append(out, text)
	}
	return out
}

func (s sentence) text() string { return strings.Join(s.pieces(), "") }
