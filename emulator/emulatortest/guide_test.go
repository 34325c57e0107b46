package emulatortest_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The test of docs/go.md is green in an empty project, which gets this module from the checkout instead of the network.
func TestGuide(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it compiles a project")
	const module = "github.com/soundstage-dev/soundstage"
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "go.md"))
	require.NoError(t, err)
	for _, command := range []string{"go mod init example.com/client", "go get " + module, "go mod tidy", "go test ./..."} {
		require.Contains(t, string(page), "\n"+command+"\n", "this test does what the page says")
	}
	file := regexp.MustCompile("(?s)<!-- file: client_test.go -->\n```go\n(.*?)```\n").FindSubmatch(page)
	require.NotNil(t, file)

	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	// The versions of this module, as go get chooses them.
	mod = bytes.Replace(mod, []byte("module "+module+"\n"), []byte("module example.com/client\n"), 1)
	// In a workspace, this module has no version, so that it shares what other tests compile also with -trimpath.
	work := fmt.Appendf(nil, "go %s\n\nuse (\n\t.\n\t%s\n)\n", regexp.MustCompile(`(?m)^go (.+)$`).FindSubmatch(mod)[1], strconv.Quote(root))
	for name, content := range map[string][]byte{"go.mod": mod, "go.sum": sum, "go.work": work, "client_test.go": file[1]} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	test := exec.Command("go", "test", "-vet=off", "-v", "./...")
	test.Dir = dir
	test.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work")) // with the network: go may read the go.mod files of modules that nothing here compiles
	out, err := test.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, 2, strings.Count(string(out), "--- PASS"), string(out))
}
