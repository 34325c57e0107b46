package control

// Backends say what transcribes and what writes.
type Backends struct {
	Transcriber Backend `json:"transcriber"`
	LLM         Backend `json:"llm"`
}

// Backend says what does a part of the work.
type Backend struct {
	Kind    string `json:"kind"`              // "fake" for a simulation
	Model   string `json:"model,omitempty"`   // "" where there is none, or the service chooses
	Address string `json:"address,omitempty"` // of its server, or its program; without whatever may be secret in it
	Answers string `json:"answers,omitempty"` // Recorded or Replayed; "" when they are neither
}

const (
	FakeBackend = "fake"     // the Kind of a simulation
	Recorded    = "recorded" // answers are kept in a folder
	Replayed    = "replayed" // answers come from a folder
)

// WithDefaults returns what is said with simulations where nothing is.
func (b Backends) WithDefaults() Backends {
	for _, one := range []*Backend{&b.Transcriber, &b.LLM} {
		if one.Kind == "" {
			one.Kind = FakeBackend
		}
	}
	return b
}
