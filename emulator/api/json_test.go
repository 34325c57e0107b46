package api

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

var bodies = []string{
	`{}`, `{"s":"x","n":3,"b":true,"l":["a"]}`, `{"s":null,"n":null}`, `{"n":3.0}`, `{"n":3e2}`, `{"n":9223372036854775807}`, `{"n":1e400}`,
	`{"s":7,"n":"x","b":1,"l":"x"}`, `[]`, `{"a":1,"a":2}`, `{"\ud800":1}`, `{"s":"\u0000"}`, "", "{", "null", `{"l":[null]}`,
}

// A whole number is accepted in every JSON notation.
func TestBodyIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"3": 3, "3.0": 3, "3e2": 300, "-1": -1, "9223372036854775807": 9223372036854775807, "0": 0} {
		b, err := readBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(`{"n":`+text+`}`)))
		require.NoError(t, err)
		require.Equal(t, want, b.int("n"), text)
		require.NoError(t, b.first)
	}
	for _, text := range []string{"1.5", "1e400", `"1"`, "true", "[1]", "99999999999999999999"} {
		b, err := readBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(`{"n":`+text+`}`)))
		require.NoError(t, err)
		b.int("n")
		require.EqualError(t, b.first.(*engine.Error).WithHint("").Because(nil), "readBody: n must be a whole number.", text) //nolint:errorlint // the field has no wrapped errors
	}
}

// Any request body is parsed or rejected with one sentence, without a panic.
func FuzzBody(f *testing.F) {
	for _, b := range bodies {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := readBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(string(raw))))
		if err != nil {
			require.Contains(t, []engine.Code{engine.CodeInvalid, engine.CodeTooLarge}, engine.CodeOf(err))
			require.NotEmpty(t, engine.Message(err))
			return
		}
		b.string("s")
		b.int("n")
		b.bool("b")
		b.strings("l")
		if b.first != nil {
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(b.first))
			require.NotEmpty(t, b.wrong)
		}
	})
}
