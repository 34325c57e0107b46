package docs_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// docs/scale.md explains each alert of deploy/prometheus-rules.yaml, and no other.
func TestAlerts(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../deploy/prometheus-rules.yaml")
	require.NoError(t, err)
	var want, have []string
	for _, m := range regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(string(raw), -1) {
		want = append(want, m[1])
	}
	text := readPage(t, "docs/scale.md").text
	for _, m := range regexp.MustCompile(`(?m)^\| (Soundstage\w+) \|`).FindAllStringSubmatch(text, -1) {
		have = append(have, m[1])
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, have)
}

// The groups of workers that docs/scale.md lists are those of deploy/kubernetes, and have every class.
func TestGroupsOfWorkers(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../deploy/kubernetes/workers.yaml")
	require.NoError(t, err)
	only := regexp.MustCompile(`--only=([a-z,]+)`)
	text := readPage(t, "docs/scale.md").text
	have := only.FindAllString(text, -1)
	require.Equal(t, only.FindAllString(string(raw), -1), have)
	for class := range queue.DefaultWorkers() {
		require.Regexp(t, `\b`+string(class)+`\b`, have, class)
	}
}
