package engine

import "github.com/soundstage-dev/soundstage/engine/queue"

//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestDiagrams .

// Machine describes one state machine. Stores check their columns against it, fixtures their timelines, and the documentation
// shows its diagram.
type Machine struct {
	Name     string              // "transcript", "upload", "import", "output", "chat", "render", "delivery", or "job"
	States   []string            // the initial one first
	Terminal []string            // the states without transitions, except a retry that a user asks for
	After    map[string][]string // the states that may follow each state; none follow a terminal one
	Mermaid  string
}

// Machines returns every state machine of the engine.
func Machines() []Machine {
	return []Machine{
		describe(transcriptMachine), describe(uploadMachine), describe(importMachine), describe(outputMachine), describe(chatMachine),
		describe(renderMachine), describe(deliveryMachine), describe(queue.Machine()),
	}
}

func describe[S, E ~string](m interface {
	Name() string
	States() []S
	Terminal(S) bool
	After(S) []S
	Mermaid() string
	Events() []E
},
) Machine {
	out := Machine{Name: m.Name(), Mermaid: m.Mermaid(), After: map[string][]string{}}
	for _, s := range m.States() {
		out.States = append(out.States, string(s))
		if m.Terminal(s) {
			out.Terminal = append(out.Terminal, string(s))
			continue
		}
		for _, next := range m.After(s) {
			out.After[string(s)] = append(out.After[string(s)], string(next))
		}
	}
	return out
}
