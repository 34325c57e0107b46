package engine

import (
	"context"
	"time"
)

// Step is something that a job did.
type Step struct {
	At    time.Time // on the engine's clock
	Kind  JobKind
	Ref   string // id of the row that it is about
	Begun bool   // it has begun and goes on when the clock says so; else it is over, or will be tried again
}

func (e *Engine) told(j Job, begun bool) {
	if e.tell != nil {
		e.tell(Step{At: e.now(), Kind: j.Kind, Ref: j.Ref, Begun: begun})
	}
}

// Standing is how something that takes time stands.
type Standing struct {
	Noun   string // "recording", "transcript", "import", "output", "chat", "render", "delivery"
	ID     string // of what a client knows: of a transcript of a recording the recording's
	Ref    string // of what jobs are about: of a recording its transcript's
	Status string
	Over   bool // it stays as it is
}

// Standing returns how the thing of an id stands, whoever's it is. CodeNotFound when nothing that takes time has this id.
func (e *Engine) Standing(ctx context.Context, id string) (s Standing, err error) {
	const op = "Standing"
	err = e.store.View(ctx, func(tx ReadTx) error {
		for _, look := range standings {
			var found bool
			if s, found, err = look(tx, id); err == nil && found {
				return nil
			}
			if err != nil && CodeOf(err) != CodeNotFound {
				return err
			}
		}
		return NotFound(op, "resource")
	})
	return s, wrap(op, err)
}

// standings look for an id among the rows of each noun.
var standings = []func(tx ReadTx, id string) (Standing, bool, error){
	func(tx ReadTx, id string) (Standing, bool, error) {
		r, err := tx.Recording(RecordingID(id))
		return Standing{"recording", id, string(r.TranscriptID), string(r.TranscriptStatus), transcriptMachine.Terminal(r.TranscriptStatus)}, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		t, err := tx.Transcript(TranscriptID(id))
		s := Standing{"transcript", id, id, string(t.Status), transcriptMachine.Terminal(t.Status)}
		if t.RecordingID != "" {
			s.Noun, s.ID = "recording", string(t.RecordingID)
		}
		return s, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		i, err := tx.Import(ImportID(id))
		return Standing{"import", id, id, string(i.Status), importMachine.Terminal(i.Status)}, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		o, err := tx.Output(OutputID(id))
		return Standing{"output", id, id, string(o.Status), outputMachine.Terminal(o.Status)}, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		c, err := tx.Chat(ChatID(id))
		return Standing{"chat", id, id, string(c.Status), chatMachine.Terminal(c.Status)}, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		r, err := tx.Render(RenderID(id))
		return Standing{"render", id, id, string(r.Status), renderMachine.Terminal(r.Status)}, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		d, err := tx.Delivery(DeliveryID(id))
		return Standing{"delivery", id, id, string(d.Status), d.Status.Over()}, err == nil, err
	},
}
