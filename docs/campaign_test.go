package docs_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of docs/security.md has the rows of .ci/campaign, with the commands of their long forms.
func TestCampaignRows(t *testing.T) {
	t.Parallel()
	list := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^(\w+) +\| (.*?)\s*\+(.*)$`).FindAllStringSubmatch(readPage(t, ".ci/campaign").text, -1) {
		long := regexp.MustCompile(` -timeout \w+`).ReplaceAllString(row[3], "")
		list[row[1]] = strings.TrimSpace("go test " + row[2] + long)
	}
	require.Greater(t, len(list), 10)
	table := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `(go test [^`]*)` \\|").FindAllStringSubmatch(readPage(t, "docs/security.md").text, -1) {
		table[row[1]] = strings.ReplaceAll(row[2], "'", "")
	}
	require.Equal(t, list, table)
}
