package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// check decides the statement with its id.
type check struct {
	id  string
	run func(*probe)
}

// checks returns every check: now run concurrently, late run afterwards and examine all answers of the others.
func checks() (now, late []check) {
	return slices.Concat(serviceChecks, languageChecks, recordingChecks, listChecks, transcriptChecks, uploadChecks, urlChecks,
		importChecks, speakerChecks, labelChecks, promptChecks, generationChecks, chatChecks, suggestionChecks, renderChecks, spaceChecks,
		searchChecks, usageChecks, webhookChecks, deliveryChecks, authChecks, tierChecks, isolationChecks, errorChecks), everyAnswerChecks
}

// has checks that a shared answer has a member of the given shape.
func has(of func(*probe) answer, path string, s shape) func(*probe) {
	return func(p *probe) { of(p).is(path, s) }
}

// answers checks the response status of a request.
func answers(method, path, body string, status int) func(*probe) {
	return func(p *probe) { p.call(method, path, body).want(status) }
}

// answersWith checks the response status of a request and that the error message contains part, ignoring case.
func answersWith(method, path, body string, status int, part string) func(*probe) {
	return func(p *probe) {
		a := p.call(method, path, body).want(status)
		p.want(a, strings.Contains(strings.ToLower(a.errorMessage()), strings.ToLower(part)), fmt.Sprintf("an error that contains %q", part), a.errorMessage())
	}
}

// refuses checks that the response status of a request is 4xx.
func refuses(method, path, body string) func(*probe) {
	return func(p *probe) { p.call(method, path, body).refused() }
}

// accepts checks that the response status of a request is 2xx.
func accepts(method, path, body string) func(*probe) {
	return func(p *probe) { p.call(method, path, body).accepted() }
}

// asRole runs a check as another role.
func asRole(r role, run func(*probe)) func(*probe) {
	return func(p *probe) { run(p.as(r)) }
}

// all combines several checks into one.
func all(runs ...func(*probe)) func(*probe) {
	return func(p *probe) {
		for _, run := range runs {
			run(p)
		}
	}
}

// starts checks the status in the response that started asynchronous work.
func starts(of func(*probe) watched, path string, statuses ...string) func(*probe) {
	return func(p *probe) { of(p).reportTo(p).first.is(path, oneOf(statuses...)) }
}

// passesThrough checks that asynchronous work has shown none but the given statuses.
func passesThrough(of func(*probe) watched, statuses ...string) func(*probe) {
	return func(p *probe) {
		w := of(p).reportTo(p)
		for _, status := range w.seen {
			p.want(w.last, slices.Contains(statuses, status), "only "+strings.Join(statuses, ", "), strings.Join(w.seen, ", "))
		}
	}
}
