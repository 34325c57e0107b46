package traffic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Secrets are redacted in bodies and queries; everything else stays.
func TestRedactText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"secret":"whsec_c2VjcmV0+/=="}`:                   `{"secret":"whsec_***"}`,
		`{"upload_url":"http://h/o?exp=1&sig=aA-_9","b":1}`: `{"upload_url":"http://h/o?exp=1&sig=***","b":1}`,
		`{"u":"http://h/o?exp=1\u0026sig=aA\u0026b=2"}`:     `{"u":"http://h/o?exp=1\u0026sig=***\u0026b=2"}`,
		`https://h/a?API_KEY=k1&b=2`:                        `https://h/a?API_KEY=***&b=2`,
		`to=http%3A%2F%2Fh%3Fapi_key%3Dk1&c=1`:              `to=http%3A%2F%2Fh%3Fapi_key%3D***&c=1`,
		`sig=abc&a=b`:                                       `sig=***&a=b`,
		`a=b&api_key=abc`:                                   `a=b&api_key=***`,
		`design=new and a whsec`:                            `design=new and a whsec`,
	} {
		require.Equal(t, want, string(redactText([]byte(text))))
		require.Equal(t, want, redactQuery(text))
	}
}

// Bodies of exchanges are redacted when they are read.
func TestEntryBodiesAreRedacted(t *testing.T) {
	t.Parallel()
	e := &Entry{requestHeader: map[string][]string{"X-Api-Key": {"k1"}}}
	e.RequestBody.Data, e.ResponseBody.Data = []byte("url=https://h/?api_key=k1"), []byte(`{"secret":"whsec_k1"}`)
	raw, err := e.redact().MarshalJSON()
	require.NoError(t, err)
	require.NotContains(t, string(raw), "k1")
}
