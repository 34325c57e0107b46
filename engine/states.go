package engine

// Machine is what is known of one state machine from outside: stores check their columns against it, the README shows
// its diagram.
type Machine struct {
	Name    string
	States  []string // the initial one first
	Mermaid string
}

// Machines returns every state machine of the engine.
func Machines() []Machine {
	return []Machine{
		describe(transcriptMachine), describe(uploadMachine), describe(importMachine), describe(outputMachine), describe(chatMachine),
		describe(renderMachine), describe(deliveryMachine), describe(jobMachine),
	}
}

func describe[S, E ~string](m interface {
	Name() string
	States() []S
	Mermaid() string
	Events() []E
},
) Machine {
	out := Machine{Name: m.Name(), Mermaid: m.Mermaid()}
	for _, s := range m.States() {
		out.States = append(out.States, string(s))
	}
	return out
}
