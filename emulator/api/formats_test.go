package api_test

import (
	"mime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/formats"
)

// The contract lists exactly the existing formats, in order, each with its media type.
func TestContractHasEveryFormat(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	op := c.Doc.Paths.Value("/v1/recordings/{id}/transcript").Get
	var names, types []any
	for _, f := range formats.Standard() {
		mediaType, _, err := mime.ParseMediaType(f.ContentType)
		require.NoError(t, err, f.Name)
		names, types = append(names, f.Name), append(types, mediaType)
	}
	require.Equal(t, names, op.Parameters.GetByInAndName("query", "format").Schema.Value.Enum,
		"openapi.yaml, getRecordingTranscript: the enum of format must equal formats.Standard (formats/format.go)")
	content := op.Responses.Value("200").Value.Content
	for i, mediaType := range types {
		require.Contains(t, content, mediaType, "openapi.yaml, getRecordingTranscript: its 200 must have content with the media type of %s", names[i])
	}
	require.Len(t, content, len(types), "openapi.yaml, getRecordingTranscript: its 200 has a media type without a format")
}
