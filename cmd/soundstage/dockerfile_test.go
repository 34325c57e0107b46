package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// instruction is an instruction of a Dockerfile.
type instruction struct{ name, rest string }

// dockerfile parses the project's Dockerfile. It skips comments and joins continued lines.
func dockerfile(t *testing.T) (all []instruction) {
	t.Helper()
	raw, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	line := ""
	for s := bufio.NewScanner(bytes.NewReader(raw)); s.Scan(); {
		text := strings.TrimSpace(s.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		text, more := strings.CutSuffix(text, "\\")
		line += text + " "
		if more {
			continue
		}
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, instruction{name, strings.Join(strings.Fields(rest), " ")})
		line = ""
	}
	require.Empty(t, line)
	return all
}

func argumentsOf(all []instruction, name string) (found []string) {
	for _, i := range all {
		if i.name == name {
			found = append(found, i.rest)
		}
	}
	return found
}

// dockerStage returns the instructions of a stage of the Dockerfile.
func dockerStage(t *testing.T, from string) (stage []instruction) {
	t.Helper()
	in := false
	for _, i := range dockerfile(t) {
		if i.name == "FROM" {
			in = i.rest == from
		}
		if in {
			stage = append(stage, i)
		}
	}
	require.NotEmpty(t, stage)
	return stage
}

// ignored reports whether .dockerignore excludes a top-level file or folder. The last matching pattern decides.
func ignored(t *testing.T, name string) (out bool) {
	t.Helper()
	raw, err := os.ReadFile("../../.dockerignore")
	require.NoError(t, err)
	for _, pattern := range strings.Fields(regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(string(raw), "")) {
		pattern, in := strings.CutPrefix(pattern, "!")
		if ok, _ := path.Match(pattern, name); ok {
			out = !in
		}
	}
	return out
}

// The Dockerfile copies only files that exist and aren't ignored, and every package of the program.
func TestDockerfileCopies(t *testing.T) {
	t.Parallel()
	all := dockerfile(t)
	stages := regexp.MustCompile(` AS (\S+)`).FindAllStringSubmatch(strings.Join(argumentsOf(all, "FROM"), "\n"), -1)
	var copied []string
	for _, c := range argumentsOf(all, "COPY") {
		words := strings.Fields(c)
		if from, ok := strings.CutPrefix(words[0], "--from="); ok {
			require.True(t, slices.ContainsFunc(stages, func(s []string) bool { return s[1] == from }), c)
			continue
		}
		for _, source := range words[:len(words)-1] {
			_, err := os.Stat(filepath.Join("../..", source))
			require.NoError(t, err)
			require.False(t, ignored(t, source), "%s is ignored", source)
			copied = append(copied, source)
		}
	}
	for _, folder := range goList(t) {
		top, _, _ := strings.Cut(folder, "/")
		require.Contains(t, copied, top, folder)
	}
	for _, name := range []string{".git", "bin", "testdata", "README.md"} {
		require.True(t, ignored(t, name), name)
	}
}

// goList returns the folders of this module's packages that the program imports.
func goList(t *testing.T) (folders []string) {
	t.Helper()
	const module = "github.com/soundstage-dev/soundstage/"
	deps, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	for _, pkg := range strings.Fields(string(deps)) {
		if folder, ok := strings.CutPrefix(pkg, module); ok {
			folders = append(folders, folder)
		}
	}
	require.Greater(t, len(folders), 10)
	return folders
}

// The image installs the same runtime packages as .ci/setup, and builds with the Go version of go.mod.
func TestDockerfilePackages(t *testing.T) {
	t.Parallel()
	all := dockerfile(t)
	setup, err := os.ReadFile("../../.ci/setup")
	require.NoError(t, err)
	_, apt, ok := strings.Cut(string(setup), "apt-get >/dev/null")
	require.True(t, ok)
	apt, _, ok = strings.Cut(apt, `if [ "$want" = test ]`)
	require.True(t, ok)
	want := []string{"ca-certificates"} // preinstalled on a full Debian machine
	for _, m := range regexp.MustCompile(`(?m)^\s+(?:need \S+|font "[^"]+") (\S+)$`).FindAllStringSubmatch(apt, -1) {
		if m[1] != "gcc" && m[1] != "libc6-dev" { // needed only by the build stage
			want = append(want, m[1])
		}
	}
	slices.Sort(want)
	install := regexp.MustCompile(`apt-get install -y --no-install-recommends ([a-z0-9 -]+?) &&`).FindStringSubmatch(strings.Join(argumentsOf(all, "RUN"), "\n"))
	require.NotNil(t, install)
	require.Equal(t, slices.Compact(want), strings.Fields(install[1]))

	mod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	require.Equal(t, "golang:"+string(version[1])+"-bookworm AS build", argumentsOf(all, "FROM")[0])
	from := argumentsOf(all, "FROM")
	require.Equal(t, "debian:bookworm-slim", from[len(from)-1], "the last one is the default; the same Debian release, because the program links against its libc")
}

// The images run the program as an unprivileged user, with valid commands and variables, on the exposed port.
func TestDockerfileRuns(t *testing.T) {
	t.Parallel()
	require.Contains(t, strings.Join(argumentsOf(dockerStage(t, "debian:bookworm-slim"), "RUN"), "\n"), "-o soundstage -g soundstage /data")
	require.Contains(t, strings.Join(argumentsOf(dockerStage(t, "build AS static"), "RUN"), "\n"), "-o 10001 -g 10001 /slim/data")
	for _, from := range []string{"debian:bookworm-slim", "scratch AS slim"} {
		requireImageRuns(t, dockerStage(t, from))
	}
}

// requireImageRuns checks the stage of an image.
func requireImageRuns(t *testing.T, all []instruction) {
	t.Helper()
	variables := map[string]bool{}
	everyFlag(t, func(_ *testing.T, path []string, f *pflag.Flag) {
		if path[0] == "serve" {
			variables[envName(f)] = true
		}
	})
	variables["PATH"] = true
	env := map[string]string{}
	for _, pair := range strings.Fields(strings.Join(argumentsOf(all, "ENV"), " ")) {
		name, value, _ := strings.Cut(pair, "=")
		require.True(t, variables[name], "serve has no variable %s", name)
		env[name] = value
	}
	require.Equal(t, "0.0.0.0:"+argumentsOf(all, "EXPOSE")[0], env["SOUNDSTAGE_ADDR"])
	require.Equal(t, "true", env["SOUNDSTAGE_ALLOW_SANDBOX_SECRETS"])
	require.Regexp(t, `^[1-9]\d+:[1-9]\d+$`, argumentsOf(all, "USER")[0])
	require.Equal(t, []string{"/data"}, argumentsOf(all, "VOLUME"))

	_, check, ok := strings.Cut(argumentsOf(all, "HEALTHCHECK")[0], "CMD ")
	require.True(t, ok)
	for _, command := range []string{check, argumentsOf(all, "ENTRYPOINT")[0]} {
		var args []string
		require.NoError(t, json.Unmarshal([]byte(command), &args), "use the exec form, without a shell: %s", command)
		require.Equal(t, "soundstage", args[0])
		_, rest, err := newRoot(streams{strings.NewReader(""), io.Discard, io.Discard}, os.LookupEnv).Find(args[1:])
		require.NoError(t, err)
		require.Empty(t, rest)
	}
}
