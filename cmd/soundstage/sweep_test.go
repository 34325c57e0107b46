package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// sweep lists what nothing needs, once it is old enough. It removes it only with --remove.
func TestSweepCommand(t *testing.T) {
	t.Parallel()
	at := nodeFiles(t)
	all := []string{"renders/done/1.mp4", "renders/done/2.mp4", "renders/nobody/1.mp4"}
	folder := strings.TrimPrefix(at.Replace("OBJ"), "file:")
	blobs, err := files.New(folder, files.Options{})
	require.NoError(t, err)
	for _, key := range all {
		w, err := blobs.Create(t.Context(), key, engine.BlobMeta{})
		require.NoError(t, err)
		_, err = w.Write([]byte("video"))
		require.NoError(t, err)
		_, err = w.Commit()
		require.NoError(t, err)
	}
	store, err := sqlite.Open(t.Context(), strings.TrimPrefix(at.Replace("DB"), "sqlite:"))
	require.NoError(t, err)
	require.NoError(t, store.Update(t.Context(), func(tx engine.Tx) error {
		return tx.PutRender(engine.Render{ID: "done", Status: engine.RenderCompleted, BlobKey: "renders/done/2.mp4"})
	}))
	require.NoError(t, store.Close())
	run := func(args string) (out, errOut string) {
		code, out, errOut := cli(t, strings.Fields(at.Replace("sweep --database DB --objects OBJ "+args))...)
		require.Zero(t, code, errOut)
		return out, errOut
	}
	out, errOut := run("--remove")
	require.Empty(t, out)
	require.Equal(t, "Removed blobs: 0, with 0 bytes. Removed leftovers of dead writers: 0.\n", errOut)

	stored := time.Now().Add(-48 * time.Hour)
	for _, key := range all {
		record, fields := filepath.Join(folder, key+"@meta"), map[string]any{}
		text, err := os.ReadFile(record)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &fields))
		fields["stored"], fields["check"] = stored, "" // as in old records, which have no checksum
		text, err = json.Marshal(fields)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(record, text, 0o600))
	}
	line := stored.UTC().Format(time.RFC3339) + "             5 renders/done/1.mp4\n"
	const noRow = "Blobs without a row, which stay: 1.\n"
	for range 2 {
		out, errOut = run("")
		require.Equal(t, line, out)
		require.Equal(t, "Blobs that nothing needs: 1, with 5 bytes. Nothing was removed.\n"+noRow+"Set --remove to remove what nothing needs.\n", errOut)
	}
	out, _ = run("--older-than 50h")
	require.Empty(t, out)
	out, errOut = run("--remove")
	require.Equal(t, line, out)
	require.Equal(t, "Removed blobs: 1, with 5 bytes. Removed leftovers of dead writers: 0.\n"+noRow, errOut)
	out, errOut = run("")
	require.Empty(t, out)
	require.Equal(t, "Blobs that nothing needs: 0, with 0 bytes. Nothing was removed.\n"+noRow, errOut)
	for key, want := range map[string]engine.Code{"renders/done/1.mp4": engine.CodeNotFound, "renders/done/2.mp4": "", "renders/nobody/1.mp4": ""} {
		_, err := blobs.Stat(t.Context(), key)
		require.Equal(t, want, engine.CodeOf(err), key)
	}
}
