package backends

import "slices"

// Kind is what users are told of a kind of service.
type Kind struct {
	Name        string // as flags have it
	About       string // what it is
	URL         string // of its server, when none is given; "" for a program
	Variable    string // of the environment, that its key is taken from at URL; "" for none
	Model       string // that is used when none is named; "" where there is no such choice
	ModelNeeded bool   // whether one has to be named
}

// TranscriberKinds returns what there is to say of each kind of transcriber, in the order of Transcribers.
func TranscriberKinds() []Kind { return told(transcribers) }

// LLMKinds returns what there is to say of each kind of language model, in the order of LLMs.
func LLMKinds() []Kind { return told(llms) }

func told(all []kind) []Kind {
	out := make([]Kind, len(all))
	for i, k := range all {
		out[i] = Kind{Name: k.name, About: k.about, URL: k.url, Variable: k.variable, Model: k.usual, ModelNeeded: k.model == wantedModel}
	}
	return out
}

// Variables returns the variables of the environment that keys are taken from, each once.
func Variables() (names []string) {
	for _, k := range slices.Concat(transcribers, llms) {
		if k.variable != "" && !slices.Contains(names, k.variable) {
			names = append(names, k.variable)
		}
	}
	return names
}
