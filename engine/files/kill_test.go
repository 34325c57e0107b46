package files_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// childDir is the environment variable with the folder in which the child process writes blobs until it is killed.
const childDir = "SOUNDSTAGE_FILES_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Fprintln(os.Stderr, writeForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// childContent returns the n-th content that the child writes, of various sizes.
func childContent(n int) []byte { return bytes.Repeat([]byte{byte(n)}, n*7919%50_000) }

// writeForever repeatedly writes three blobs, and prints each commit.
func writeForever(dir string) error {
	b, err := files.New(dir, files.Options{Exclusive: true})
	for n := 0; err == nil; n++ {
		var w engine.BlobWriter
		if w, err = b.Create(context.Background(), fmt.Sprintf("folder/%d", n%3), engine.BlobMeta{}); err != nil {
			break
		}
		content := childContent(n)
		if _, err = w.Write(content[:len(content)/2]); err == nil {
			_, err = w.Write(content[len(content)/2:])
		}
		if err == nil {
			_, err = w.Commit()
		}
		fmt.Println(n)
	}
	return err
}

// After a process is killed while writing, all its committed blobs are complete, and the next New removes everything else.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, commits := range []int{1, 2, 5, 10, 20} {
		last := killAfter(t, dir, commits)
		b := open(t, dir, files.Options{Exclusive: true})
		var want []string
		require.NoError(t, b.List(t.Context(), "", func(info engine.BlobInfo) error {
			require.Equal(t, info.SHA256, sha256.Sum256([]byte(load(t, b, info.Key))))
			if len(want) == 0 {
				want = append(want, "folder/")
			}
			want = append(want, info.Key+"@data", info.Key+"@meta")
			return nil
		}))
		require.Equal(t, want, tree(t, dir))
		// At most one commit was made but not printed, with another key.
		require.Equal(t, string(childContent(last)), load(t, b, fmt.Sprintf("folder/%d", last%3)))
	}
}

// killAfter starts a child, kills it after the given number of printed commits, and returns the number of the last one.
func killAfter(t *testing.T, dir string, commits int) (last int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childDir+"="+dir)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	var stderr strings.Builder
	child.Stderr = &stderr
	require.NoError(t, child.Start())
	lines := bufio.NewScanner(out)
	for range commits {
		require.True(t, lines.Scan(), "the child ended: %s", &stderr)
	}
	require.NoError(t, child.Process.Kill())
	_, err = fmt.Sscan(lines.Text(), &last)
	for err == nil && lines.Scan() { // output from before its death
		_, err = fmt.Sscan(lines.Text(), &last)
	}
	require.NoError(t, err)
	_ = child.Wait() // "signal: killed"
	return last
}
