package api

import (
	"slices"
	"strings"
)

// ReasonStatements are the ids of all statements that a refusal may name, in alphabetic order.
func ReasonStatements() []string {
	ids := []string{"errors.unknown-path", "errors.wrong-method"}
	for _, r := range reasons {
		ids = append(ids, strings.Fields(r.statements)...)
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
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Reasons are all lines of statements that a refusal may be explained with.
func Reasons() []string {
	var all []string
	for _, r := range reasons {
		all = append(all, stated(r.statements))
	}
	return all
}
