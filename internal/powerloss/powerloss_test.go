package powerloss_test

import (
	"encoding/hex"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/powerloss"
)

// hexadecimal replaces each text and path of a log by what strace -xx writes.
func hexadecimal(log string) string {
	return regexp.MustCompile(`(["<])([^">.]?[^">]*)([">])`).ReplaceAllStringFunc(log, func(m string) string {
		if strings.HasPrefix(m, "<unfinished") || strings.HasPrefix(m, "<...") {
			return m
		}
		text := hex.EncodeToString([]byte(m[1 : len(m)-1]))
		return m[:1] + regexp.MustCompile(`..`).ReplaceAllString(text, `\x$0`) + m[len(m)-1:]
	})
}

// parse parses a log in which each line lacks its time.
func parse(t *testing.T, log string) (*powerloss.Trace, error) {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(log), "\n") {
		thread, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		lines = append(lines, thread+" 1000.000000 "+hexadecimal(rest))
	}
	path := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return powerloss.Parse(path, "/r", func(path string) bool { return strings.HasPrefix(path, "tmp") })
}

// crash returns the files that are left at a moment, by path, and the folders with a final slash.
func crash(t *testing.T, trace *powerloss.Trace, at int, o powerloss.Options) map[string]string {
	t.Helper()
	dir, left := t.TempDir(), map[string]string{}
	require.NoError(t, trace.Crash(dir, at, o))
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			left[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		left[name] = string(text)
		return err
	}))
	return left
}

const create = `1 openat(AT_FDCWD</>, "/r/a", O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC, 0600) = 3</r/a>
	1 write(3</r/a>, "one", 3) = 3
	`

// A new file needs a sync of its bytes and of its name. What was written after a sync, or while it ran, is not durable.
func TestCrash(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		log  string
		want map[string]string
	}{
		"nothing synced": {create, map[string]string{}},
		"only its bytes": {create + `1 fsync(3</r/a>) = 0`, map[string]string{}},
		"only its name":  {create + `1 fsync(4</r>) = 0`, map[string]string{"a": ""}},
		"opened by path": {strings.Replace(create, "openat(AT_FDCWD</>, ", "open(", 1) + "1 fsync(3</r/a>) = 0\n1 fsync(4</r>) = 0", map[string]string{"a": "one"}},
		"both":           {create + "1 fdatasync(3</r/a>) = 0\n1 fsync(4</r>) = 0", map[string]string{"a": "one"}},
		"written later": {create + "1 fsync(3</r/a>) = 0\n1 fsync(4</r>) = 0\n1 write(3</r/a>, \"two\", 3) = 3",
			map[string]string{"a": "one"}},
		"written during the sync": {create + "1 fsync(4</r>) = 0\n1 fsync(3</r/a> <unfinished ...>\n2 pwrite64(3</r/a>, \"X\", 1, 0) = 1\n1 <... fsync resumed>) = 0",
			map[string]string{"a": "one"}},
		"the sync still runs": {create + "1 fsync(4</r>) = 0\n1 fsync(3</r/a> <unfinished ...>", map[string]string{"a": ""}},
		"the sync failed":     {create + "1 fsync(4</r>) = 0\n1 fsync(3</r/a>) = -1 EIO (Input/output error)", map[string]string{"a": ""}},
		"truncated":           {create + "1 fsync(4</r>) = 0\n1 ftruncate(3</r/a>, 5) = 0\n1 fsync(3</r/a>) = 0", map[string]string{"a": "one\x00\x00"}},
		"renamed": {create + "1 fsync(3</r/a>) = 0\n1 fsync(4</r>) = 0\n1 renameat(AT_FDCWD</>, \"/r/a\", AT_FDCWD</>, \"/r/b\") = 0",
			map[string]string{"a": "one"}},
		"renamed and synced": {create + "1 fsync(3</r/a>) = 0\n1 renameat(AT_FDCWD</>, \"/r/a\", AT_FDCWD</>, \"/r/b\") = 0\n1 fsync(4</r>) = 0",
			map[string]string{"b": "one"}},
		"deleted": {create + "1 fsync(3</r/a>) = 0\n1 fsync(4</r>) = 0\n1 unlinkat(AT_FDCWD</>, \"/r/a\", 0) = 0\n1 fsync(4</r>) = 0", map[string]string{}},
		"a folder whose name is not durable": {`1 mkdirat(AT_FDCWD</>, "/r/d", 0700) = 0
			1 openat(AT_FDCWD</>, "/r/d/a", O_WRONLY|O_CREAT, 0600) = 3</r/d/a>
			1 fsync(3</r/d/a>) = 0
			1 fsync(4</r/d>) = 0`, map[string]string{}},
		"a durable folder": {`1 mkdirat(AT_FDCWD</>, "/r/d", 0700) = 0
			1 fsync(4</r>) = 0`, map[string]string{"d/": ""}},
		"other folders": {`1 openat(AT_FDCWD</>, "/elsewhere", O_WRONLY|O_CREAT, 0600) = 3</elsewhere>
			1 mkdirat(AT_FDCWD</>, "/r/tmp", 0700) = 0
			1 fsync(4</r>) = 0`, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trace, err := parse(t, c.log)
			require.NoError(t, err)
			require.Equal(t, c.want, crash(t, trace, trace.Len(), powerloss.Options{}))
		})
	}
}

// With Random, each write that is not durable survives in some cases, and what is durable always survives.
func TestRandomSurvivors(t *testing.T) {
	t.Parallel()
	trace, err := parse(t, create+"1 fsync(3</r/a>) = 0\n1 fsync(4</r>) = 0\n1 write(3</r/a>, \"two\", 3) = 3\n"+
		`1 openat(AT_FDCWD</>, "/r/b", O_WRONLY|O_CREAT, 0600) = 5</r/b>`)
	require.NoError(t, err)
	random, seen := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
	for range 100 {
		left := crash(t, trace, trace.Len(), powerloss.Options{Random: random})
		require.True(t, strings.HasPrefix(left["a"], "one"), left)
		_, b := left["b"]
		seen[left["a"]], seen["b"] = true, seen["b"] || b
	}
	require.Equal(t, map[string]bool{"one": true, "onetwo": true, "b": true}, seen)
}

// A call that can't be repeated is an error, not a silent difference.
func TestUnsupportedCalls(t *testing.T) {
	t.Parallel()
	for _, log := range []string{
		create + "1 fallocate(3</r/a>, 0, 0, 100) = 0",
		create + "1 copy_file_range(7</x>, NULL, 3</r/a>, NULL, 9, 0) = 9",
		create + "1 renameat(AT_FDCWD</>, \"/r/a\", AT_FDCWD</>, \"/x\") = 0",
		"1 write(3</r/unknown>, \"a\", 1) = 1",
	} {
		trace, err := parse(t, log)
		require.NoError(t, err)
		require.Error(t, trace.Crash(t.TempDir(), trace.Len(), powerloss.Options{}), log)
	}
	_, err := parse(t, "no call")
	require.Error(t, err)
}
