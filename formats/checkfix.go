package formats

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Fix reads a caption file as Check does and writes it with new cues, lines, and times within the limits. It writes SRT for SRT, and VTT for
// others. Speakers and the order of all words stay; styles, positions, comments, and what couldn't be read are dropped. Lines that begin
// with a dash become cues of their own. It returns the errors of Parse.
func Fix(w io.Writer, name string, r io.Reader, o CheckOptions) error {
	const op = "Fix"
	text, found, err := readText(op, r, maxFile)
	if err != nil {
		return err
	}
	k := kindOf(name, text)
	f, err := readCaptionFile(op, k, text)
	if err != nil {
		return err
	}
	language := newChecker(f, o).language
	f.problems = found
	splitDialogue(&f)
	p, err := f.transcript(op)
	if err != nil {
		return err
	}
	p.Language = language
	p.Duration = 0 // of the media, which is unknown
	p.Utterances = joinSentences(p.Utterances, o.Limits.WithDefaults(language).MaxPause)
	if o.Limits.Linger == 0 {
		o.Limits.Linger = -1 // the cues of the file stay after the last word already
	}
	if k == kindSRT {
		return WriteSRT(w, p.Transcript, Options{Captions: o.Limits})
	}
	return WriteVTT(w, p.Transcript, Options{Captions: o.Limits})
}

// splitDialogue makes a cue of each line that begins with a dash. They share the time of their cue.
func splitDialogue(f *captionFile) {
	var cues []sourceCue
	for _, c := range f.cues {
		var parts []sourceCue
		for _, s := range c.spans {
			for l := range strings.SplitSeq(s.text, "\n") {
				if n := len(parts); n > 0 && !isDialogue(strings.TrimSpace(l)) {
					parts[n-1].spans = append(parts[n-1].spans, span{s.speaker, l})
					continue
				}
				parts = append(parts, sourceCue{line: c.line, spans: []span{{s.speaker, l}}})
			}
		}
		cues = append(cues, shareTime(c, parts)...)
	}
	f.cues = cues
}

// shareTime gives the parts of a cue times in proportion to their text, and joins each part's lines again.
func shareTime(c sourceCue, parts []sourceCue) []sourceCue {
	if len(parts) < 2 {
		return []sourceCue{c}
	}
	total, done := 0, 0
	for _, p := range parts {
		total += runesOf(p)
	}
	for i := range parts {
		parts[i].start = c.start + (c.end-c.start)*time.Duration(done)/time.Duration(max(total, 1))
		done += runesOf(parts[i])
		parts[i].end = c.start + (c.end-c.start)*time.Duration(done)/time.Duration(max(total, 1))
		parts[i].spans = joinSpans(parts[i].spans)
	}
	return parts
}

func runesOf(c sourceCue) int {
	n := 1
	for _, s := range c.spans {
		n += utf8.RuneCountInString(s.text)
	}
	return n
}

// joinSpans joins the lines of one speaker.
func joinSpans(lines []span) []span {
	var w spanWriter
	for _, l := range lines {
		w.add(l.speaker, l.text+"\n")
	}
	return w.take()
}

const maxJoined = time.Minute // of one utterance; longer ones gain nothing

// joinSentences joins utterances of one speaker until a sentence ends, so that their cues can be broken elsewhere. Words get times within their
// own cue.
func joinSentences(in []transcript.Utterance, pause time.Duration) []transcript.Utterance {
	var out []transcript.Utterance
	for _, u := range in {
		u.Words = timedWords(u)
		if n := len(out) - 1; n >= 0 {
			before := &out[n]
			gap := u.Start - before.End
			if before.Speaker == u.Speaker && gap >= 0 && gap <= pause && u.End-before.Start <= maxJoined && !endsSentenceText(before.Text) && !isDialogue(u.Text) {
				before.Text = joinLines([]string{before.Text, u.Text})
				before.Words = append(before.Words, u.Words...)
				before.End = u.End
				continue
			}
		}
		out = append(out, u)
	}
	return out
}

// timedWords splits the text of an utterance at spaces and spreads the words over its time by their length.
func timedWords(u transcript.Utterance) []transcript.Word {
	texts := strings.Fields(u.Text)
	total, done := 0, 0
	for _, t := range texts {
		total += utf8.RuneCountInString(t) + 1
	}
	words := make([]transcript.Word, len(texts))
	at := func() time.Duration {
		return (u.Start + (u.End-u.Start)*time.Duration(done)/time.Duration(max(total, 1))).Round(time.Millisecond)
	}
	for i, t := range texts {
		words[i] = transcript.Word{Text: t, Speaker: u.Speaker, Confidence: 1, Start: at()}
		done += utf8.RuneCountInString(t) + 1
		words[i].End = at()
	}
	return words
}
