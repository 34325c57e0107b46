package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/node"
)

// colours are the terminal colours of verdicts. All are readable on dark and on light backgrounds.
var colours = map[checkStatus]string{statusOK: "\x1b[32m", statusWarning: "\x1b[35m", statusFailed: "\x1b[1;31m", statusSkipped: "\x1b[2m"}

// wantsColour reports whether w is a terminal whose user wants colours (https://no-color.org).
func wantsColour(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// print writes the report as text.
func (d diagnosis) print(w io.Writer) {
	colour := wantsColour(w)
	fmt.Fprintf(w, "Soundstage %s\n\n", d.Version)
	for _, f := range d.Checks {
		status := fmt.Sprintf("%-8s", f.Status)
		if colour {
			status = colours[f.Status] + status + "\x1b[0m"
		}
		took := ""
		if f.TookMS > 0 {
			took = " (" + (time.Duration(f.TookMS) * time.Millisecond).String() + ")"
		}
		fmt.Fprintf(w, "%s %-12s %s%s\n", status, f.Check, f.Found, took)
		for _, h := range f.Hints {
			fmt.Fprintf(w, "%-8s %-12s → %s\n", "", "", h)
		}
	}
	d.printSettings(w)
	if d.OK {
		fmt.Fprintln(w, "\nAll checks passed.")
	} else {
		fmt.Fprintln(w, "\nSome checks failed. Follow the → lines above.")
	}
}

// printSettings writes the settings that differ from their defaults, and whether keys are set.
func (d diagnosis) printSettings(w io.Writer) {
	fmt.Fprintln(w, "\nSettings and their sources (all others have their defaults):")
	name, value := 0, 0
	var shown []origin
	for _, s := range d.Settings {
		if s.From == defaultSource && !strings.HasSuffix(s.Name, "-key") {
			continue
		}
		shown = append(shown, s)
		name, value = max(name, len(s.Name)), min(max(value, len(s.Value)), 40)
	}
	for _, s := range shown {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-*s  %-*s  %s", name, s.Name, value, s.Value, strings.TrimPrefix(s.From, defaultSource)), " "))
	}
}

// defaultSource is the source of a setting that is not set.
const defaultSource = "default"

// origins lists the settings of the backends and the data folder with their sources. made is nil if the settings are invalid.
func origins(cmd *cobra.Command, made *backends.Backends) []origin {
	var all []origin
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "help", "json", "no-probe", "timeout":
			return
		}
		all = append(all, origin{Name: f.Name, Value: displayValue(f), From: sourceOf(f)})
		if flag, ok := strings.CutSuffix(f.Name, "-key-file"); ok {
			all = append(all, keyOrigin(flag, made))
		}
	})
	return all
}

// keyOrigin reports whether a key is set, and its source, but not the key.
func keyOrigin(flag string, made *backends.Backends) origin {
	o := origin{Name: flag + "-key", Value: "not set", From: defaultSource}
	if made == nil {
		return o
	}
	where := made.Sources.Transcriber
	if flag == "llm" {
		where = made.Sources.LLM
	}
	if where != "" {
		o.Value, o.From = "set", where
	}
	return o
}

// sourceOf returns the source of a flag's value.
func sourceOf(f *pflag.Flag) string {
	switch {
	case configLine(f) != "":
		return configLine(f)
	case setByEnv(f):
		return envName(f)
	case f.Changed:
		return "flag"
	}
	return defaultSource
}

// displayValue returns the value of a flag without anything that may be secret.
func displayValue(f *pflag.Flag) string {
	v := f.Value.String()
	switch {
	case (f.Name == "database" || f.Name == "objects") && node.HasPassword(v):
		return "(hidden)"
	case strings.HasSuffix(f.Name, "-url"):
		return backends.PublicURL(v)
	case backends.LooksSecret(v):
		return "(hidden)"
	case f.Value.Type() == "arguments" && v != "":
		var list []string
		if json.Unmarshal([]byte(v), &list) == nil && len(list) > 0 {
			return fmt.Sprintf("%s and %d arguments", list[0], len(list)-1)
		}
	}
	return v
}
