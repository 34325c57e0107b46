package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
)

// lookupEnv returns an environment variable and whether it is set, like os.LookupEnv.
type lookupEnv func(name string) (string, bool)

// envName returns the environment variable for a flag: SOUNDSTAGE_RATE_LIMIT for --rate-limit. It is the same for every command, unless
// setVariable has chosen another one.
func envName(f *pflag.Flag) string {
	name := f.Name
	if other := f.Annotations[variableOf]; len(other) > 0 {
		name = other[0]
	}
	return variable(name)
}

func variable(name string) string {
	return "SOUNDSTAGE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Annotations of flags.
const (
	fromEnvironment = "soundstage.environment" // the variable that set the flag
	variableOf      = "soundstage.variable"    // the name that its variable has instead of the flag's
)

// setVariable gives a flag the environment variable of another name, because a flag of another command has the same name and another
// meaning.
func setVariable(f *pflag.FlagSet, flag, name string) { annotate(f.Lookup(flag), variableOf, name) }

func annotate(f *pflag.Flag, key, value string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = []string{value}
}

// bindEnvironment reads every flag of every command from its environment variable and names the variable in the help. A flag on the
// command line overrides its variable. An empty variable counts as not set.
func bindEnvironment(root *cobra.Command, lookup lookupEnv) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		nameVariables(cmd)
		help(cmd, args)
	})
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		var first error
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			value, ok := lookup(envName(f))
			if f.Changed || !ok || value == "" || !hasVariable(f) || first != nil {
				return
			}
			if err := cmd.Flags().Set(f.Name, value); err != nil {
				first = engine.Errorf(engine.CodeInvalid, "environment", "The environment variable %s is invalid: %v.", envName(f), cmp.Or(wrongValue(err), innermost(err).Error())).
					WithHint("It sets --" + f.Name + " of `" + cmd.CommandPath() + "`; see its --help.")
				return
			}
			annotate(f, fromEnvironment, envName(f))
		})
		if first != nil {
			return first
		}
		return readConfig(cmd)
	}
}

// nameVariables adds the environment variables of a command's flags to its help.
func nameVariables(cmd *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{cmd.InheritedFlags(), cmd.Flags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if suffix := " (env " + envName(f) + ")"; hasVariable(f) && !strings.HasSuffix(f.Usage, suffix) {
				f.Usage += suffix
			}
		})
	}
}

// hasVariable reports whether an environment variable sets a flag.
func hasVariable(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "version" }

// innermost returns the innermost error: the one about the value, without the name of the flag.
func innermost(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}

func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, c := range cmd.Commands() {
		eachCommand(c, do)
	}
}

// setByEnv reports whether a flag's value comes from the environment.
func setByEnv(f *pflag.Flag) bool { return len(f.Annotations[fromEnvironment]) > 0 }

// settingSources lists the environment variables and config file lines that set flags, for an error that a flag's value may have caused.
// The command line doesn't show them. Values are left out because some are secrets.
func settingSources(root *cobra.Command, err error) string {
	if !slices.Contains([]engine.Code{engine.CodeInvalid, engine.CodeConflict, engine.CodeUnavailable}, engine.CodeOf(err)) {
		return ""
	}
	var names, lines []string
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if setByEnv(f) {
				names = append(names, envName(f))
			}
			if at := configLine(f); at != "" {
				lines = append(lines, f.Name+" ("+at+")")
			}
		})
	})
	text := ""
	if slices.Sort(names); len(names) > 0 {
		text += "\n  Set by the environment: " + strings.Join(slices.Compact(names), ", ") + "."
	}
	if slices.Sort(lines); len(lines) > 0 {
		text += "\n  Set by the config file: " + strings.Join(slices.Compact(lines), ", ") + "."
	}
	return text
}
