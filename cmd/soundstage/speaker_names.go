package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/formats"
)

// namesOf returns the names of the file and those of --name, by label.
func (d *documentFlags) namesOf(op string, parsed formats.Parsed) (map[string]string, error) {
	labels := parsed.Labels()
	names, given := map[string]string{}, map[string]bool{}
	maps.Copy(names, parsed.Names)
	for _, pair := range d.names {
		label, name, ok := cutLabel(pair, labels)
		switch {
		case !ok && !strings.Contains(pair, "="):
			return nil, engine.Errorf(engine.CodeInvalid, op, "--name must be label=name (got %q).", pair).WithHint(`Use for example --name "Speaker 0=Ann Lee".`)
		case !ok:
			return nil, engine.Errorf(engine.CodeInvalid, op, "No speaker of the file has the label of --name %q.", pair).WithHint(labelHint(labels))
		case captions.CleanText(name) == "":
			return nil, engine.Errorf(engine.CodeInvalid, op, "--name has no name for %q.", label)
		case given[label]:
			return nil, engine.Errorf(engine.CodeInvalid, op, "--name has two names for %q.", label)
		}
		names[label], given[label] = name, true
	}
	return names, nil
}

// cutLabel splits label=name at the longest label that fits. Labels may have = in them.
func cutLabel(pair string, labels []string) (label, name string, ok bool) {
	for _, l := range labels {
		if rest, found := strings.CutPrefix(pair, l+"="); found && l != "" && (!ok || len(l) > len(label)) {
			label, name, ok = l, rest, true
		}
	}
	return label, name, ok
}

const maxHintLabels = 20

func labelHint(labels []string) string {
	labels = slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return l == "" })
	if len(labels) == 0 {
		return "The file has no speakers."
	}
	list := `"` + strings.Join(labels[:min(len(labels), maxHintLabels)], `", "`) + `"`
	if n := len(labels) - maxHintLabels; n > 0 {
		list += fmt.Sprintf(", and %d more", n)
	}
	return "The file has " + list + "."
}
