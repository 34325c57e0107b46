package sim

import (
	"context"
	"slices"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// ResourceStatus is the status of a resource that jobs work on.
type ResourceStatus struct {
	Noun     string // "recording", "transcript", "import", "output", "chat", "render", "delivery"
	ID       string // ID that clients know; for a recording's transcript, the recording's
	Ref      string // ID that jobs know; for a recording, its transcript's
	Status   string
	Terminal bool     // whether the status is final
	States   []string // every status of the noun
}

// Has reports whether the noun has a status.
func (r ResourceStatus) Has(status string) bool { return slices.Contains(r.States, status) }

// ResourceStatus returns the status of the resource with an id, of any user. CodeNotFound when no resource with a status has the
// id.
func (s *Simulation) ResourceStatus(ctx context.Context, id string) (r ResourceStatus, err error) {
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		for _, kind := range resources() {
			var err error
			if r, err = kind.find(tx, id); err == nil {
				r.States = kind.machine.States
				r.Terminal = r.Terminal || slices.Contains(kind.machine.Terminal, r.Status)
				return nil
			}
			if engine.CodeOf(err) != engine.CodeNotFound {
				return err
			}
		}
		return engine.NotFound("ResourceStatus", "resource")
	})
	return r, err
}

// resource is a noun with a state machine.
type resource struct {
	machine engine.Machine
	find    func(tx engine.ReadTx, id string) (ResourceStatus, error)
}

// resources returns every noun with a state machine, in the order in which an id is looked up.
var resources = sync.OnceValue(func() []resource {
	machines := map[string]engine.Machine{}
	for _, m := range engine.Machines() {
		machines[m.Name] = m
	}
	plain := func(noun, id string, status string, err error) (ResourceStatus, error) {
		return ResourceStatus{Noun: noun, ID: id, Ref: id, Status: status}, err
	}
	return []resource{
		{machines["transcript"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			r, err := tx.Recording(engine.RecordingID(id))
			return ResourceStatus{Noun: "recording", ID: id, Ref: string(r.TranscriptID), Status: string(r.TranscriptStatus)}, err
		}},
		{machines["transcript"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			t, err := tx.Transcript(engine.TranscriptID(id))
			if t.RecordingID != "" {
				return ResourceStatus{Noun: "recording", ID: string(t.RecordingID), Ref: id, Status: string(t.Status)}, err
			}
			return plain("transcript", id, string(t.Status), err)
		}},
		{machines["import"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			i, err := tx.Import(engine.ImportID(id))
			return plain("import", id, string(i.Status), err)
		}},
		{machines["output"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			o, err := tx.Output(engine.OutputID(id))
			return plain("output", id, string(o.Status), err)
		}},
		{machines["chat"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			c, err := tx.Chat(engine.ChatID(id))
			return plain("chat", id, string(c.Status), err)
		}},
		{machines["render"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			r, err := tx.Render(engine.RenderID(id))
			return plain("render", id, string(r.Status), err)
		}},
		{machines["delivery"], func(tx engine.ReadTx, id string) (ResourceStatus, error) {
			d, err := tx.Delivery(engine.DeliveryID(id))
			r, err := plain("delivery", id, string(d.Status), err)
			r.Terminal = d.Status.Over() // only a replay changes it
			return r, err
		}},
	}
})
