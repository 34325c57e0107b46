package engine

import "github.com/soundstage-dev/soundstage/engine/queue"

// Machine describes one state machine: stores check their columns against it, the README shows its diagram.
type Machine struct {
	Name     string   // of what it moves: "transcript", "upload", "import", "output", "chat", "render", "delivery", "job"
	States   []string // the initial one first
	Terminal []string // of them, those that nothing leaves
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
	Mermaid() string
	Events() []E
},
) Machine {
	out := Machine{Name: m.Name(), Mermaid: m.Mermaid()}
	for _, s := range m.States() {
		out.States = append(out.States, string(s))
		if m.Terminal(s) {
			out.Terminal = append(out.Terminal, string(s))
		}
	}
	return out
}
