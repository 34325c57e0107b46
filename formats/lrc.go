package formats

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// WriteLRC writes LRC, the lyrics of audio players: a caption of one line per time tag, one at a time, and "Name: " where the speaker changes.
// A tag without text ends a caption that no other one follows at once. With Options.WordTimes, each word has a time, too (enhanced LRC).
//
// LRC has no escapes: spoken brackets that a player would take for a tag become full-width ones, and marks of sentences in names lookalikes.
func WriteLRC(w io.Writer, t transcript.Transcript, o Options) error {
	o.Captions.SpeakerPrefix, o.Captions.Dialogues, o.Captions.Flat, o.Captions.Lines = true, false, true, 1
	s := prepare(t, o).withPrefixNames()
	cues := s.cues(o)
	var b bytes.Buffer
	for _, tag := range []struct{ name, value string }{{"ti", s.title}, {"la", captions.CleanText(string(s.Language))}, {"re", o.creator()}} {
		if value := strings.NewReplacer("[", "(", "]", ")").Replace(tag.value); value != "" {
			fmt.Fprintf(&b, "[%s:%s]\n", tag.name, value)
		}
	}
	if s.length() > 0 {
		fmt.Fprintf(&b, "[length:%s]\n", lrcTime(s.length()))
	}
	for i, c := range cues {
		fmt.Fprintf(&b, "[%s]%s\n", lrcTime(c.Start), lrcLine(c, o.WordTimes))
		if i+1 == len(cues) || cues[i+1].Start-c.End >= lrcPause {
			fmt.Fprintf(&b, "[%s]\n", lrcTime(max(c.End, hundredths(c.Start)+10*time.Millisecond)))
		}
	}
	return writeFile(w, &b)
}

// lrcPause is the least pause that shows nothing. Shorter ones would flicker.
const lrcPause = 200 * time.Millisecond

// lrcTime formats minutes, seconds, and hundredths. There are no hours.
func lrcTime(d time.Duration) string {
	h := int64(hundredths(d) / (10 * time.Millisecond))
	return fmt.Sprintf("%02d:%02d.%02d", h/6000, h/100%60, h%100)
}

var lrcTag = lazyregexp.New(`\[[\pL\d#]+:|<\d+:`)

// lrcText replaces brackets that begin a tag.
func lrcText(s string) string {
	return lrcTag.ReplaceAllStringFunc(s, strings.NewReplacer("[", "［", "<", "‹").Replace)
}

// lrcLine returns the text of a cue, with the speaker's name if it begins a turn or if its first words look like a name. If words is true, it has
// a tag before each word and after the last one.
func lrcLine(c captions.Cue, words bool) string {
	line, name, prefixed := c.Lines[0], "", false
	if c.Speaker != "" {
		name = c.Speaker + ": "
	}
	spoken := line.Text
	if c.Turn {
		spoken, prefixed = strings.CutPrefix(line.Text, name)
	}
	if _, _, like := speakerPrefix([]string{spoken}); !like && !prefixed {
		name = ""
	}
	text := lrcText(name + spoken)
	if !words {
		return text
	}
	var b strings.Builder
	b.WriteString(lrcText(name))
	rest := lrcText(spoken)
	for i, w := range line.Words {
		gap, after, ok := transcript.CutWord(rest, lrcText(w.Text))
		if !ok {
			return text // a word that was broken has no time of its own
		}
		fmt.Fprintf(&b, "%s<%s>%s", gap, lrcTime(w.Start), rest[len(gap):len(rest)-len(after)])
		if rest = after; i+1 == len(line.Words) {
			fmt.Fprintf(&b, "%s<%s>", rest, lrcTime(w.End))
		}
	}
	return b.String()
}
