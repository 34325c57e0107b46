package backends

// Descriptions describes the services that an engine uses.
type Descriptions struct{ Transcriber, LLM Description }

// Description describes a service. It contains no secrets.
type Description struct {
	Kind    string // one of Transcribers or LLMs
	Model   string // "" if there is none, or if the service chooses
	Address string // URL of its server, without user, password, and query; or the path of its program
	Answers string // Recorded, Replayed, or ""
}

// Values of Description.Answers.
const (
	Recorded = "recorded" // responses are recorded in a folder
	Replayed = "replayed" // responses come from a folder
)
