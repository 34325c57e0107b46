package main

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// setSpoken replaces the value of --language, such as "EN", "en-US", or "English", by the code of a language that can be transcribed: en. Any
// other value is CodeInvalid, and "" is none.
func setSpoken(op string, value *string) error {
	l := formats.Language(*value)
	if *value == "" || l.Supported() {
		*value = string(l)
		return nil
	}
	var names []string
	for _, l := range transcript.Languages() {
		names = append(names, l.Name())
	}
	return engine.Errorf(engine.CodeInvalid, op, "Language %.100q is not supported.", *value).
		WithHint(meant("", *value, names) + "Use one of " + languageList() + ".")
}

// setWritten replaces the value of --language by the tag of a language that a transcript file can have: any. What is no language is
// CodeInvalid, and "" is none.
func setWritten(op string, value *string) error {
	l := formats.Language(*value)
	if l == "" && *value != "" {
		return engine.Errorf(engine.CodeInvalid, op, "Unknown language %.100q.", *value).WithHint("Use a code such as en, or a BCP 47 tag such as ar-EG.")
	}
	*value = string(l)
	return nil
}
