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

// note is the stored transcription of a part. Times are from the part's start.
type note struct {
	Language transcript.Language `json:"language"`
	Words    []transcript.Word   `json:"words"`
}

// noteVersion changes when the meaning of a note changes.
const noteVersion = 1

// newNote converts the server's segments to words. It drops segments without sound, which the model invented.
func newNote(h Result, asked transcript.Language, part Part) note {
	n := note{Language: asked}
	if n.Language == "" && h.Language.Supported() {
		n.Language = h.Language
	}
	var said []Segment
	for _, s := range h.Segments {
		if !s.Start.Known || !s.End.Known || part.levels.hasSound(s.Start.At-slack, max(s.End.At, s.Start.At)+slack) {
			said = append(said, s)
		}
	}
	n.Words = append([]transcript.Word{}, Words(said, n.Language, part.Duration)...)
	return n
}

// slack is the tolerance for a segment's times.
const slack = 500 * time.Millisecond

// noteName derives a note's name from everything that determines the part's transcription, including its audio.
func noteName(req engine.TranscribeRequest, key string, part Part) (string, error) {
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode([]any{
		noteVersion, key, req.Language, req.ContextPrompt, req.BoostedWords, req.SpeakersExpected, part.Start, part.Duration,
	}); err != nil {
		return "", err
	}
	if _, err := io.Copy(hash, part.pcm()); err != nil {
		return "", tempFileError(err)
	}
	return "part-" + hex.EncodeToString(hash.Sum(nil)), nil
}

// readNote returns the stored transcription of a part. It ignores an invalid note.
func readNote(ctx context.Context, notes engine.Checkpoints, name string, part Part) (n note, ok bool, err error) {
	if notes == nil {
		return n, false, nil
	}
	b, err := notes.Load(ctx, name)
	if err != nil || b == nil {
		return n, false, err
	}
	if json.Unmarshal(b, &n) != nil || n.check(part.Duration) != nil {
		return note{}, false, nil //nolint:nilerr // an invalid note is ignored
	}
	return n, true, nil
}

// keepNote stores a part's transcription, even if ctx is done.
func keepNote(ctx context.Context, notes engine.Checkpoints, name string, n note) {
	if notes == nil {
		return
	}
	if b, err := json.Marshal(n); err == nil {
		_ = notes.Save(context.WithoutCancel(ctx), name, b)
	}
}

// check returns what is wrong with a note, or nil.
func (n note) check(duration time.Duration) error {
	if n.Words == nil || n.Language != "" && !n.Language.Supported() {
		return fmt.Errorf("words are missing, or language %q is not supported", n.Language)
	}
	for i, w := range n.Words {
		if w.Start < 0 || w.End <= w.Start || w.End > duration || i > 0 && w.Start < n.Words[i-1].Start ||
			!(w.Confidence >= 0 && w.Confidence <= 1) || w.Text == "" || !utf8.ValidString(w.Text) {
			return fmt.Errorf("word %d is not valid", i)
		}
	}
	return nil
}
