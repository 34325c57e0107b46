// Package sample makes words and utterances for the tests of the engine and its packages:
//
//	words := sample.Dialogue("A: Hello there.\nB: Hi.")
package sample

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Said returns a word of a speaker from start to end, in milliseconds.
func Said(speaker, text string, start, end int) transcript.Word {
	return transcript.Word{
		Speaker: speaker, Text: text, Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond, Confidence: 0.9,
	}
}

// Dialogue returns the words of a script. Each line "A: some words" belongs to one speaker, with one word per 400 ms and 500 ms
// of pause after the line. A line without spaces has one word per two characters.
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

// Chatter returns utterances of 10 s with 25 words each. In its vocabulary, the n-th word is about n times rarer than the first.
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

// Window returns the window from start to end, in milliseconds.
func Window(start, end int) transcript.Window {
	return transcript.Window{Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond}
}
