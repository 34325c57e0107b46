package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// deployFiles are the files of deploy that start the program, in the program's words.
var deployFiles = []string{"compose.yaml", "kubernetes/api.yaml", "kubernetes/node.yaml", "kubernetes/workers.yaml"}

// deployed returns the commands of a Compose or Kubernetes file that run the program, without its name.
func deployed(t *testing.T, file string) (commands [][]string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../deploy", file))
	require.NoError(t, err)
	for decoder := yaml.NewDecoder(bytes.NewReader(raw)); ; {
		var document map[string]any
		if err := decoder.Decode(&document); err == io.EOF {
			return commands
		}
		require.NoError(t, err)
		commands = append(commands, commandsIn(document)...)
	}
}

// commandsIn returns the commands of the containers in a YAML value. The entry point of the image is `soundstage serve`.
func commandsIn(value any) (commands [][]string) {
	switch v := value.(type) {
	case []any:
		if words := stringsOf(v); len(words) > 2 && words[0] == "CMD" && words[1] == "soundstage" { // a health check of Compose
			return [][]string{words[2:]}
		}
		for _, child := range v {
			commands = append(commands, commandsIn(child)...)
		}
	case map[string]any:
		command, args := stringsOf(v["command"]), stringsOf(v["args"])
		switch {
		case v["image"] == "soundstage:local":
			entry := stringsOf(v["entrypoint"])
			if entry == nil {
				entry = []string{"soundstage", "serve"}
			}
			commands = append(commands, append(entry[1:], command...))
		case len(command) > 0 && command[0] == "soundstage":
			commands = append(commands, append(command[1:], args...))
		}
		for _, child := range v {
			commands = append(commands, commandsIn(child)...)
		}
	}
	return commands
}

func stringsOf(value any) (words []string) {
	list, _ := value.([]any)
	for _, word := range list {
		words = append(words, fmt.Sprint(word))
	}
	return words
}

// parseCommand returns why the program would reject a command line, or nil.
func parseCommand(args []string) error {
	cmd, rest, err := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, os.LookupEnv).Find(args)
	if err != nil {
		return err
	}
	if !cmd.HasParent() {
		return fmt.Errorf("%q is no command", args)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// The program has every command and flag that the files of deploy use.
func TestDeployCommands(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, file := range deployFiles {
		for _, command := range deployed(t, file) {
			require.NoError(t, parseCommand(command), "%s: soundstage %s", file, strings.Join(command, " "))
			for _, only := range sandboxOnly {
				require.NotRegexp(t, ` --`+only.flag+`( |=|$)`, strings.Join(command, " "), "%s: nodes reject it", file)
			}
			seen[command[0]] = true
		}
	}
	require.Equal(t, map[string]bool{"serve": true, "work": true, "migrate": true, "healthcheck": true}, seen)
}

// A command that the program doesn't have, an unknown flag, a wrong value, and an argument too many are found.
func TestDeployMistakes(t *testing.T) {
	t.Parallel()
	require.NoError(t, parseCommand([]string{"serve", "--addr=:8765", "--log", "json"}))
	for _, wrong := range []string{"sevre", "serve --adr=:8765", "serve --max-connections=many", "healthcheck now"} {
		require.Error(t, parseCommand(strings.Fields(wrong)), wrong)
	}
}

// deployText returns the text of all files of deploy, testdata and what secrets.sh writes apart.
func deployText(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	require.NoError(t, filepath.WalkDir("../../deploy", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == "testdata" || d.Name() == "secrets") {
				return filepath.SkipDir
			}
			return err
		}
		raw, err := os.ReadFile(path)
		all.Write(raw)
		return err
	}))
	return all.String()
}

// Each variable that the files of deploy set is one of `soundstage serve`.
func TestDeployVariables(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"SOUNDSTAGE_USER": true} // of compose.yaml
	everyFlag(t, func(_ *testing.T, path []string, f *pflag.Flag) {
		if path[0] == "serve" {
			known[envName(f)] = true
		}
	})
	names := regexp.MustCompile(`\bSOUNDSTAGE_[A-Z_]+[A-Z]\b`).FindAllString(deployText(t), -1)
	require.NotEmpty(t, names)
	for _, name := range names {
		require.True(t, known[name], "serve has no variable %s", name)
	}
}

// Exactly one group of workers in Kubernetes does the jobs of each class.
func TestDeployClasses(t *testing.T) {
	t.Parallel()
	var want, have []string
	for class := range queue.DefaultWorkers() {
		want = append(want, string(class))
	}
	for _, command := range deployed(t, "kubernetes/workers.yaml") {
		for _, word := range command {
			if only, ok := strings.CutPrefix(word, "--only="); ok {
				have = append(have, strings.Split(only, ",")...)
			}
		}
	}
	require.ElementsMatch(t, want, have)
}

// The program has each metric that alerts and autoscaling use.
func TestDeployMetrics(t *testing.T) {
	t.Parallel()
	metric := regexp.MustCompile(`\bsoundstage_\w+`)
	known := map[string]bool{}
	for _, folder := range goList(t) {
		files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, name := range metric.FindAll(raw, -1) {
				known[string(name)] = true
			}
		}
	}
	names := regexp.MustCompile(`\bsoundstage_[a-z_]+`).FindAllString(deployText(t), -1)
	slices.Sort(names)
	require.NotEmpty(t, names)
	for _, name := range slices.Compact(names) {
		for _, suffix := range []string{"_bucket", "_count", "_sum"} {
			name = strings.TrimSuffix(name, suffix)
		}
		require.True(t, known[name], "the program has no metric %s", name)
	}
}
