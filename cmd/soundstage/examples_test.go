//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// needTools skips the test if a program is missing. In CI it fails the test instead.
func needTools(t *testing.T, programs ...string) {
	t.Helper()
	needFFmpeg(t)
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing: run `make setup`", p)
			}
			t.Skipf("%s is missing: run `make setup`", p)
		}
	}
}

// flowProgram builds the Go example once and returns its path.
var flowProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildDir, "flow")
	return path, output(exec.Command("go", "build", "-o", path, "../../examples/flow"))
})

// flowScript type-checks and compiles the TypeScript example once, for every Node.js with fetch, and returns its path.
var flowScript = sync.OnceValues(func() (string, error) {
	modules, err := filepath.Abs(nodeModules)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile("../../examples/flow.ts")
	if err != nil {
		return "", err
	}
	for name, content := range map[string][]byte{"package.json": []byte(`{"type":"module"}`), "flow.ts": source} {
		if err := os.WriteFile(filepath.Join(buildDir, name), content, 0o600); err != nil {
			return "", err
		}
	}
	return filepath.Join(buildDir, "flow.js"), output(exec.Command("node", filepath.Join(modules, "typescript", "bin", "tsc"),
		"--strict", "--noUnusedLocals", "--erasableSyntaxOnly", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext",
		"--typeRoots", filepath.Join(modules, "@types"), "--types", "node", "--outDir", buildDir, filepath.Join(buildDir, "flow.ts")))
})

// nodeModules is where `make setup` installs npm packages for tests.
const nodeModules = "../../emulator/api/clients/testdata/npm/node_modules"

// output runs a command. The error contains its output.
func output(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// examples lists the examples, with the tools that each needs and the command that starts it, without arguments.
var examples = []struct {
	name  string
	tools []string
	start func(t *testing.T) []string
}{
	{"flow.sh", []string{"curl", "jq", "openssl", "perl"}, func(*testing.T) []string { return []string{"sh", "../../examples/flow.sh"} }},
	{"flow.py", []string{"python3"}, func(*testing.T) []string { return []string{"python3", "../../examples/flow.py"} }},
	{"flow.ts", []string{"node", nodeModules + "/.bin/tsc"}, func(t *testing.T) []string {
		path, err := flowScript()
		require.NoError(t, err)
		return []string{"node", path}
	}},
	{"flow/main.go", nil, func(t *testing.T) []string {
		path, err := flowProgram()
		require.NoError(t, err)
		return []string{path}
	}},
}

// Each example is documentation, so it must work: it runs under `soundstage exec` as its first lines say, verifies the webhook, and saves
// captions and a clip.
func TestExamples(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it compiles programs")
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			needTools(t, e.tools...)
			out := filepath.Join(t.TempDir(), "out")
			args := append([]string{"exec", "--allow-private-urls", "--"}, e.start(t)...)
			cmd := programCommand(append(args, testdata("conversation.mp4"), out)...)
			var said, wrong bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &wrong
			require.NoError(t, cmd.Run(), "%s%s", &said, &wrong)
			require.Empty(t, wrong.String())
			requireFlow(t, said.String(), out)

			source, err := os.ReadFile(filepath.Join("../../examples", e.name))
			require.NoError(t, err)
			require.Contains(t, string(source[:300]), "soundstage exec --allow-private-urls -- ")
		})
	}
}

// An example fails when a webhook is signed with another secret. It doesn't wait for others that were sent to it meanwhile.
func TestExamplesRefuseForgeries(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	p := serveProcess(t, nil, "--allow-private-urls")
	sandbox, err := url.Parse(p.url)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(sandbox)
	var sent sync.WaitGroup
	defer sent.Wait()
	proxy.ModifyResponse = func(resp *http.Response) error {
		if resp.Request.URL.Path != "/v1/webhooks" {
			return nil
		}
		body, err := io.ReadAll(resp.Body)
		body = regexp.MustCompile(`whsec_[^"]{8}`).ReplaceAll(body, []byte("whsec_AAAAAAAA"))
		if receiver := regexp.MustCompile(`"url":"([^"]+)"`).FindSubmatch(body); receiver != nil {
			for range 3 {
				sent.Go(func() { sendForgery(string(receiver[1])) })
			}
		}
		resp.Body = io.NopCloser(bytes.NewReader(body))
		return err
	}
	front := httptest.NewServer(proxy)
	defer front.Close()
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			needTools(t, e.tools...)
			out := filepath.Join(t.TempDir(), "out")
			args := append(e.start(t), testdata("conversation.wav"), out)
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Env = append(os.Environ(), "SOUNDSTAGE_URL="+front.URL, "SOUNDSTAGE_SECRET=sk_sandbox_platform")
			said, err := cmd.CombinedOutput()
			require.Error(t, err, "%s", said)
			require.Contains(t, string(said), "the signature is invalid")
			require.NotContains(t, string(said), "verified: ")
			require.NoFileExists(t, filepath.Join(out, "talk.vtt"))
		})
	}
	require.NoError(t, p.signal(syscall.SIGTERM))
}

// sendForgery sends a webhook whose signature is wrong. Some examples receive one request only, so errors don't matter.
func sendForgery(receiver string) {
	req, err := http.NewRequest(http.MethodPost, receiver, strings.NewReader("{}"))
	if err != nil {
		return
	}
	req.Header.Set("Webhook-Id", "msg_forged")
	req.Header.Set("Webhook-Timestamp", strconv.FormatInt(time.Now().Unix(), 10))
	req.Header.Set("Webhook-Signature", "v1,Zm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkZm8=")
	if resp, err := (&http.Client{Timeout: 10 * time.Second}).Do(req); err == nil {
		resp.Body.Close()
	}
}

// requireFlow checks what an example prints and saves.
func requireFlow(t *testing.T, said, out string) {
	t.Helper()
	var what []string
	for _, line := range strings.Split(strings.TrimSpace(said), "\n") {
		name, value, ok := strings.Cut(line, ": ")
		require.True(t, ok && value != "", said)
		what = append(what, name)
	}
	require.Equal(t, []string{"webhook", "uploaded", "recording", "verified", "transcript", "render"}, what)
	require.Contains(t, said, "verified: transcript.completed\n")
	vtt, err := os.ReadFile(filepath.Join(out, "talk.vtt"))
	require.NoError(t, err)
	transcript, err := formats.Parse("talk.vtt", bytes.NewReader(vtt))
	require.NoError(t, err)
	require.NotEmpty(t, transcript.Utterances)
	require.Regexp(t, regexp.MustCompile(`(?m)^WEBVTT`), string(vtt))
	clip, err := os.ReadFile(filepath.Join(out, "clip.mp4"))
	require.NoError(t, err)
	require.Greater(t, len(clip), 20_000)
	require.Equal(t, "ftyp", string(clip[4:8]))
}
