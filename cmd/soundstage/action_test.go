//go:build unix

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// runner simulates the parts of a GitHub runner that the action's scripts use.
type runner struct {
	t    *testing.T
	temp string
	env  []string
}

func newRunner(t *testing.T, env ...string) runner {
	t.Helper()
	needFFmpeg(t)
	r := runner{t: t, temp: t.TempDir()}
	r.env = append(os.Environ(), "SOUNDSTAGE_TEST_MAIN=1", "SOUNDSTAGE_BIN="+os.Args[0], "RUNNER_TEMP="+r.temp, "TMPDIR="+r.temp)
	for _, file := range []string{"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH"} {
		r.env = append(r.env, file+"="+filepath.Join(r.temp, file))
	}
	r.env = append(r.env, env...)
	t.Cleanup(func() {
		if pid := r.pid(); pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return r
}

func (r runner) script(name string) (string, error) {
	cmd := exec.Command("sh", "../../action/"+name)
	cmd.Env = r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r runner) pid() int {
	raw, _ := os.ReadFile(filepath.Join(r.temp, "soundstage", "pid"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
	return pid
}

// file returns what the scripts wrote for the runner: a line NAME=VALUE for each value.
func (r runner) file(name string) map[string]string {
	raw, err := os.ReadFile(filepath.Join(r.temp, name))
	require.NoError(r.t, err)
	values := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		k, v, _ := strings.Cut(line, "=")
		values[k] = v
	}
	return values
}

// The action starts a sandbox, passes its address to the next steps, refuses to start a second one, and stops it.
func TestAction(t *testing.T) {
	t.Parallel()
	r := newRunner(t, "ARGS=--clock real --rate-limit 60,120,300")
	out, err := r.script("start.sh")
	require.NoError(t, err, out)
	env := r.file("GITHUB_ENV")
	url := env["SOUNDSTAGE_URL"]
	require.Equal(t, map[string]string{
		"SOUNDSTAGE_URL": url, "SOUNDSTAGE_CONTROL_URL": url + "/_soundstage", "SOUNDSTAGE_SECRET": "sk_sandbox_platform",
		"SOUNDSTAGE_SECRET_NONE": "sk_sandbox_none", "SOUNDSTAGE_SECRET_CORE": "sk_sandbox_core", "SOUNDSTAGE_SECRET_AUTOMATION": "sk_sandbox_automation",
		"SOUNDSTAGE_SECRET_PLATFORM": "sk_sandbox_platform", "SOUNDSTAGE_SECRET_OTHER": "sk_sandbox_other",
	}, env)
	require.Equal(t, map[string]string{"url": url, "secret": "sk_sandbox_platform"}, r.file("GITHUB_OUTPUT"))
	require.Contains(t, r.file("GITHUB_PATH"), filepath.Dir(os.Args[0]))
	require.NotContains(t, out, "add-mask")
	resp, err := http.Get(url + "/_soundstage/health")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)

	out, err = r.script("start.sh")
	require.Error(t, err)
	require.Contains(t, out, "already running")

	pid := r.pid()
	out, err = r.script("stop.sh")
	require.NoError(t, err, out)
	require.Contains(t, out, "clock real", "stop.sh prints the sandbox's log")
	waitGone(t, pid)
	require.NoDirExists(t, filepath.Join(r.temp, "soundstage"))
	out, err = r.script("stop.sh")
	require.NoError(t, err)
	require.Contains(t, out, "No sandbox is running")
}

// The shell of the action expands no pattern in the flags.
func TestActionPassesPatterns(t *testing.T) {
	t.Parallel()
	r := newRunner(t, "ARGS=--allowed-host *")
	program := filepath.Join(r.temp, "program")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"got $*\"\nexit 1\n"), 0o755))
	r.env = append(r.env, "SOUNDSTAGE_BIN="+program)
	out, err := r.script("start.sh")
	require.Error(t, err)
	require.Contains(t, out, "got serve --addr 127.0.0.1:0 --allowed-host * --ready-file")
}

// The action stops a sandbox where ps has no option -o, as on Windows.
func TestActionWithOtherPs(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	require.NoError(t, os.WriteFile(filepath.Join(r.temp, "ps"), []byte("#!/bin/sh\necho 'ps: unknown option -- o' >&2\nexit 1\n"), 0o755))
	r.env = append(r.env, "PATH="+r.temp+":"+os.Getenv("PATH"))
	out, err := r.script("start.sh")
	require.NoError(t, err, out)
	pid := r.pid()
	out, err = r.script("stop.sh")
	require.NoError(t, err, out)
	waitGone(t, pid)
}

// Secrets from a file are masked. A sandbox that doesn't start, or stops early, fails the step with its log.
func TestActionFailures(t *testing.T) {
	t.Parallel()
	const secret = `0123&<"\\b%25>'$x=y` // as passwords are
	secrets := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(secrets, []byte("core "+secret+"\n"), 0o600))
	r := newRunner(t, "ARGS=--secret-file "+secrets)
	out, err := r.script("start.sh")
	require.NoError(t, err, out)
	require.Contains(t, out, "::add-mask::"+strings.ReplaceAll(secret, "%", "%25")+"\n")
	require.Equal(t, secret, r.file("GITHUB_ENV")["SOUNDSTAGE_SECRET"])
	require.Equal(t, secret, r.file("GITHUB_OUTPUT")["secret"])
	pid := r.pid()
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	waitGone(t, pid)
	out, err = r.script("stop.sh")
	require.Error(t, err)
	require.Contains(t, out, "exited before it was stopped")

	r = newRunner(t, "ARGS=--clock fast")
	out, err = r.script("start.sh")
	require.Error(t, err)
	require.Contains(t, out, `"fast" is not a clock mode`)
	require.Zero(t, r.pid())
	require.NoFileExists(t, filepath.Join(r.temp, "GITHUB_ENV"))
}

// The action downloads a release for the runner's system, and runs only what has the release's checksum.
func TestActionDownloads(t *testing.T) {
	t.Parallel()
	needTools(t, "curl", "unzip")
	program := "#!/bin/sh\nexec " + os.Args[0] + ` "$@"` + "\n"
	files := map[string][]byte{
		"soundstage-linux-amd64.tar.gz": tarOf(t, "soundstage", program), "soundstage-windows-amd64.zip": zipOf(t, "soundstage.exe", program),
		"soundstage-linux-arm64.tar.gz": tarOf(t, "soundstage", "another"),
	}
	sums := ""
	for name, raw := range files {
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(raw), name)
	}
	files["soundstage-linux-arm64.tar.gz"] = append(files["soundstage-linux-arm64.tar.gz"], 0)
	files["SHA256SUMS"], files["soundstage-darwin-arm64.tar.gz"] = []byte(sums), []byte("without a checksum")
	releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, "/download/v0.1.0/")
		if !ok {
			name, ok = strings.CutPrefix(r.URL.Path, "/latest/download/")
		}
		if raw, found := files[name]; ok && found {
			_, _ = w.Write(raw)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(releases.Close)
	for _, c := range []struct{ version, os, arch, fails string }{
		{"v0.1.0", "Linux", "X64", ""},
		{"latest", "Windows", "X64", ""},
		{"latest", "Linux", "ARM64", "soundstage-linux-arm64.tar.gz of latest isn't what SHA256SUMS says. It was not run."},
		{"latest", "macOS", "ARM64", "SHA256SUMS of latest doesn't name soundstage-darwin-arm64.tar.gz."},
		{"v9.9.9", "Linux", "X64", "/download/v9.9.9/SHA256SUMS could not be downloaded. If there is no such release, set the input version to source."},
		{"main", "Linux", "X64", "The input version is main. Set it to a release such as v0.1.0, to latest, or to source."},
		{"latest", "Linux", "X86", "There is no release for the architecture X86. Set the input version to source."},
		{"latest", "Plan9", "X64", "There is no release for the system Plan9. Set the input version to source."},
	} {
		t.Run(c.version+c.os+c.arch, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, "SOUNDSTAGE_BIN=", "VERSION="+c.version, "RUNNER_OS="+c.os, "RUNNER_ARCH="+c.arch, "SOUNDSTAGE_RELEASES="+releases.URL)
			out, err := r.script("start.sh")
			if c.fails != "" {
				require.Error(t, err)
				require.Contains(t, out, c.fails)
				require.Zero(t, r.pid())
				return
			}
			require.NoError(t, err, out)
			require.Contains(t, r.file("GITHUB_PATH"), filepath.Join(r.temp, "soundstage", "bin"))
			out, err = r.script("stop.sh")
			require.NoError(t, err, out)
		})
	}
}

func tarOf(t *testing.T, name, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}))
	_, err := io.WriteString(w, content)
	require.NoError(t, errors.Join(err, w.Close(), z.Close()))
	return b.Bytes()
}

func zipOf(t *testing.T, name, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	header := &zip.FileHeader{Name: name}
	header.SetMode(0o755)
	w, err := z.CreateHeader(header)
	require.NoError(t, err)
	_, err = io.WriteString(w, content)
	require.NoError(t, errors.Join(err, z.Close()))
	return b.Bytes()
}

// action.yml runs the scripts that are tested here, and they are executable.
func TestActionDescription(t *testing.T) {
	t.Parallel()
	for folder, script := range map[string]string{"../../action": "start.sh", "../../action/stop": "../stop.sh"} {
		raw, err := os.ReadFile(filepath.Join(folder, "action.yml"))
		require.NoError(t, err)
		var action struct {
			Name, Description string
			Inputs, Outputs   map[string]struct{ Description, Default, Value string }
			Runs              struct {
				Using string
				Steps []struct {
					ID, If, Uses, Shell, Run string
					With, Env                map[string]string
				}
			}
		}
		require.NoError(t, yaml.Load(raw, &action, yaml.WithKnownFields()))
		require.Equal(t, "composite", action.Runs.Using)
		last := action.Runs.Steps[len(action.Runs.Steps)-1]
		require.Equal(t, `"$GITHUB_ACTION_PATH/`+script+`"`, last.Run)
		info, err := os.Stat(filepath.Join(folder, script))
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&0o100, "%s must be executable", script)
		for name := range action.Inputs {
			require.Equal(t, "${{ inputs."+name+" }}", last.Env[strings.ToUpper(name)])
		}
		for name, o := range action.Outputs {
			require.Equal(t, "${{ steps."+last.ID+".outputs."+name+" }}", o.Value)
		}
	}
}

// The hosted workflow runs golangci-lint and .ci/run, and nothing else.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../.github/workflows/ci.yml")
	require.NoError(t, err)
	var workflow struct {
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run string
				With      map[string]string
			}
		}
	}
	require.NoError(t, yaml.Load(raw, &workflow))
	steps := workflow.Jobs["test"].Steps
	require.Equal(t, "ubuntu-latest", workflow.Jobs["test"].RunsOn)
	require.Equal(t, ".ci/run", steps[len(steps)-1].Run)
	for _, s := range steps[:len(steps)-1] {
		require.Empty(t, s.Run)
		require.Regexp(t, `^(actions/[a-z-]+|golangci/golangci-lint-action)@v\d+$`, s.Uses)
		if s.With["go-version-file"] != "" {
			require.FileExists(t, "../../"+s.With["go-version-file"])
		}
	}
}
