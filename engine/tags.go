package engine

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// Limits of Tags.
const (
	MaxExternalID = 500      // characters
	MaxMetadata   = 16 << 10 // bytes of all names and values
)

// Tags connect a recording with the program that embeds the engine. They aren't part of /v1.
type Tags struct {
	// ExternalID is the program's own id, such as a path or a primary key: one line, at most MaxExternalID characters. It is unique in a
	// space. "" for none.
	ExternalID string
	// Metadata are any names and values, at most MaxMetadata bytes together. Names are lines, values are texts. nil for none.
	Metadata map[string]string
}

// Validate returns what is wrong with the tags, as CodeInvalid.
func (t Tags) Validate() error {
	const op = "Tags"
	if n := len([]rune(t.ExternalID)); n > MaxExternalID {
		return Errorf(CodeInvalid, op, "The external id is longer than %d characters (got %d).", MaxExternalID, n).
			WithHint("Use a hash of it, or keep it in the metadata.")
	}
	if err := input.CheckLine(op, "external id", t.ExternalID); err != nil {
		return err
	}
	size := 0
	for name, value := range t.Metadata {
		if size += len(name) + len(value); size > MaxMetadata {
			return Errorf(CodeInvalid, op, "The metadata has more than %d bytes.", MaxMetadata).WithHint("Keep it in a store of your own, under the recording's id.")
		}
		if strings.TrimSpace(name) == "" {
			return Errorf(CodeInvalid, op, "A name in the metadata is blank.")
		}
		if err := input.CheckLine(op, "a name in the metadata", name); err != nil {
			return err
		}
		if badValue(value) {
			return Errorf(CodeInvalid, op, "The value of %q in the metadata is not valid UTF-8, or has control characters.", name)
		}
	}
	return nil
}

// badValue reports whether a value isn't valid UTF-8, or has control characters other than line breaks and tabs.
func badValue(value string) bool {
	return !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) })
}

// Matches reports whether the tags have the wanted external id and each name and value of the wanted metadata. Empty ones match all.
func (t Tags) Matches(wanted Tags) bool {
	if wanted.ExternalID != "" && t.ExternalID != wanted.ExternalID {
		return false
	}
	for name, value := range wanted.Metadata {
		if got, ok := t.Metadata[name]; !ok || got != value {
			return false
		}
	}
	return true
}

// filter returns a text that differs for different tags, or "" for none.
func (t Tags) filter() string {
	text := ""
	if t.ExternalID != "" {
		text = "\x00id\x00" + t.ExternalID
	}
	for _, name := range slices.Sorted(maps.Keys(t.Metadata)) {
		text += "\x00" + name + "\x00" + t.Metadata[name]
	}
	return text
}

// checkExternalID returns CodeConflict if another recording of the space has the external id.
func checkExternalID(tx ReadTx, r Recording) error {
	if r.ExternalID == "" {
		return nil
	}
	first, err := tx.RecordingByExternalID(r.SpaceID, r.ExternalID)
	switch {
	case CodeOf(err) == CodeNotFound, err == nil && first.ID == r.ID:
		return nil
	case err != nil:
		return err
	}
	return Errorf(CodeConflict, "", "The external id %.100q belongs to the recording %s of this space.", r.ExternalID, first.ID).
		WithHint("Use AddFile, AddReader, or AddURL to get the first recording again.")
}
