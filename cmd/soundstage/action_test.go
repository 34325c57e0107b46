//go:build unix

package main

import (
	"net/http"
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

// Secrets from a file are masked. A sandbox that doesn't start, or stops early, fails the step with its log.
func TestActionFailures(t *testing.T) {
	t.Parallel()
	secrets := filepath.Join(t.TempDir(), "secrets")
	require.NoError(t, os.WriteFile(secrets, []byte("core 0123456789abcdef\n"), 0o600))
	r := newRunner(t, "ARGS=--secret-file "+secrets)
	out, err := r.script("start.sh")
	require.NoError(t, err, out)
	require.Contains(t, out, "::add-mask::0123456789abcdef\n")
	require.Equal(t, "0123456789abcdef", r.file("GITHUB_ENV")["SOUNDSTAGE_SECRET"])
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
					ID, Uses, Shell, Run string
					With, Env            map[string]string
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
