package datafolder_test

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/datafolder"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var (
	flips = flag.Int("flips", 20, "number of bits that TestFlippedBits flips")
	seed  = flag.Uint64("seed", 1, "seed of TestFlippedBits")
)

// target is a bit to flip.
type target struct {
	path string // in the folder
	bit  int
}

// choose returns a bit: of the database in three of five cases, else of a stored file or its record. It is in a byte that isn't 0, since
// most zeros of a small database are free space.
func choose(t *testing.T, r *rand.Rand, dir string) target {
	t.Helper()
	var stored []string
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "blobs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			stored = append(stored, path)
		}
		return err
	}))
	path := filepath.Join(dir, "soundstage.db")
	if r.IntN(5) > 2 {
		path = stored[r.IntN(len(stored))]
	}
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	at := r.IntN(len(b))
	for b[at] == 0 {
		at = r.IntN(len(b))
	}
	relative, err := filepath.Rel(dir, path)
	require.NoError(t, err)
	return target{relative, at*8 + r.IntN(8)}
}

// start starts a server on the folder, or returns the error.
func (f folder) start(t *testing.T) (*emulator.Server, error) {
	t.Helper()
	return emulator.New(t.Context(), emulator.Options{Addr: "127.0.0.1:0", DataDir: f.dir})
}

// A flipped bit in a data folder is found when the server starts, by the request that needs it, or by verify, or every answer stays the
// same. No answer is wrong.
//
//	go test ./emulator/datafolder -run TestFlippedBits -flips 200 -v
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts 20 servers")
	needFFmpeg(t)
	whole := newFolder(t)
	s, err := whole.start(t)
	require.NoError(t, err)
	want := whole.answers(t, s.URL())
	require.NoError(t, s.Close())
	for name, a := range want {
		require.Contains(t, []int{200, 206}, a.status, "%s: %s", name, a.body)
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	outcomes := map[string]int{}
	for range *flips {
		f := whole.clone(t)
		at := choose(t, r, f.dir)
		flip(t, filepath.Join(f.dir, at.path), at.bit)
		outcome := f.outcome(t, want, at)
		outcomes[outcome]++
		require.NoError(t, os.RemoveAll(f.dir))
	}
	t.Logf("%d flips: %v", *flips, outcomes)
	require.Less(t, outcomes["harmless"], *flips/2)
}

// outcome returns who finds a flipped bit. It fails the test for a wrong answer.
func (f folder) outcome(t *testing.T, want map[string]answer, at target) string {
	t.Helper()
	s, err := f.start(t)
	if err != nil {
		require.NotEqual(t, engine.CodeInternal, engine.CodeOf(err), "%v: %v", at, err)
		return "found at the start"
	}
	got := f.answers(t, s.URL())
	failed := 0
	for name, a := range want {
		if got[name] == a {
			continue
		}
		failed++
		require.True(t, got[name].status >= 500 || got[name].status == 0, "%v: %s is wrong: %d %s", at, name, got[name].status, got[name].body)
	}
	health := get(t, s.URL()+"/_soundstage/health")
	require.NoError(t, s.Close())
	if failed > 0 {
		require.Equal(t, 503, health.status, "%v: %s", at, health.body)
		return "found by a request"
	}
	report, err := datafolder.Verify(t.Context(), f.dir)
	require.NoError(t, err)
	switch {
	case !report.OK:
		return "found by verify"
	case strings.HasPrefix(at.path, "blobs") && !strings.HasSuffix(at.path, "@meta"):
		t.Fatalf("%v was not found", at) // every bit of a stored file matters
	}
	return "harmless"
}
