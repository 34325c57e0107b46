package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/emulator/nearest"
	"github.com/soundstage-dev/soundstage/emulator/settings"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

// fromFile is the annotation of a flag whose value is the config file's: "soundstage.yaml:3".
const fromFile = "soundstage.file"

// readConfig gives the flags of a command what its --config file says, unless the command line or the environment does. Keys that are
// flags of another command are that one's: one file serves all.
func readConfig(root, cmd *cobra.Command) error {
	config := cmd.Flags().Lookup(configFlag)
	if config == nil || config.Value.String() == "" {
		return nil
	}
	path := config.Value.String()
	all, err := settings.Load(path)
	if err != nil {
		return err
	}
	others := configurable(root)
	for _, s := range all {
		own := cmd.Flags().Lookup(s.Name)
		if s.Name == configFlag || s.Name == "help" {
			return settings.Wrong(path, s.Line, "%s has no place in a config file.", s.Name)
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
				return settings.Wrong(path, v.Line, "%s is wrong: %v.", s.Name, unwrapped(err)).WithHint(mustBe(s.Name, own))
			}
		}
		own.Annotations = map[string][]string{fromFile: {fmt.Sprintf("%s:%d", path, s.Line)}}
	}
	return nil
}

// configFlag names the flag of the config file.
const configFlag = "config"

// configurable are the flags of all commands that take a config file.
func configurable(root *cobra.Command) map[string]*pflag.Flag {
	all := map[string]*pflag.Flag{}
	eachCommand(root, func(cmd *cobra.Command) {
		if cmd.Flags().Lookup(configFlag) != nil {
			cmd.Flags().VisitAll(func(f *pflag.Flag) { all[f.Name] = f })
		}
	})
	return all
}

// secretSetting is how the names of settings end whose values are secrets.
var secretSetting = regexp.MustCompile(`(^|[-_])(key|token|secret|password)$`)

// checkSetting refuses a setting that no flag has, that is a secret, or that is of another kind than the flag's. f is nil for none.
func checkSetting(path string, s settings.Setting, f *pflag.Flag, cmd *cobra.Command, others map[string]*pflag.Flag) error {
	if secretSetting.MatchString(s.Name) {
		return settings.Wrong(path, s.Line, "%s is a secret, and a config file has none.", s.Name).WithHint(instead(s.Name, f))
	}
	for _, v := range s.Values {
		if backends.LooksSecret(v.Text) {
			return settings.Wrong(path, v.Line, "The value of %s looks like a secret, and a config file has none.", s.Name).
				WithHint("Give keys by the environment, or in a file of their own with a -key-file setting.")
		}
	}
	if f == nil {
		e := settings.Wrong(path, s.Line, "there is no setting %.100q.", s.Name)
		if meant := nearest.Meant(s.Name, namesOf(cmd, others)); meant != "" {
			return e.WithHint("Did you mean " + meant + "?")
		}
		return e.WithHint("Settings are named as the flags of `" + cmd.CommandPath() + " --help`, without the dashes in front.")
	}
	if s.List && !takesList(f) {
		return settings.Wrong(path, s.Line, "%s takes one value, not a list.", s.Name).WithHint(mustBe(s.Name, f))
	}
	for _, v := range s.Values {
		wantsBool := f.Value.Type() == "bool"
		if isBool := v.Kind == settings.Bool; wantsBool && !isBool || isBool && isNumber(f.Value.Type()) {
			return settings.Wrong(path, v.Line, "%s is wrong: this is %s.", s.Name, v.Kind).WithHint(mustBe(s.Name, f))
		}
	}
	return nil
}

// instead says how a secret is given.
func instead(name string, f *pflag.Flag) string {
	for _, flag := range []string{"transcriber", "llm"} {
		if strings.ReplaceAll(name, "_", "-") == flag+"-key" {
			return "Give it by the environment, as " + backends.Variable(flag) + ", or in a file with " + flag + "-key-file."
		}
	}
	if f != nil {
		return "Give it by the environment, as " + variable(name) + "."
	}
	return "Give it by the environment, or in a file of its own: see transcriber-key-file, llm-key-file and secret-file."
}

// namesOf are the names that a setting may have.
func namesOf(cmd *cobra.Command, others map[string]*pflag.Flag) []string {
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

// mustBe says what a flag's value may be.
func mustBe(name string, f *pflag.Flag) string {
	if c, ok := f.Value.(choice); ok {
		return name + " must be one of " + strings.Join(c.allowed, ", ") + "."
	}
	what, ok := map[string]string{
		"bool": "true or false", "int": "a whole number", "int64": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number",
		"duration": "a length of time such as 90s, 10m or 1h30m", "intSlice": "a list of whole numbers", "stringSlice": "a text or a list of texts",
		"stringArray": "a text or a list of texts", "arguments": "a program and its arguments, as a list of texts",
	}[f.Value.Type()]
	if !ok {
		what = "a text"
	}
	return name + " must be " + what + "."
}

// filed is where a config file gave a flag's value, "" when it didn't.
func filed(f *pflag.Flag) string { return strings.Join(f.Annotations[fromFile], "") }
