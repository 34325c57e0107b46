package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
)

// lookupEnv returns a variable of the environment and whether it is there, as os.LookupEnv does.
type lookupEnv func(name string) (string, bool)

// variable is the variable that stands for a flag, of whatever command: SOUNDSTAGE_RATE_LIMIT for --rate-limit.
func variable(flag string) string {
	return "SOUNDSTAGE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// fromEnvironment is the annotation of a flag whose value is the environment's.
const fromEnvironment = "soundstage.environment"

// bindEnvironment makes a variable stand for every flag of every command, and tells it in the help. A flag that is given wins; a
// variable that is empty is none.
func bindEnvironment(root *cobra.Command, lookup lookupEnv) {
	eachCommand(root, func(cmd *cobra.Command) {
		for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				if told := " (env " + variable(f.Name) + ")"; !strings.HasSuffix(f.Usage, told) {
					f.Usage += told
				}
			})
		}
	})
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		var first error
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			value, ok := lookup(variable(f.Name))
			if f.Changed || !ok || value == "" || f.Name == "help" || first != nil {
				return
			}
			if err := cmd.Flags().Set(f.Name, value); err != nil {
				first = engine.Errorf(engine.CodeInvalid, "environment", "The environment's %s is wrong: %v.", variable(f.Name), unwrapped(err)).
					WithHint("It stands for --" + f.Name + " of `" + cmd.CommandPath() + "`; see its --help.")
				return
			}
			f.Annotations = map[string][]string{fromEnvironment: {variable(f.Name)}}
		})
		if first != nil {
			return first
		}
		return readConfig(root, cmd)
	}
}

// unwrapped is the error of a value without the flag that it was not given by.
func unwrapped(err error) error {
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

// environmental reports whether the environment gave a flag's value.
func environmental(f *pflag.Flag) bool { return len(f.Annotations[fromEnvironment]) > 0 }

// variablesTold names the variables and the lines of a config file that took part in an error that a flag's value may have caused: nobody
// sees them in the command line. Their values stay untold, because some are secrets.
func variablesTold(root *cobra.Command, err error) string {
	if !slices.Contains([]engine.Code{engine.CodeInvalid, engine.CodeConflict, engine.CodeUnavailable}, engine.CodeOf(err)) {
		return ""
	}
	var names, lines []string
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if environmental(f) {
				names = append(names, variable(f.Name))
			}
			if at := filed(f); at != "" {
				lines = append(lines, f.Name+" ("+at+")")
			}
		})
	})
	told := ""
	if slices.Sort(names); len(names) > 0 {
		told += "\n  From the environment: " + strings.Join(slices.Compact(names), ", ") + "."
	}
	if slices.Sort(lines); len(lines) > 0 {
		told += "\n  From the config file: " + strings.Join(slices.Compact(lines), ", ") + "."
	}
	return told
}
