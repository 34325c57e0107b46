// Package sample makes words and utterances for the tests of the engine and of what it is made of.
package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Said is a word of a speaker from start to end, in milliseconds.
func Said(speaker, text string, start, end int) transcript.Word {
	return transcript.Word{
		Speaker: speaker, Text: text, Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond, Confidence: 0.9,
	}
}

// Dialogue returns the words of a script: each line "A: some words" is one speaker's, a word each 400 ms, and half a second of pause
// after a line. A line without spaces has a word for each two characters.
func Dialogue(script string) []transcript.Word {
	var words []transcript.Word
	at := 0
	for line := range strings.Lines(script) {
		speaker, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, w := range split(text) {
			words = append(words, Said(speaker, w, at, at+350))
			at += 400
		}
		at += 500
	}
	return words
}

func split(text string) []string {
	if strings.Contains(text, " ") || len(text) == len([]rune(text)) {
		return strings.Fields(text)
	}
	var words []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(2, len(runes))
		for n < len(runes) && strings.ContainsRune("。？！、…", runes[n]) {
			n++
		}
		words, runes = append(words, string(runes[:n])), runes[n:]
	}
	return words
}

// Chatter makes utterances of ten seconds and 25 words each, of a vocabulary in which word n is about n times rarer than the first.
func Chatter(dice *rand.Rand, length time.Duration) []transcript.Utterance {
	zipf := rand.NewZipf(dice, 1.07, 2, 20_000)
	var all []transcript.Utterance
	for at := time.Duration(0); at < length; at += 10 * time.Second {
		var words []transcript.Word
		for i := range 25 {
			start := at + time.Duration(i)*400*time.Millisecond
			w := fmt.Sprintf("w%d", zipf.Uint64())
			if i%12 == 11 {
				w += "."
			}
			words = append(words, transcript.Word{Text: w, Start: start, End: start + 350*time.Millisecond, Speaker: transcript.SpeakerLabel(len(all) % 2), Confidence: 1})
		}
		all = append(all, transcript.BuildUtterances(words, "en")...)
	}
	return all
}

// Window is a window from start to end, in milliseconds.
func Window(start, end int) transcript.Window {
	return transcript.Window{Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond}
}
