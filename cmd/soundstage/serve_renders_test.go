package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The style and the target of renders stay in a data folder: those of flags, and those of the control API, as soon as it has answered. A flag
// replaces only what it sets. A damaged file is an error that says what to do.
func TestServeKeepsRenderDefaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	requireDefaults := func(p *process, style, target string, colour any) {
		t.Helper()
		status, d := p.call("GET", "/_soundstage/renders/defaults", "", nil)
		require.Equal(t, 200, status)
		require.Equal(t, []any{style, target}, []any{d["style"], d["target"]})
		if colour == nil {
			require.Nil(t, d["look"])
			return
		}
		require.Equal(t, colour, d["look"].(map[string]any)["text"].(map[string]any)["colour"])
	}
	p := serveProcess(t, nil, "--data", dir, "--style", "bold-pop", "--for", "tiktok")
	requireDefaults(p, "bold-pop", "tiktok", nil)
	require.NoError(t, p.signal(syscall.SIGTERM))

	p = serveProcess(t, nil, "--data", dir)
	requireDefaults(p, "bold-pop", "tiktok", nil)
	status, _ := p.call("PUT", "/_soundstage/renders/defaults", "", map[string]any{"look": map[string]any{"text": map[string]any{"colour": "#102030"}}})
	require.Equal(t, 200, status)
	require.Error(t, p.signal(syscall.SIGKILL))

	p = serveProcess(t, nil, "--data", dir, "--for", "web")
	requireDefaults(p, "", "web", "#102030")
	status, _ = p.call("PUT", "/_soundstage/renders/defaults", "", map[string]any{"look": nil, "style": "", "target": ""})
	require.Equal(t, 200, status)
	require.NoError(t, p.signal(syscall.SIGTERM))

	path := filepath.Join(dir, "renders.json")
	for _, damaged := range []string{`{`, `{"style":"bold-poop"}`, `{"look":{"font":{"size":"large"}}}`, ``} {
		require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
		code, _, errOut := cli(t, "serve", "--addr", "127.0.0.1:0", "--data", dir)
		require.Equal(t, 5, code, errOut)
		require.Contains(t, errOut, "renders.json can't be read")
		require.Contains(t, errOut, "delete it")
	}
	require.NoError(t, os.Remove(path))
	p = serveProcess(t, nil, "--data", dir)
	requireDefaults(p, "", "", nil)
	require.NoFileExists(t, path)
	require.NoError(t, p.signal(syscall.SIGTERM))
}
