package speech

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// note is what is kept of a part: what is said in it, from its start.
type note struct {
	Language transcript.Language `json:"language"`
	Words    []transcript.Word   `json:"words"`
}

// noteVersion changes when a note means something else.
const noteVersion = 1

// newNote makes words of what was heard. Segments that lie where there is no sound are what the model made up.
func newNote(h Heard, asked transcript.Language, part Part) note {
	n := note{Language: asked}
	if n.Language == "" && h.Language.Supported() {
		n.Language = h.Language
	}
	var said []Segment
	for _, s := range h.Segments {
		if !s.Start.Known || !s.End.Known || part.levels.sounds(s.Start.At-slack, max(s.End.At, s.Start.At)+slack) {
			said = append(said, s)
		}
	}
	n.Words = append([]transcript.Word{}, Words(said, n.Language, part.Duration)...)
	return n
}

// slack is how far a segment's times may be off.
const slack = 500 * time.Millisecond

// noteName names the note of a part after everything that decides what is heard in it, its sound included.
func noteName(req engine.TranscribeRequest, key string, part Part) (string, error) {
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode([]any{
		noteVersion, key, req.Language, req.ContextPrompt, req.BoostedWords, req.SpeakersExpected, part.Start, part.Duration,
	}); err != nil {
		return "", err
	}
	if _, err := io.Copy(hash, part.pcm()); err != nil {
		return "", unstored(err)
	}
	return "part-" + hex.EncodeToString(hash.Sum(nil)), nil
}

// readNote returns what is kept of a part. A note that can't be what was kept counts as none.
func readNote(ctx context.Context, notes engine.Notes, name string, part Part) (n note, ok bool, err error) {
	if notes == nil {
		return n, false, nil
	}
	b, err := notes.Note(ctx, name)
	if err != nil || b == nil {
		return n, false, err
	}
	if json.Unmarshal(b, &n) != nil || n.check(part.Duration) != nil {
		return note{}, false, nil
	}
	return n, true, nil
}

// keepNote keeps what a part says, also when the other parts are being ended.
func keepNote(ctx context.Context, notes engine.Notes, name string, n note) {
	if notes == nil {
		return
	}
	if b, err := json.Marshal(n); err == nil {
		_ = notes.Keep(context.WithoutCancel(ctx), name, b)
	}
}

// check says what is wrong with a note of a part.
func (n note) check(duration time.Duration) error {
	if n.Words == nil || n.Language != "" && !n.Language.Supported() {
		return fmt.Errorf("it is no note")
	}
	for i, w := range n.Words {
		if w.Start < 0 || w.End <= w.Start || w.End > duration || i > 0 && w.Start < n.Words[i-1].Start ||
			!(w.Confidence >= 0 && w.Confidence <= 1) || w.Text == "" || !utf8.ValidString(w.Text) {
			return fmt.Errorf("word %d can't be", i)
		}
	}
	return nil
}
