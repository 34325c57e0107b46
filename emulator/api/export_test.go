package api

import (
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// ReasonStatements are the ids of all statements that a refusal may name, in alphabetic order.
func ReasonStatements() []string {
	ids := []string{"errors.unknown-path", "errors.wrong-method"}
	for _, line := range explained() {
		ids = append(ids, strings.Fields(line)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ReasonOperations are the ids of all operations that a reason names.
func ReasonOperations() []string {
	var ids []string
	for _, r := range reasons {
		ids = append(ids, strings.Fields(r.ops)...)
	}
	for _, r := range refusedByCode {
		ids = append(ids, strings.Fields(r.ops)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Reasons are all lines of statements that a refusal may be explained with.
func Reasons() []string {
	var all []string
	for _, ids := range explained() {
		all = append(all, stated(ids))
	}
	return all
}

// explained are the ids of statements of each row of both tables.
func explained() (all []string) {
	for _, r := range reasons {
		all = append(all, r.statements)
	}
	for _, r := range refusedByCode {
		all = append(all, r.statements)
	}
	return all
}

// ReasonRules are the rules of the table.
func ReasonRules() []engine.Rule {
	var all []engine.Rule
	for _, r := range reasons {
		all = append(all, r.rule)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ReasonOf is the reason of an error of an operation.
func ReasonOf(operation string, err error) string {
	for _, op := range operations {
		if op.ID == operation {
			return reasonOf(httptest.NewRequest(op.Method, strings.NewReplacer("{", "", "}", "").Replace(op.Path), nil), err)
		}
	}
	panic("there is no operation " + operation)
}
