package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/emulator/settings"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// fromFile is the annotation of a flag whose value comes from the config file: "soundstage.yaml:3".
const fromFile = "soundstage.file"

// readConfig sets a command's flags from its --config file, unless the command line or the environment sets them. It ignores keys that
// are flags of other commands, so that all commands can share one file.
func readConfig(cmd *cobra.Command) error {
	config := cmd.Flags().Lookup(configFlag)
	if config == nil || config.Value.String() == "" {
		return nil
	}
	path := config.Value.String()
	all, err := settings.Load(path)
	if err != nil {
		return err
	}
	others := configFlags()
	for _, s := range all {
		own := cmd.Flags().Lookup(s.Name)
		if s.Name == configFlag || s.Name == "help" {
			return settings.Errorf(path, s.Line, "%s is not allowed in a config file.", s.Name)
		}
		f := own
		if f == nil {
			f = others[s.Name]
		}
		if err := checkSetting(path, s, f, cmd, others); err != nil {
			return err
		}
		if own == nil || own.Changed {
			continue
		}
		for _, v := range s.Values {
			if err := cmd.Flags().Set(s.Name, v.Text); err != nil {
				return settings.Errorf(path, v.Line, "%s is invalid: %v.", s.Name, innermost(err)).WithHint(valueHint(s.Name, own))
			}
		}
		annotate(own, fromFile, fmt.Sprintf("%s:%d", path, s.Line))
	}
	return nil
}

// configFlag is the name of the flag for the config file.
const configFlag = "config"

// configFlags returns the flags of all commands that accept a config file.
func configFlags() map[string]*pflag.Flag {
	all := map[string]*pflag.Flag{}
	eachCommand(newRoot(streams{}, os.LookupEnv), func(cmd *cobra.Command) {
		if cmd.Flags().Lookup(configFlag) != nil {
			cmd.Flags().VisitAll(func(f *pflag.Flag) { all[f.Name] = f })
		}
	})
	return all
}

// secretSetting matches the names of settings whose values are secrets.
var secretSetting = lazyregexp.New(`(^|[-_])(key|token|secret|password)$`)

// checkSetting returns an error for a setting that is a secret, that matches no flag, or whose type differs from the flag's. f is nil if
// no flag matches.
func checkSetting(path string, s settings.Setting, f *pflag.Flag, cmd *cobra.Command, others map[string]*pflag.Flag) error {
	if secretSetting.MatchString(s.Name) {
		return settings.Errorf(path, s.Line, "%s is a secret and must not be in a config file.", s.Name).WithHint(secretHint(s.Name, f))
	}
	for _, v := range s.Values {
		if backends.LooksSecret(v.Text) {
			return settings.Errorf(path, v.Line, "The value of %s looks like a secret, which must not be in a config file.", s.Name).
				WithHint("Set keys in the environment, or put each into its own file and set transcriber-key-file or llm-key-file.")
		}
	}
	if f == nil {
		e := settings.Errorf(path, s.Line, "unknown setting %.100q.", s.Name)
		if meant := didyoumean.Suggest(s.Name, settingNames(cmd, others)); meant != "" {
			return e.WithHint("Did you mean " + meant + "?")
		}
		return e.WithHint("Settings are the flags that `" + cmd.CommandPath() + " --help` lists, without the leading dashes.")
	}
	if s.List && !takesList(f) {
		return settings.Errorf(path, s.Line, "%s takes one value, not a list.", s.Name).WithHint(valueHint(s.Name, f))
	}
	for _, v := range s.Values {
		wantsBool := f.Value.Type() == "bool"
		if isBool := v.Kind == settings.Bool; wantsBool && !isBool || isBool && isNumber(f.Value.Type()) {
			return settings.Errorf(path, v.Line, "%s is invalid: the value is %s.", s.Name, v.Kind).WithHint(valueHint(s.Name, f))
		}
	}
	return nil
}

// secretHint returns a hint that says where to set a secret instead.
func secretHint(name string, f *pflag.Flag) string {
	for _, flag := range []string{"transcriber", "llm"} {
		if strings.ReplaceAll(name, "_", "-") == flag+"-key" {
			return "Set it in the environment, as " + backends.Variable(flag) + ", or in a file with " + flag + "-key-file."
		}
	}
	if f != nil {
		return "Set it in the environment, as " + envName(f) + "."
	}
	return "Set it in the environment, or put it into its own file: see transcriber-key-file, llm-key-file, and secret-file."
}

// settingNames returns the names of all valid settings.
func settingNames(cmd *cobra.Command, others map[string]*pflag.Flag) []string {
	var names []string
	for name := range others {
		names = append(names, name)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return slices.DeleteFunc(names, func(n string) bool { return n == configFlag || n == "help" || secretSetting.MatchString(n) })
}

func takesList(f *pflag.Flag) bool {
	_, list := f.Value.(pflag.SliceValue)
	return list || f.Value.Type() == "arguments"
}

func isNumber(flagType string) bool {
	return slices.Contains([]string{"int", "int64", "uint64", "float64", "intSlice", "duration"}, flagType)
}

// valueHint returns a sentence that says which values a flag accepts.
func valueHint(name string, f *pflag.Flag) string {
	if c, ok := f.Value.(choice); ok {
		return name + " must be one of " + strings.Join(c.allowed, ", ") + "."
	}
	what, ok := map[string]string{
		"bool": "true or false", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number",
		"duration": "a duration such as 90s, 10m, or 1h30m", "time": "a time such as 1:10, 70s, or 1h2m", "intSlice": "a list of whole numbers", "stringSlice": "a string or a list of strings",
		"stringArray": "a string or a list of strings", "arguments": "a program and its arguments, as a list of strings",
	}[f.Value.Type()]
	if !ok {
		what = "a string"
	}
	return name + " must be " + what + "."
}

// configLine returns the config file and line that set a flag, "" if none did.
func configLine(f *pflag.Flag) string { return strings.Join(f.Annotations[fromFile], "") }
