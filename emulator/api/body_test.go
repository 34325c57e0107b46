package api

import (
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// bodyOf reads a request body.
func bodyOf(text string) (*body, error) {
	return readBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader(text)))
}

// A body is one JSON object without duplicate fields, of at most 32 levels and 1 MiB.
func TestBodyRules(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1) }
	lists := func(n int) string { return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}" }
	sized := func(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }
	for _, text := range []string{
		`{}`, ` {"a":1} `, `{"a":{"a":1},"b":{"a":1}}`, `{"a":[{"b":1},{"b":1}],"c":["a","a"]}`, `{"a":"a","b":"a"}`, `{"a":[],"b":{},"c":3}`,
		nested(maxDepth), lists(maxDepth), sized(maxJSON),
	} {
		_, err := bodyOf(text)
		require.NoError(t, err, "%.60s", text)
	}
	for text, want := range map[string]string{
		"":                            "The request body is empty; it must be a JSON object.",
		" ":                           "The request body is empty; it must be a JSON object.",
		"[]":                          "The request body must be a JSON object.",
		`"a"`:                         "The request body must be a JSON object.",
		"null":                        "The request body must be a JSON object.",
		"{":                           "The request body is not valid JSON.",
		`{"a"}`:                       "The request body is not valid JSON.",
		`{"a":1,}`:                    "The request body is not valid JSON.",
		`{"a":1}{}`:                   "The request body has unexpected data after the JSON object.",
		`{"a":1} x`:                   "The request body has unexpected data after the JSON object.",
		`{"a":1,"a":2}`:               "The request body has a duplicate field.",
		`{"a":{"b":1,"b":2}}`:         "The request body has a duplicate field.",
		`{"a":[{"b":1,"c":2,"b":3}]}`: "The request body has a duplicate field.",
		`{"a":{},"b":[1],"a":2}`:      "The request body has a duplicate field.",
		"{\"a\":\"\xff\"}":            "The request body is not valid UTF-8.",
		nested(maxDepth + 1):          "The request body is nested too deeply.",
		lists(maxDepth + 1):           "The request body is nested too deeply.",
		sized(maxJSON + 1):            "The request body is larger than 1 MiB.",
	} {
		_, err := bodyOf(text)
		require.Equal(t, want, engine.Message(err), "%.60s", text)
		code := engine.CodeInvalid
		if strings.Contains(want, "MiB") {
			code = engine.CodeTooLarge
		}
		require.Equal(t, code, engine.CodeOf(err), "%.60s", text)
	}
}

// The error of a compressed body says why it isn't read.
func TestBodyCompressed(t *testing.T) {
	t.Parallel()
	for coding, hint := range map[string]string{"": "", "gzip": `Send it uncompressed: it has Content-Encoding: "gzip".`} {
		req := httptest.NewRequest("POST", "/", strings.NewReader("\x1f\x8b\b"))
		req.Header.Set("Content-Encoding", coding)
		_, err := readBody(httptest.NewRecorder(), req)
		require.Equal(t, "The request body is not valid UTF-8.", engine.Message(err))
		failed, _ := errors.AsType[*engine.Error](err)
		require.Equal(t, hint, failed.Hint)
	}
}

// A field that is null counts as absent, except for a change, which clears it. The first field of a wrong type is the error.
func TestBodyFields(t *testing.T) {
	t.Parallel()
	b, err := bodyOf(`{"s":"x","null":null,"n":7,"t":true,"l":["a","b"],"none":[],"hole":["a",null]}`)
	require.NoError(t, err)
	require.Equal(t, []any{"x", "", ""}, []any{b.string("s"), b.string("null"), b.string("absent")})
	require.Equal(t, []any{int64(7), int64(0), int64(0)}, []any{b.int("n"), b.int("null"), b.int("absent")})
	require.Equal(t, []any{true, false, false}, []any{b.bool("t"), b.bool("null"), b.bool("absent")})
	require.Equal(t, []string{"a", "b"}, b.strings("l"))
	require.Equal(t, []string{}, b.strings("none"))
	require.Nil(t, b.strings("null"))
	require.Equal(t, []bool{true, false, false}, []bool{b.has("s"), b.has("null"), b.has("absent")})
	require.Equal(t, "x", *b.change("s"))
	require.Empty(t, *b.change("null"))
	require.Nil(t, b.change("absent"))
	require.NoError(t, b.first)
	require.Empty(t, b.wrong)

	b.bool("n")
	b.strings("hole")
	require.Equal(t, "n must be true or false.", engine.Message(b.first))
	require.Len(t, b.wrong, 2)
}

// A whole number beyond 2^53 is accepted only when it is written out.
func TestLargeIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"9007199254740992.0": 1 << 53, "-9007199254740992.0": -1 << 53, "9007199254740993": 1<<53 + 1, "1e3": 1000} {
		b, err := bodyOf(`{"n":` + text + `}`)
		require.NoError(t, err)
		require.Equal(t, want, b.int("n"), text)
		require.NoError(t, b.first, text)
	}
	for _, text := range []string{"9007199254740994.0", "-9007199254740994.0", "0.5"} {
		b, err := bodyOf(`{"n":` + text + `}`)
		require.NoError(t, err)
		require.Zero(t, b.int("n"), text)
		require.Error(t, b.first, text)
	}
}

// Each ignored name gets a warning, in order, up to eight, each cut to 64 bytes.
func TestWarningHeaders(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 1, 8: 8, 9: 9, 20: 9} {
		w := httptest.NewRecorder()
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("%02d", n-i-1))
		}
		warn(w, "unknown field", names)
		got := w.Header().Values(warningHeader)
		require.Len(t, got, want)
		if n > 0 {
			require.Equal(t, `unknown field "00" was ignored`, got[0])
		}
		if n > 8 {
			require.Equal(t, fmt.Sprint(n-8, " more were ignored"), got[8])
		}
	}
	w := httptest.NewRecorder()
	warn(w, "unknown field", []string{strings.Repeat("é", 33)})
	require.Equal(t, `unknown field "`+strings.Repeat(`\u00e9`, 32)+`" was ignored`, w.Header().Get(warningHeader))

	for _, c := range []struct {
		method, target, body string
		want                 []string
	}{
		{"GET", "/v1/recordings?limit=1&b=2&a=1", "", []string{`unknown query parameter "a" was ignored`, `unknown query parameter "b" was ignored`}},
		{"GET", "/v1/recordings", "{}", []string{"the request body was ignored"}},
		{"GET", "/v1/recordings?cursor=x", "", nil},
		{"POST", "/v1/uploads", "{}", nil},
		{"GET", "/v1/nothing?a=1", "{}", nil},
	} {
		w := httptest.NewRecorder()
		warnOfQuery(w, httptest.NewRequest(c.method, c.target, strings.NewReader(c.body)))
		require.Equal(t, c.want, w.Header().Values(warningHeader), c.target)
	}
}

// limit is a plain number of digits; a larger one is clamped, however long it is.
func TestLimitOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"1": 1, "99": 99, "100": 100, "101": 100, "007": 7, "99999999999999999999999": 100, "9223372036854775807": 100} {
		got, err := limitOf(url.Values{"limit": {text}}, 100)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "-1", "+1", "1.0", "x", " 1", "0x1"} {
		_, err := limitOf(url.Values{"limit": {text}}, 100)
		require.Equal(t, "limit must be a number from 1 to 100.", engine.Message(err), text)
	}
	got, err := limitOf(url.Values{}, 100)
	require.NoError(t, err)
	require.Zero(t, got)
}

// A document is named after its title without the extension of a media file.
func TestDocumentTitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"talk.mp3": "talk", "talk.MP3": "talk", "talk.v2.wav": "talk.v2", "talk": "talk", ".mp3": ".mp3", "talk.txt": "talk.txt", "Vol. 2": "Vol. 2", "": "",
	} {
		require.Equal(t, want, documentTitle(title), title)
	}
}

// A body that can't be read is invalid; one that arrives too slowly is a timeout.
func TestBodyReadErrors(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]engine.Code{io.ErrUnexpectedEOF: engine.CodeInvalid, os.ErrDeadlineExceeded: engine.CodeCanceled} {
		_, err := readBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", iotest.ErrReader(cause)))
		require.Equal(t, want, engine.CodeOf(err), cause)
	}
}
