package diarize_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// heard is a label of a recording: a print, and who it is.
type heard struct {
	file, who string
	voice     diarize.Voice
}

// BenchmarkVoices suggests names for the labels that the diarizer finds in the corpus of BenchmarkCorpus. With one voice enrolled, it reports
// how often the same person's label is suggested, in a recording of the same group and of another, and how often a stranger's. With a voice
// of each person of the corpus enrolled, it reports the labels of these people that are suggested right and wrong, and those that are wrong
// if the person isn't enrolled (guests). A file single_NAME_* has the voice NAME. Run with -benchtime 1x.
func BenchmarkVoices(b *testing.B) {
	var all []heard
	for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_CORPUS")) {
		paths, err := filepath.Glob(filepath.Join(dir, "*.flac"))
		require.NoError(b, err)
		for _, path := range paths {
			all = append(all, hear(b, path)...)
		}
	}
	if len(all) == 0 {
		b.Skip("SOUNDSTAGE_CORPUS names no folder with labelled speech")
	}
	for b.Loop() {
		var same, sameRight, other, otherRight, strangers, wrong, guests, guestWrong, members, memberRight, memberWrong float64
		for _, label := range all {
			crowd := map[string]diarize.Voice{} // the first print of each other person in another recording
			var own *heard
			for i, o := range all {
				if o.file == label.file {
					continue
				}
				at, _ := label.voice.Nearest([]diarize.Voice{o.voice})
				hit := float64(at + 1)
				switch {
				case o.who != label.who:
					strangers, wrong = strangers+1, wrong+hit
					if _, ok := crowd[o.who]; !ok {
						crowd[o.who] = o.voice
					}
					continue
				case corpusGroup(filepath.Base(o.file)) == corpusGroup(filepath.Base(label.file)):
					same, sameRight = same+1, sameRight+hit
				default:
					other, otherRight = other+1, otherRight+hit
				}
				if own == nil {
					own = &all[i]
				}
			}
			enrolled := slices.Collect(maps.Values(crowd))
			guests++
			if at, _ := label.voice.Nearest(enrolled); at >= 0 {
				guestWrong++
			}
			if own == nil {
				continue
			}
			members++
			if at, _ := label.voice.Nearest(append(enrolled, own.voice)); at == len(enrolled) {
				memberRight++
			} else if at >= 0 {
				memberWrong++
			}
		}
		b.ReportMetric(100*sameRight/same, "same-group-right%")
		b.ReportMetric(100*otherRight/other, "other-group-right%")
		b.ReportMetric(100*wrong/strangers, "stranger-suggested%")
		b.ReportMetric(100*memberRight/members, "member-right%")
		b.ReportMetric(100*memberWrong/members, "member-wrong%")
		b.ReportMetric(100*guestWrong/guests, "guest-wrong%")
		b.ReportMetric(same, "same-group-pairs")
		b.ReportMetric(other, "other-group-pairs")
		b.ReportMetric(members, "members")
		b.ReportMetric(guests, "guests")
	}
}

// hear diarizes a recording and returns its labels with enough speech. The name of a label is that of the reference with which it shares
// most time.
func hear(b *testing.B, path string) (out []heard) {
	group := corpusGroup(filepath.Base(path))
	if group == "music" {
		return nil
	}
	f := readLabelled(b, path, group)
	turns, err := diarize.Run(context.Background(), bytes.NewReader(f.audio), diarize.Config{})
	require.NoError(b, err)
	voices, err := diarize.Voices(context.Background(), bytes.NewReader(f.audio), turns)
	require.NoError(b, err)
	for i, v := range voices {
		who, best := "", 0.0
		if parts := strings.Split(filepath.Base(path), "_"); len(f.ref) == 0 && len(parts) > 1 {
			who = parts[1]
		}
		shared := map[string]float64{}
		for _, t := range turns {
			for _, r := range f.ref {
				if t.Speaker == i {
					shared[r.Speaker] += max(0, (min(t.End, r.End) - max(t.Start, r.Start)).Seconds())
				}
			}
		}
		for _, r := range slices.SortedFunc(slices.Values(f.ref), func(a, b der.Segment) int { return strings.Compare(a.Speaker, b.Speaker) }) {
			if shared[r.Speaker] > best {
				who, best = r.Speaker, shared[r.Speaker]
			}
		}
		if v.Spoken() > 0 && who != "" {
			out = append(out, heard{path, who, v})
		}
	}
	return out
}
