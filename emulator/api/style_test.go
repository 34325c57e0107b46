package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
)

// The contract lacks nothing that its readers need.
func TestStyle(t *testing.T) {
	t.Parallel()
	require.Empty(t, contract.Style(api.Spec))
}

// Style notices what a document lacks.
func TestStyleNotices(t *testing.T) {
	t.Parallel()
	for from, to := range map[string][2]string{
		"      summary: List the spaces":                                       {"      x-summary: List the spaces", "no summary"},
		"      description: Every list endpoint":                               {"      x-description: Every list endpoint", "no description"},
		"    SpaceRef:\n      description":                                     {"    SpaceRef:\n      x-description", "no description"},
		"      description: ID of the space.":                                  {"      x-description: ID of the space.", "no description"},
		"              example: the bytes of the document":                     {"              x-example: the bytes of the document", "no example of application/pdf"},
		"content_size: { type: integer, format: int64":                         {"content_size: { type: integer", "no format"},
		"        start_ms: { type: [integer, \"null\"], format: int64":         {"        start_ms: { type: [integer, \"null\"]", "no format"},
		"        score: { type: integer":                                       {"        score: { type: [integer, string]", "a union of types"},
		"      oneOf:\n        - { $ref: \"#/components/schemas/TranscriptHit": {"      anyOf:\n        - { $ref: \"#/components/schemas/TranscriptHit", "anyOf"},
		"  - name: Spaces":                                                     {"  - &spaces\n    name: Spaces", "anchors"},
	} {
		bad := strings.Replace(string(api.Spec), from, to[0], 1)
		require.NotEqual(t, string(api.Spec), bad, from)
		require.Contains(t, strings.Join(contract.Style([]byte(bad)), "\n"), to[1], from)
	}
}
