package control

// Backends describes which backends transcribe and generate text.
type Backends struct {
	Transcriber Backend `json:"transcriber"`
	LLM         Backend `json:"llm"`
}

// Backend describes one backend.
type Backend struct {
	Kind    string `json:"kind"`              // "fake" for the built-in simulation
	Model   string `json:"model,omitempty"`   // "" when there is none or the service chooses
	Address string `json:"address,omitempty"` // server URL or program, without secrets
	Answers string `json:"answers,omitempty"` // Recorded, Replayed, or "" for neither
}

const (
	FakeBackend = "fake"     // the Kind of the built-in simulation
	Recorded    = "recorded" // responses are saved in a folder
	Replayed    = "replayed" // responses come from a folder
)

// WithDefaults returns b with FakeBackend for each missing kind.
func (b Backends) WithDefaults() Backends {
	for _, one := range []*Backend{&b.Transcriber, &b.LLM} {
		if one.Kind == "" {
			one.Kind = FakeBackend
		}
	}
	return b
}
