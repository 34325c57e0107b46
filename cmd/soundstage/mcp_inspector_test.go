package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// inspect runs the command line of the official inspector, and decodes what it prints.
func inspect(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.Command("node", append([]string{filepath.Join("testdata", "inspector", "node_modules", ".bin", "mcp-inspector"), "--cli"}, args...)...)
	out, err := cmd.Output()
	exit := &exec.ExitError{}
	if failed, ok := err.(*exec.ExitError); ok { //nolint:errorlint // os/exec returns it as it is
		exit = failed
	}
	require.NoError(t, json.Unmarshal(out, into), "%v: %v\n%s\n%s", args, err, out, exit.Stderr)
}

// The official inspector lists and calls the tools of a library over standard input and output, and those of a sandbox over HTTP.
func TestMCPInspector(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts Node and transcribes media")
	needFFmpeg(t)
	_, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("testdata", "inspector", "node_modules"))
	}
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "%v: run `make setup`", err)
		t.Skip("the inspector is not installed: run `make setup`")
	}
	data := filepath.Join(t.TempDir(), "lib")
	lib(t, data, "add", testdata("conversation.wav"))
	server := []string{"-e", "SOUNDSTAGE_TEST_MAIN=1", os.Args[0], "mcp", "library", data}
	type tools struct {
		Tools []struct {
			Name         string
			InputSchema  map[string]any
			OutputSchema map[string]any
			Annotations  map[string]any
		}
	}
	type result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent map[string]any
	}
	var listed tools
	inspect(t, &listed, append(server, "--method", "tools/list")...)
	require.Len(t, listed.Tools, 11)
	for _, tool := range listed.Tools {
		require.NotEmpty(t, tool.OutputSchema, tool.Name)
		require.Contains(t, tool.Annotations, "readOnlyHint", tool.Name)
	}
	var found result
	inspect(t, &found, append(server, "--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=the", "limit=1")...)
	require.Len(t, found.StructuredContent["results"], 1)
	var refused result
	inspect(t, &refused, append(server, "--method", "tools/call", "--tool-name", "quote", "--tool-arg", "recording=1", "text=xylophone")...)
	require.True(t, refused.IsError)
	require.Contains(t, refused.Content[0].Text, "Nobody says that")
	var read struct{ Contents []struct{ Text string } }
	inspect(t, &read, append(server, "--method", "resources/read", "--uri", "soundstage://recordings/1/transcript")...)
	require.Contains(t, read.Contents[0].Text, "Speaker 1: ")

	sandbox := serveProcess(t, nil, "--control-token", "inspected")
	over := []string{sandbox.url + "/_soundstage/mcp", "--transport", "http", "--header", "X-Soundstage-Token: inspected"}
	inspect(t, &listed, append(over, "--method", "tools/list")...)
	require.Greater(t, len(listed.Tools), 20)
	var clock result
	inspect(t, &clock, append(over, "--method", "tools/call", "--tool-name", "get_clock")...)
	require.Equal(t, "auto", clock.StructuredContent["mode"])
}
