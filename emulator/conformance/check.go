package conformance

import (
	"fmt"
	"slices"
	"strings"
)

// check decides one statement.
type check struct {
	id  string
	run func(*probe)
}

// checks returns every check that runs beside the others, and those that look at all answers when the others are done.
func checks() (now, late []check) {
	return slices.Concat(serviceChecks, languageChecks, recordingChecks, listChecks, transcriptChecks, uploadChecks, urlChecks,
		importChecks, speakerChecks, labelChecks, promptChecks, generationChecks, chatChecks, suggestionChecks, renderChecks, spaceChecks,
		searchChecks, usageChecks, webhookChecks, deliveryChecks, authChecks, tierChecks, isolationChecks, errorChecks), everyAnswerChecks
}

// has checks that a member of a shared answer is there and has a shape.
func has(of func(*probe) answer, path string, s shape) func(*probe) {
	return func(p *probe) { of(p).is(path, s) }
}

// answers checks that a request is answered with a status.
func answers(method, path, body string, status int) func(*probe) {
	return func(p *probe) { p.call(method, path, body).want(status) }
}

// says checks that a request is answered with a status and an error in which a part stands, whatever its case.
func says(method, path, body string, status int, part string) func(*probe) {
	return func(p *probe) {
		a := p.call(method, path, body).want(status)
		p.want(a, strings.Contains(strings.ToLower(a.sentence()), strings.ToLower(part)), fmt.Sprintf("an error with %q", part), a.sentence())
	}
}

// refuses checks that a request is answered with an error of the client's, whatever its status.
func refuses(method, path, body string) func(*probe) {
	return func(p *probe) { p.call(method, path, body).refused() }
}

// accepts checks that a request is answered with success.
func accepts(method, path, body string) func(*probe) {
	return func(p *probe) { p.call(method, path, body).accepted() }
}

// acting runs a check for another role.
func acting(r role, run func(*probe)) func(*probe) {
	return func(p *probe) { run(p.as(r)) }
}

// all runs several checks of one statement.
func all(runs ...func(*probe)) func(*probe) {
	return func(p *probe) {
		for _, run := range runs {
			run(p)
		}
	}
}

// starts checks that work is in one of some statuses when the request that started it is answered.
func starts(of func(*probe) watched, path string, statuses ...string) func(*probe) {
	return func(p *probe) { of(p).on(p).first.is(path, oneOf(statuses...)) }
}

// passesThrough checks that every status of work that was seen is one of some.
func passesThrough(of func(*probe) watched, statuses ...string) func(*probe) {
	return func(p *probe) {
		w := of(p).on(p)
		for _, status := range w.seen {
			p.want(w.last, slices.Contains(statuses, status), "only "+strings.Join(statuses, ", "), strings.Join(w.seen, ", "))
		}
	}
}
