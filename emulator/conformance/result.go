package conformance

import "time"

// Outcome is what became of a statement.
type Outcome string

const (
	Pass          Outcome = "pass"
	Fail          Outcome = "fail"
	NotApplicable Outcome = "not applicable" // Result.Why says why
)

// Result is what a run found out about one statement.
type Result struct {
	Statement
	Outcome  Outcome       `json:"outcome"`
	Why      string        `json:"why,omitempty"`      // of what is not applicable
	Expected string        `json:"expected,omitempty"` // of a failure
	Got      string        `json:"got,omitempty"`      // of a failure
	Exchange *Exchange     `json:"exchange,omitempty"` // that the failure was seen in
	Duration time.Duration `json:"duration_ns"`
}

// Report is what a run found out about a server.
type Report struct {
	BaseURL string        `json:"base_url"`
	Took    time.Duration `json:"duration_ns"`
	Missing []string      `json:"missing_endpoints"` // "POST /v1/imports": those that the server doesn't offer
	Results []Result      `json:"results"`           // in the order of Statements
}

// Count returns how many statements of a provenance had an outcome.
func (r Report) Count(p Provenance, o Outcome) (n int) {
	for _, res := range r.Results {
		if res.Provenance == p && res.Outcome == o {
			n++
		}
	}
	return n
}

// Failures returns the failed statements. Without strict only the specified ones count.
func (r Report) Failures(strict bool) (failed []Result) {
	for _, res := range r.Results {
		if res.Outcome == Fail && (strict || res.Provenance == Specified) {
			failed = append(failed, res)
		}
	}
	return failed
}

// Conforms reports whether a server is faithful: at least one specified statement holds and none failed; with strict, no
// statement at all failed and no endpoint is missing.
func (r Report) Conforms(strict bool) bool {
	return len(r.Failures(strict)) == 0 && r.Count(Specified, Pass) > 0 && (!strict || len(r.Missing) == 0)
}
