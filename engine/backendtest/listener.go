package backendtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"
)

// Heard is a word that Listen finds in a WAV file: a stretch of sound of at most 1/3 s. The speaker alternates after 0.5 s of
// silence.
type Heard struct {
	Text       string
	Start, End time.Duration
	Speaker    int // 0, 1, 0, …
}

const (
	wavHeader = 44
	rate      = 16000
	frame     = rate / 50 // samples
	loud      = 50        // samples above this amplitude are not silence
)

// Listen returns the words of a WAV file (16 kHz, mono, 16 bit) and its duration. ok is false for any other file.
func Listen(file []byte) (words []Heard, duration time.Duration, ok bool) {
	if len(file) < wavHeader || !bytes.HasPrefix(file, []byte("RIFF")) || string(file[8:12]) != "WAVE" || string(file[36:40]) != "data" {
		return nil, 0, false
	}
	pcm := file[wavHeader:]
	at := func(sample int) time.Duration { return time.Duration(sample) * time.Second / rate }
	samples := len(pcm) / 2
	start, quiet, speaker := -1, 0, 0
	end := func(sample int) {
		if start >= 0 {
			words = append(words, Heard{fmt.Sprintf("word%d", len(words)), at(start), at(sample), speaker})
		}
		start = -1
	}
	for from := 0; from < samples; from += frame {
		to := min(from+frame, samples)
		if !isLoud(pcm[2*from : 2*to]) {
			end(from)
			if quiet++; quiet == 25 && len(words) > 0 {
				speaker = 1 - speaker
			}
			continue
		}
		quiet = 0
		if start < 0 {
			start = from
		}
		if to-start >= rate/3 {
			end(to)
		}
	}
	end(samples)
	return words, at(samples), true
}

func isLoud(pcm []byte) bool {
	for ; len(pcm) >= 2; pcm = pcm[2:] {
		if v := int16(binary.LittleEndian.Uint16(pcm)); v > loud || v < -loud {
			return true
		}
	}
	return false
}
