package assemblyai

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine/speech"
)

// memo is what is kept in the Notes from one try to the next.
type memo struct {
	Upload string `json:"upload_url,omitempty"`
	ID     string `json:"id,omitempty"`
}

// noteName is of what is asked, of whom and about what: a try with other settings doesn't find what it didn't ask for.
func (w *work) noteName() (string, error) {
	asked, err := json.Marshal(w.ask)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(fmt.Appendf(asked, "\n%s\n%d", w.cfg.URL, w.req.Source.Size()))
	return "assemblyai-" + hex.EncodeToString(hash[:16]), nil
}

// recall reads the memo. One that can't be read is none.
func (w *work) recall(ctx context.Context) error {
	if w.req.Notes == nil {
		return nil
	}
	name, err := w.noteName()
	if err != nil {
		return err
	}
	note, err := w.req.Notes.Note(ctx, name)
	if err != nil {
		return err
	}
	if kept, _ := speech.Unseal(note); json.Unmarshal(kept, &w.memo) != nil {
		w.memo = memo{}
	}
	return nil
}

// keep writes the memo, within a time of its own.
func (w *work) keep(ctx context.Context) error {
	if w.req.Notes == nil {
		return nil
	}
	name, err := w.noteName()
	if err != nil {
		return err
	}
	note, err := json.Marshal(w.memo)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return w.req.Notes.Keep(ctx, name, speech.Seal(note))
}
