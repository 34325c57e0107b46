package api

import (
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// ReasonStatements returns the IDs of every statement that a reason may name, sorted.
func ReasonStatements() []string {
	ids := []string{"errors.unknown-path", "errors.wrong-method"}
	for _, line := range explained() {
		ids = append(ids, strings.Fields(line)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ReasonOperations returns the IDs of every operation in the tables of reasons.
func ReasonOperations() []string {
	var ids []string
	for _, r := range reasons {
		ids = append(ids, strings.Fields(r.ops)...)
	}
	for _, r := range reasonsByCode {
		ids = append(ids, strings.Fields(r.ops)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Reasons returns every line of statements that may be a reason.
func Reasons() []string {
	var all []string
	for _, ids := range explained() {
		all = append(all, joinStatements(ids))
	}
	return all
}

// explained returns the statement IDs of each row of both tables.
func explained() (all []string) {
	for _, r := range reasons {
		all = append(all, r.statements)
	}
	for _, r := range reasonsByCode {
		all = append(all, r.statements)
	}
	return all
}

// ReasonRules returns the rules of the table.
func ReasonRules() []engine.Rule {
	var all []engine.Rule
	for _, r := range reasons {
		all = append(all, r.rule)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ReasonOf returns the reason for an error of an operation.
func ReasonOf(operation string, err error) string {
	for _, op := range operations {
		if op.ID == operation {
			return reasonOf(httptest.NewRequest(op.Method, strings.NewReplacer("{", "", "}", "").Replace(op.Path), nil), err)
		}
	}
	panic("unknown operation " + operation)
}
