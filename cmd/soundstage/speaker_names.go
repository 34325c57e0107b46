package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// speakerNames are the values of --name: label=name.
type speakerNames []string

// add adds the flag to a command. what is what the flag does with the name.
func (n *speakerNames) add(f *pflag.FlagSet, what string) {
	f.StringArrayVar((*[]string)(n), "name", nil, what)
	setVariable(f, "name", "speaker-name") // keys create has a --name, too
}

// speakerNameHelp says from where labels count, because documents count from 1: people would name the wrong speaker.
const speakerNameHelp = "`label=name` of a speaker, such as \"Speaker 0=Ann Lee\"; labels count from 0, documents from 1; repeatable"

// check returns CodeInvalid for values that are wrong whatever the labels are.
func (n speakerNames) check(op string) error {
	for _, pair := range n {
		label, name, ok := strings.Cut(pair, "=")
		switch {
		case !ok:
			return engine.Errorf(engine.CodeInvalid, op, "--name must be label=name (got %q).", pair).WithHint(`Use for example --name "Speaker 0=Ann Lee".`)
		case captions.CleanText(name) == "":
			return engine.Errorf(engine.CodeInvalid, op, "--name has no name for %q.", label)
		}
	}
	return nil
}

// of returns known names and those of the flag, by label. CodeInvalid for the first value that is wrong; the names have the others.
func (n speakerNames) of(op string, labels []string, known map[string]string) (names map[string]string, err error) {
	if err := n.check(op); err != nil {
		return nil, err
	}
	names = map[string]string{}
	maps.Copy(names, known)
	given := map[string]bool{}
	for _, pair := range n {
		label, name, ok := cutLabel(pair, labels)
		if wrong := checkName(op, pair, label, name, ok, given[label], labels); wrong != nil {
			err = cmp.Or(err, wrong)
			continue
		}
		names[label], given[label] = name, true
	}
	return names, err
}

// checkName returns what is wrong with a value that was split at a label, if one was found.
func checkName(op, pair, label, name string, found, twice bool, labels []string) error {
	switch {
	case !found:
		return engine.Errorf(engine.CodeInvalid, op, "No speaker has the label of --name %q.", pair).WithHint(labelHint(labels))
	case captions.CleanText(name) == "":
		return engine.Errorf(engine.CodeInvalid, op, "--name has no name for %q.", label)
	case twice:
		return engine.Errorf(engine.CodeInvalid, op, "--name has two names for %q.", label)
	}
	return nil
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
		return "The transcript has no speakers."
	}
	list := `"` + strings.Join(labels[:min(len(labels), maxHintLabels)], `", "`) + `"`
	if n := len(labels) - maxHintLabels; n > 0 {
		list += fmt.Sprintf(", and %d more", n)
	}
	return "The transcript has " + list + "."
}

// labelsOf returns the speaker labels of words, in the order of their first word.
func labelsOf(words []transcript.Word) (labels []string) {
	for _, w := range words {
		if !slices.Contains(labels, w.Speaker) {
			labels = append(labels, w.Speaker)
		}
	}
	return labels
}

// nameTime is how long a name is the spoken word, so that captions never highlight it.
const nameTime = time.Millisecond

// nameTurns returns the words of a window with a name, as a word, before each turn of a speaker who has one.
func nameTurns(words []transcript.Word, w transcript.Window, names map[string]string) []transcript.Word {
	if len(names) == 0 {
		return words
	}
	var named []transcript.Word
	last := ""
	for _, word := range words {
		if word.End <= w.Start || word.Start >= w.End {
			continue
		}
		if name := captions.CleanText(names[word.Speaker]); name != "" && (word.Speaker != last || len(named) == 0) {
			label := word
			label.Text, label.End = strings.ReplaceAll(name, " ", "\u00a0")+":", word.Start+nameTime
			word.Start = min(word.Start+nameTime, word.End)
			named = append(named, label)
		}
		named, last = append(named, word), word.Speaker
	}
	return named
}
