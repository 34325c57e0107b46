package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

// unknownValue returns CodeInvalid for a value that isn't one of those allowed, with the one that was probably meant. what is the noun for a
// value, such as style.
func unknownValue[T ~string](op, what, value string, allowed []T) error {
	return engine.Errorf(engine.CodeInvalid, op, "Unknown %s %.100q.", what, value).
		WithHint(meant("", value, allowed) + "Use one of " + joinNames(allowed) + ".")
}

// meant asks whether the closest of several known words was meant, with a prefix such as dashes. It returns "" if none is close.
func meant[T ~string](prefix, wrote string, known []T) string {
	words := make([]string, len(known))
	for i, word := range known {
		words[i] = string(word)
	}
	if word := didyoumean.Suggest(wrote, words); word != "" {
		return "Did you mean " + prefix + word + "? "
	}
	return ""
}

// misspelt asks whether a known command or flag was meant by an unknown one. It returns "" for every other error.
func misspelt(cmd *cobra.Command, err error) string {
	if command, ok := errors.AsType[unknownCommand](err); ok {
		return meant("", string(command), commandNames(cmd))
	}
	if flag, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return meant("--", flag.GetSpecifiedName(), flagNames(cmd))
	}
	return ""
}

// commandNames returns the names of a command's commands.
func commandNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagNames returns the names of a command's flags.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// joinNames joins words with commas.
func joinNames[T ~string](values []T) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}
