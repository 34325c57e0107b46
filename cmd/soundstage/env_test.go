package main

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// samples has, for every type of flag, a valid value, how it reads back, and an invalid value if there is one.
var samples = map[string]struct{ right, reads, wrong string }{
	"bool":        {"true", "true", "perhaps"},
	"string":      {"words", "words", ""},
	"int":         {"7", "7", "many"},
	"int64":       {"7", "7", "many"},
	"uint64":      {"7", "7", "-1"},
	"float64":     {"0.5", "0.5", "half"},
	"duration":    {"7s", "7s", "soon"},
	"time":        {"1:10", "1m10s", "soon"},
	"sidecar":     {"srt", "srt", "str"},
	"intSlice":    {"1,2,3", "[1,2,3]", "1,x"},
	"stringSlice": {"a,b", "[a,b]", ""},
	"stringArray": {"a,b", "[\"a,b\"]", ""}, // one value, even with a comma

	"transcriber": {"whispercpp", "whispercpp", "alexa"},
	"model":       {"anthropic", "anthropic", "hal"},
	"speakers-by": {"diarizer", "diarizer", "me"},
	"profile":     {"bbc", "bbc", "cinema"},
	"arguments":   {`["a","b c"]`, `["a","b c"]`, `["a`},
	"config":      {"../../examples/soundstage.yaml", "../../examples/soundstage.yaml", ""},
}

// everyFlag calls do for every flag of every command without subcommands.
func everyFlag(t *testing.T, do func(t *testing.T, path []string, f *pflag.Flag)) {
	t.Helper()
	n := 0
	eachCommand(newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, os.LookupEnv), func(cmd *cobra.Command) {
		if !cmd.Runnable() || cmd.HasSubCommands() {
			return
		}
		path := strings.Fields(cmd.CommandPath())[1:]
		nameVariables(cmd)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				n++
				do(t, path, f)
			}
		})
	})
	require.Greater(t, n, 50)
}

// parseFlags parses a command line in an environment, without running the command, and returns the value of a flag.
func parseFlags(env map[string]string, flag string, path []string, args ...string) (value string, err error) {
	root := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	cmd, _, err := root.Find(path)
	if err != nil {
		return "", err
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		value = cmd.Flags().Lookup(flag).Value.String()
		return nil
	}
	cmd.Run = nil
	root.SetArgs(append(append([]string{}, path...), args...))
	return value, root.Execute()
}

// Every flag has an environment variable, which its help names. The flag overrides the variable, an empty variable counts as not set, and
// the error for an invalid value names the variable.
func TestEveryFlagIsAVariable(t *testing.T) {
	t.Parallel()
	everyFlag(t, func(t *testing.T, path []string, f *pflag.Flag) {
		name := envName(f)
		where := strings.Join(path, " ") + " --" + f.Name
		require.Regexp(t, `^SOUNDSTAGE_[A-Z0-9_]+$`, name)
		require.NotEqual(t, "SOUNDSTAGE_TEST_MAIN", name)
		require.Contains(t, f.Usage, "(env "+name+")", where)
		require.Equal(t, 1, strings.Count(f.Usage, "(env "), where)
		sample, ok := samples[f.Value.Type()]
		require.True(t, ok, "%s: a flag of type %s needs a sample", where, f.Value.Type())

		got, err := parseFlags(map[string]string{name: sample.right}, f.Name, path)
		require.NoError(t, err, where)
		require.Equal(t, sample.reads, got, where)
		got, err = parseFlags(map[string]string{name: ""}, f.Name, path)
		require.NoError(t, err, where)
		require.Equal(t, f.DefValue, got, where)
		if sample.wrong == "" {
			return
		}
		got, err = parseFlags(map[string]string{name: sample.wrong}, f.Name, path, "--"+f.Name+"="+sample.right)
		require.NoError(t, err, where)
		require.Equal(t, sample.reads, got, where)
		_, err = parseFlags(map[string]string{name: sample.wrong}, f.Name, path)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), where)
		require.Contains(t, err.Error(), name, where)
		var e *engine.Error
		require.True(t, errors.As(err, &e))
		require.Contains(t, e.Hint, "--"+f.Name, where)
	})
}

// A variable has one meaning: flags of several commands that share one have the same type. keys create --name and export --name, which
// once shared SOUNDSTAGE_NAME, don't share it.
func TestVariablesHaveOneMeaning(t *testing.T) {
	t.Parallel()
	types, flags := map[string]string{}, map[string]string{}
	everyFlag(t, func(t *testing.T, path []string, f *pflag.Flag) {
		name, where := envName(f), strings.Join(path, " ")+" --"+f.Name
		kind := f.Value.Type()
		if kind == "profile" {
			kind = "string" // a choice, with the same values
		}
		if other, ok := types[name]; ok {
			require.Equal(t, other, kind, "%s: %s and %s", name, flags[name], where)
		}
		types[name], flags[name] = kind, where
	})
	require.Equal(t, "keys create --name", flags["SOUNDSTAGE_NAME"])
	got, err := parseFlags(map[string]string{"SOUNDSTAGE_NAME": "ci", "SOUNDSTAGE_SPEAKER_NAME": "Speaker 0=Ann"}, "name", []string{"export"})
	require.NoError(t, err)
	require.Equal(t, "[Speaker 0=Ann]", got)
}

// An error that a command finds itself lists the environment variables that set its flags, but not their values.
func TestErrorsNameVariables(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"SOUNDSTAGE_CLOCK", "fast"}, {"SOUNDSTAGE_LOG", "loud"}, {"SOUNDSTAGE_ADDR", "nowhere"}, {"SOUNDSTAGE_PUBLIC_URL", "ftp://x"},
		{"SOUNDSTAGE_RATE_LIMIT", "1,2"}, {"SOUNDSTAGE_SECRET_FILE", "/nothing"}, {"SOUNDSTAGE_DATA", os.DevNull},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			code, out, errOut := cli(t, "serve", "--allow-private-urls")
			require.Contains(t, []int{2, 5}, code, errOut)
			require.Empty(t, out)
			require.Contains(t, errOut, "Set by the environment: "+c.name+".")
		})
	}
	t.Setenv("SOUNDSTAGE_SECRET", "hush-hush-hush-hush")
	code, _, errOut := cli(t, "conformance")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "Set by the environment: SOUNDSTAGE_SECRET.")
	require.NotContains(t, errOut, "hush")
}
