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
)

// colours are those of verdicts on a terminal: dark and light ones show all of them well.
var colours = map[verdict]string{well: "\x1b[32m", beware: "\x1b[35m", broken: "\x1b[1;31m", skipped: "\x1b[2m"}

// colourful reports whether w is a terminal whose user wants colours (https://no-color.org).
func colourful(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// print writes what was found for a person to read.
func (d diagnosis) print(w io.Writer) {
	colour := colourful(w)
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
		fmt.Fprintln(w, "\nAll is well.")
	} else {
		fmt.Fprintln(w, "\nSomething fails: see → above.")
	}
}

// printSettings writes what isn't the default, and whether there are keys.
func (d diagnosis) printSettings(w io.Writer) {
	fmt.Fprintln(w, "\nSettings, and where they come from; all others are the defaults:")
	name, value := 0, 0
	var told []origin
	for _, s := range d.Settings {
		if s.From == byDefault && !strings.HasSuffix(s.Name, "-key") {
			continue
		}
		told = append(told, s)
		name, value = max(name, len(s.Name)), min(max(value, len(s.Value)), 40)
	}
	for _, s := range told {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-*s  %-*s  %s", name, s.Name, value, s.Value, strings.TrimPrefix(s.From, byDefault)), " "))
	}
}

// byDefault is where a setting comes from that nobody has given.
const byDefault = "default"

// origins lists the settings that a backend or a data folder follows from, and where each comes from; made is nil when they are wrong.
func origins(cmd *cobra.Command, made *backends.Backends) []origin {
	var all []origin
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "help", "json", "no-probe", "timeout":
			return
		}
		all = append(all, origin{Name: f.Name, Value: readable(f), From: from(f)})
		if flag, ok := strings.CutSuffix(f.Name, "-key-file"); ok {
			all = append(all, keyOrigin(flag, made))
		}
	})
	return all
}

// keyOrigin says whether a key is set, and by what; never which it is.
func keyOrigin(flag string, made *backends.Backends) origin {
	o := origin{Name: flag + "-key", Value: "not set", From: byDefault}
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

// from is where a flag's value comes from.
func from(f *pflag.Flag) string {
	switch {
	case filed(f) != "":
		return filed(f)
	case environmental(f):
		return variable(f.Name)
	case f.Changed:
		return "flag"
	}
	return byDefault
}

// readable is the value of a flag without what may be secret in it.
func readable(f *pflag.Flag) string {
	v := f.Value.String()
	switch {
	case strings.HasSuffix(f.Name, "-url"):
		return backends.PublicURL(v)
	case backends.LooksSecret(v):
		return "(not told)"
	case f.Value.Type() == "arguments" && v != "":
		var list []string
		if json.Unmarshal([]byte(v), &list) == nil && len(list) > 0 {
			return fmt.Sprintf("%s and %d arguments", list[0], len(list)-1)
		}
	}
	return v
}
