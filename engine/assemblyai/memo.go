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

// memo is stored in the request's notes between attempts.
type memo struct {
	Upload string `json:"upload_url,omitempty"`
	ID     string `json:"id,omitempty"`
}

// noteName derives the note's name from the request, the server, and the media, so that an attempt with other settings finds another note.
func (w *work) noteName() (string, error) {
	asked, err := json.Marshal(w.ask)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(fmt.Appendf(asked, "\n%s\n%d", w.cfg.URL, w.req.Source.Size()))
	return "assemblyai-" + hex.EncodeToString(hash[:16]), nil
}

// recall reads the memo. It ignores a memo that can't be parsed.
func (w *work) recall(ctx context.Context) error {
	if w.req.Checkpoints == nil {
		return nil
	}
	name, err := w.noteName()
	if err != nil {
		return err
	}
	note, err := w.req.Checkpoints.Load(ctx, name)
	if err != nil {
		return err
	}
	if kept, _ := speech.Unseal(note); json.Unmarshal(kept, &w.memo) != nil {
		w.memo = memo{}
	}
	return nil
}

// keep writes the memo, with its own timeout.
func (w *work) keep(ctx context.Context) error {
	if w.req.Checkpoints == nil {
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
	return w.req.Checkpoints.Save(ctx, name, speech.Seal(note))
}
