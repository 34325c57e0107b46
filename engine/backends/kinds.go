package backends

import "slices"

// Kind describes a kind of service for users.
type Kind struct {
	Name        string // as in flags
	About       string // description
	URL         string // default URL of its server; "" for a program
	Variable    string // environment variable of its key, used only with URL; "" for none
	Model       string // default model; "" if there is none
	ModelNeeded bool   // whether a model must be set
}

// TranscriberKinds describes the kinds of transcribers, in the order of Transcribers.
func TranscriberKinds() []Kind { return describeKinds(transcribers) }

// LLMKinds describes the kinds of language models, in the order of LLMs.
func LLMKinds() []Kind { return describeKinds(llms) }

func describeKinds(all []kind) []Kind {
	out := make([]Kind, len(all))
	for i, k := range all {
		out[i] = Kind{Name: k.name, About: k.about, URL: k.url, Variable: k.variable, Model: k.defaultModel, ModelNeeded: k.model == requiredModel}
	}
	return out
}

// Variables returns the providers' environment variables for keys, each once.
func Variables() (names []string) {
	for _, k := range slices.Concat(transcribers, llms) {
		if k.variable != "" && !slices.Contains(names, k.variable) {
			names = append(names, k.variable)
		}
	}
	return names
}
