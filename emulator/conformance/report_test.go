package conformance_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// sample returns a report with one statement of each outcome.
func sample() conformance.Report {
	statement := func(id, section string, p conformance.Provenance) conformance.Statement {
		return conformance.Statement{ID: id, Section: section, Text: "It is so.", Provenance: p}
	}
	return conformance.Report{
		BaseURL: "http://127.0.0.1:1", Took: 1500 * time.Millisecond, Missing: []string{"GET /v1/usage"},
		Results: []conformance.Result{
			{Statement: statement("a.passes", "A", conformance.Specified), Outcome: conformance.Pass},
			{Statement: statement("a.fails", "A", conformance.Assumed), Outcome: conformance.Fail, Expected: "status <404>", Got: "status 400",
				Exchange: &conformance.Exchange{Method: "GET", URL: "http://127.0.0.1:1/v1/a", As: "platform", Status: 400, Response: `{"error":"No."}`}},
			{Statement: statement("b.skipped", "B", conformance.Specified), Outcome: conformance.NotApplicable, Why: "there is no b"},
		},
	}
}

// A server conforms if no specified statement fails; with strict, if no statement fails. If nothing passed, it never conforms.
func TestConforms(t *testing.T) {
	t.Parallel()
	r := sample()
	require.True(t, r.Conforms(false))
	require.False(t, r.Conforms(true), "an assumed statement failed")
	r.Results[1].Provenance = conformance.Specified
	require.False(t, r.Conforms(false))
	r.Results[1].Outcome = conformance.Pass
	require.True(t, r.Conforms(false))
	require.False(t, r.Conforms(true), "an endpoint is missing")
	r.Missing = nil
	require.True(t, r.Conforms(true))
	require.False(t, conformance.Report{}.Conforms(false), "nothing passed")
}

// The text report has counts by section and provenance, each failure with its exchange, and why statements were not decided.
func TestTextReport(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, sample().Write(&b, "text"))
	require.Equal(t, `http://127.0.0.1:1, 3 statements in 1.5s

section                             pass  fail   n/a
A                                      1     1     0
B                                      0     0     1

specified                              1     0     1
documented                             0     0     0
assumed                                0     1     0

FAIL a.fails (assumed)
  It is so.
  expected  status <404>
  got       status 400
  request   GET http://127.0.0.1:1/v1/a as platform
  response  400 
            {"error":"No."}

n/a  there is no b
     b.skipped
`, b.String())
}

// The JSON report has every result and the counts; the JUnit report has a suite for each section and a case for each statement.
func TestMachineReports(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, sample().Write(&b, "json"))
	var v struct {
		conformance.Report
		Counts map[string]map[string]int `json:"counts"`
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &v))
	require.Equal(t, sample(), v.Report)
	require.Equal(t, map[string]int{"pass": 0, "fail": 1, "not applicable": 0}, v.Counts["assumed"])

	b.Reset()
	require.NoError(t, sample().Write(&b, "junit"))
	var j struct {
		Suites []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(b.Bytes(), &j))
	require.Contains(t, b.String(), `tests="3" failures="1" skipped="1"`)
	require.Len(t, j.Suites, 2)
	require.Equal(t, "a.fails", j.Suites[0].Cases[1].Name)
	require.Equal(t, "expected status <404>, got status 400", j.Suites[0].Cases[1].Failure.Message)

	require.Equal(t, engine.CodeInvalid, engine.CodeOf(sample().Write(&b, "pdf")))
}
