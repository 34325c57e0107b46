package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
)

// The elements of a JUnit report in the form that CI servers read.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a test suite for each section and a test case for each statement.
func (r Report) writeJUnit(w io.Writer) error {
	all := junitSuites{Name: "conformance of " + r.BaseURL, Time: fmt.Sprintf("%.3f", r.Took.Seconds())}
	for _, s := range r.sections() {
		suite := junitSuite{Name: s.name}
		for _, res := range s.results {
			c := junitCase{Name: res.ID, Class: string(res.Provenance), Time: fmt.Sprintf("%.3f", res.Duration.Seconds())}
			switch res.Outcome {
			case Fail:
				c.Failure = &junitMessage{Message: "expected " + res.Expected + ", got " + res.Got, Text: res.failure()}
				suite.Failures++
			case NotApplicable:
				c.Skipped = &junitMessage{Message: res.Why}
				suite.Skipped++
			}
			suite.Tests++
			suite.Cases = append(suite.Cases, c)
		}
		all.Tests, all.Failures, all.Skipped = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Skipped+suite.Skipped
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
