package backends

// Descriptions describe the services that an engine works with.
type Descriptions struct{ Transcriber, LLM Description }

// Description describes a service. It has no secrets: anybody may read it.
type Description struct {
	Kind    string // one of Transcribers or LLMs
	Model   string // "" where there is none, or the service chooses
	Address string // of its server, without user, password and parameters; or the path of its program
	Answers string // Recorded or Replayed; "" when they are neither
}

// Values of Description.Answers.
const (
	Recorded = "recorded" // answers are kept in a folder
	Replayed = "replayed" // answers come from a folder
)
