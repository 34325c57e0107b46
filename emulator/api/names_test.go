package api_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The name of an assigned speaker is in every export and in translated exports, but the labels in JSON stay. Unassigning the speaker removes
// the name.
func TestAssignedNamesReachExports(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it writes every export")
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	in := r.populate()
	base := "/v1/recordings/" + in["recording"]
	plain := map[string][]byte{}
	formats := []string{"txt", "vtt", "srt", "csv", "pdf", "docx"}
	for _, f := range formats {
		plain[f] = r.do("GET", base+"/transcript?format="+f, nil).body
	}
	pair := map[string]any{"label": "Speaker 0", "speaker_id": in["speaker"]}
	r.do("POST", base+"/speakers/assign", pair).want(200)
	for _, f := range formats {
		for _, language := range []string{"", "&language=de"} {
			a := r.do("GET", base+"/transcript?format="+f+language, nil)
			require.Equal(t, 200, a.status)
			if f == "pdf" { // PDF text is compressed and encoded with embedded fonts
				require.NotEqual(t, plain[f], a.body)
				continue
			}
			require.NotContains(t, readable(t, f, plain[f]), "Ann", f)
			require.Contains(t, readable(t, f, a.body), "Ann", f+language)
		}
	}
	json := r.do("GET", base+"/transcript", nil).want(200)
	require.Equal(t, "Speaker 0", json["utterances"].([]any)[0].(map[string]any)["speaker"])
	r.do("POST", base+"/speakers/unassign", pair).want(200)
	for _, f := range []string{"txt", "pdf"} {
		require.Equal(t, plain[f], r.do("GET", base+"/transcript?format="+f, nil).body, f)
	}
}

// readable returns the text of an export; for docx, its main part.
func readable(t *testing.T, format string, body []byte) string {
	t.Helper()
	if format != "docx" {
		return string(body)
	}
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	require.NoError(t, err)
	part, err := z.Open("word/document.xml")
	require.NoError(t, err)
	defer func() { require.NoError(t, part.Close()) }()
	text, err := io.ReadAll(part)
	require.NoError(t, err)
	return string(text)
}

// A null in a list of strings is a wrong type, not a missing resource.
func TestNullAmongStrings(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	require.Contains(t, r.do("POST", "/v1/chat", `{"message":"?","recording_ids":[null]}`).wantError(400), "recording_ids must be a list of strings")
}
