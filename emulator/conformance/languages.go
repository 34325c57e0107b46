package conformance

import (
	"fmt"
	"strings"
)

// languageCodes lists the supported language codes (specification, "Supported language codes").
var languageCodes = strings.Fields("en de es fr hi id it ja ko nl no pl pt ru sv tr uk zh")

var languageChecks = []check{
	// The invalid URL keeps the server from starting work; only the errors about language_code matter.
	{"languages.supported", func(p *probe) {
		for _, code := range languageCodes {
			a := p.post("/v1/transcripts", fmt.Sprintf(`{"url":"not a url","language_code":%q}`, code))
			_, ok := a.at("errors.language_code")
			p.want(a, !ok, "no error about the language code "+code, a.value)
		}
	}},
	{"languages.unsupported", func(p *probe) {
		p.post("/v1/transcripts", `{"url":"not a url","language_code":"xx"}`).is("errors.language_code", arrayOf(equal("is invalid")))
	}},
	{"languages.detection", func(p *probe) {
		p.wantTranscribed("detected/talk.aac", `,"language_detection":true`)
	}},
	{"languages.recording", func(p *probe) {
		a := p.record(p.named("german")+".wav", "audio/wav", wav(0.5, 2e9), "", `,"language":"de"`).created.reportTo(p)
		p.want(a, first(a, "recording.language", "language") == "de", "language de", a.value)
	}},
}

// first returns the first member that exists in an answer.
func first(a answer, paths ...string) any {
	for _, path := range paths {
		if v, ok := a.at(path); ok {
			return v
		}
	}
	return nil
}
