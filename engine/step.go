package engine

import (
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fsm"
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
	Over   bool     // it stays as it is
	States []string // every status that there is
}

// Knows reports whether there is a status.
func (s Standing) Knows(status string) bool { return slices.Contains(s.States, status) }

// standingOf is how a row stands that a state machine moves.
func standingOf[S, E ~string](id, ref string, m *fsm.Machine[S, E], status S) Standing {
	s := Standing{Noun: m.Name(), ID: id, Ref: ref, Status: string(status), Over: m.Terminal(status)}
	for _, state := range m.States() {
		s.States = append(s.States, string(state))
	}
	return s
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
		s := standingOf(id, string(r.TranscriptID), transcriptMachine, r.TranscriptStatus)
		s.Noun = "recording"
		return s, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		t, err := tx.Transcript(TranscriptID(id))
		s := standingOf(id, id, transcriptMachine, t.Status)
		if t.RecordingID != "" {
			s.Noun, s.ID = "recording", string(t.RecordingID)
		}
		return s, err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		i, err := tx.Import(ImportID(id))
		return standingOf(id, id, importMachine, i.Status), err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		o, err := tx.Output(OutputID(id))
		return standingOf(id, id, outputMachine, o.Status), err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		c, err := tx.Chat(ChatID(id))
		return standingOf(id, id, chatMachine, c.Status), err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		r, err := tx.Render(RenderID(id))
		return standingOf(id, id, renderMachine, r.Status), err == nil, err
	},
	func(tx ReadTx, id string) (Standing, bool, error) {
		d, err := tx.Delivery(DeliveryID(id))
		s := standingOf(id, id, deliveryMachine, d.Status)
		s.Over = d.Status.Over()
		return s, err == nil, err
	},
}
