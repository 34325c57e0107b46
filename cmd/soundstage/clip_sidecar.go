package main

import (
	"bytes"
	"math"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// writeSidecar writes the captions of a part of a transcript, with times from the start of the part. format is one of sidecars. As in the
// clip, only speakers with a name are named.
func writeSidecar(path, format string, t transcript.Transcript, part transcript.Window, names map[string]string, limits captions.Options) error {
	f, _ := formats.Lookup(format)
	clip := partOf(t, part)
	for i, u := range clip.Utterances {
		if names[u.Speaker] == "" {
			clip.Utterances[i].Speaker = ""
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b, clip, formats.Options{Names: names, Captions: limits}); err != nil {
		return err
	}
	return writeFile(path, b.Bytes())
}

// partOf returns what is said in a part of a transcript, with times from its start.
func partOf(t transcript.Transcript, part transcript.Window) transcript.Transcript {
	clip := transcript.Transcript{Language: t.Language, Duration: part.End - part.Start}
	for _, u := range t.Utterances {
		words := transcript.TouchedWords(u.Words, math.MaxInt64, part)
		if len(words) == 0 {
			continue
		}
		u.End = 0
		for i := range words {
			words[i].Start, words[i].End = max(words[i].Start-part.Start, 0), min(words[i].End, part.End)-part.Start
			u.End = max(u.End, words[i].End)
		}
		u.Words, u.Text, u.Start = words, transcript.JoinWords(words, t.Language), words[0].Start
		clip.Utterances = append(clip.Utterances, u)
	}
	return clip
}
