package emulatortest_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
)

func TestSpaces(t *testing.T) {
	sandbox := emulatortest.New(t) // a server of the test's own, gone at its end
	resp, err := sandbox.Client().Get(sandbox.URL + "/v1/spaces")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
}

// The README's test is the one above.
func TestReadmeTest(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(readme), "```go\nfunc TestSpaces")
	require.True(t, ok)
	shown, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	here, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	require.Contains(t, string(here), "\nfunc TestSpaces"+shown)
}
