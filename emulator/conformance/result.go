package conformance

import "time"

// Outcome is the outcome of checking a statement.
type Outcome string

const (
	Pass          Outcome = "pass"
	Fail          Outcome = "fail"
	NotApplicable Outcome = "not applicable" // Result.Why gives the reason
)

// Result is the outcome of one statement in a run.
type Result struct {
	Statement
	Outcome  Outcome       `json:"outcome"`
	Why      string        `json:"why,omitempty"`      // why the statement is not applicable
	Expected string        `json:"expected,omitempty"` // of a failure
	Got      string        `json:"got,omitempty"`      // of a failure
	Exchange *Exchange     `json:"exchange,omitempty"` // request and response that show the failure
	Duration time.Duration `json:"duration_ns"`
}

// Report is the result of a run against one server.
type Report struct {
	BaseURL string        `json:"base_url"`
	Took    time.Duration `json:"duration_ns"`
	Missing []string      `json:"missing_endpoints"` // endpoints that the server doesn't offer, such as "POST /v1/imports"
	Results []Result      `json:"results"`           // in the order of Statements()
}

// Count returns the number of statements with a provenance and an outcome.
func (r Report) Count(p Provenance, o Outcome) (n int) {
	for _, res := range r.Results {
		if res.Provenance == p && res.Outcome == o {
			n++
		}
	}
	return n
}

// Failures returns the failed statements; without strict, only specified ones.
func (r Report) Failures(strict bool) (failed []Result) {
	for _, res := range r.Results {
		if res.Outcome == Fail && (strict || res.Provenance == Specified) {
			failed = append(failed, res)
		}
	}
	return failed
}

// Conforms reports whether at least one specified statement passed and none failed. With strict, no statement of any
// provenance may fail and no endpoint may be missing.
func (r Report) Conforms(strict bool) bool {
	return len(r.Failures(strict)) == 0 && r.Count(Specified, Pass) > 0 && (!strict || len(r.Missing) == 0)
}
