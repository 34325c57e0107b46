package backend_test

import (
	"encoding/json"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backend"
)

var decodeCases = []struct {
	name, in string
	want     string // in JSON; "" for an error
}{
	{"JSON", `{"a":[1,"x",null,true]}`, `{"a":[1,"x",null,true]}`},
	{"a byte order mark", "\xef\xbb\xbf{\"a\":1}", `{"a":1}`},
	{"NaN and infinities", `[NaN, -NaN,Infinity,-Infinity , 1]`, `[null,null,null,null,1]`},
	{"NaN within strings", `{"a":"NaN","b":NaN,"c":"\"NaN","NaN":-Infinity}`, `{"NaN":null,"a":"NaN","b":null,"c":"\"NaN"}`},
	{"a string that ends in a backslash", `["\\",NaN]`, `["\\",null]`},
	{"invalid UTF-8", "[\"a\xffb\"]", `["a` + "\uFFFD" + `b"]`},
	{"a byte order mark and NaN", "\xef\xbb\xbfNaN", `null`},
	{"a word that begins with NaN", `[NaNa]`, ``},
	{"half of NaN", `[Na]`, ``},
	{"nothing", ``, ``},
	{"space", ` `, ``},
	{"trailing data", `{} {}`, ``},
	{"a page", `<html>NaN</html>`, ``},
	{"cut off", `{"a":[1`, ``},
	{"cut off in a string with a backslash", `{"a":NaN,"\`, ``},
}

// Decode reads JSON with NaN and infinities as null. Anything else is an error.
func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range decodeCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var v any
			err := backend.Decode([]byte(c.in), &v)
			if c.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			got, err := json.Marshal(v)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
	t.Run("a field of another type leaves the rest", func(t *testing.T) {
		t.Parallel()
		var v struct{ A, B float64 }
		require.NoError(t, backend.Decode([]byte(`{"a":NaN,"b":2,"c":{}}`), &v))
		require.Equal(t, 2.0, v.B)
		require.Zero(t, v.A)
	})
}

// Decode never panics, reads valid JSON like encoding/json, and never returns NaN.
func FuzzDecode(f *testing.F) {
	for _, c := range decodeCases {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, want any
		err := backend.Decode(b, &got)
		if json.Unmarshal(b, &want) == nil {
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		if err == nil {
			_, err = json.Marshal(got) // Marshal refuses NaN
			require.NoError(t, err)
		}
		var typed struct {
			Words []struct{ Start, End float64 }
		}
		if backend.Decode(b, &typed) == nil {
			for _, w := range typed.Words {
				require.False(t, math.IsNaN(w.Start+w.End))
			}
		}
	})
}

var retryAfterCases = []struct {
	seconds, ms string
	want        time.Duration
}{
	{"", "", 0},
	{"3", "", 3 * time.Second},
	{" 3 ", "", 3 * time.Second},
	{"0", "", 0},
	{"-3", "", 0},
	{"1.5", "", 1500 * time.Millisecond},
	{"3601", "", time.Hour},
	{"1e300", "", time.Hour},
	{"Inf", "", time.Hour},
	{"NaN", "NaN", 0},
	{"3", "1500", 1500 * time.Millisecond},
	{"3", "soon", 3 * time.Second},
	{"3", "-1", 3 * time.Second},
	{"", "9e99", time.Hour},
	{"Sun, 01 Mar 2026 12:00:30 GMT", "", 30 * time.Second},
	{"Sunday, 01-Mar-26 12:00:30 GMT", "", 30 * time.Second},
	{"Sun Mar  1 12:00:30 2026", "", 30 * time.Second},
	{"Sun, 01 Mar 2026 11:59:30 GMT", "", 0},
	{"Fri, 01 Mar 2999 12:00:00 GMT", "", time.Hour},
	{"tomorrow", "", 0},
}

func headerOf(seconds, ms string) http.Header {
	h := http.Header{}
	h.Set("Retry-After", seconds)
	h.Set("Retry-After-Ms", ms)
	return h
}

// retryAfter parses seconds, milliseconds, and dates. It limits them to an hour, and returns 0 for invalid values.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, c := range retryAfterCases {
		require.Equal(t, c.want, backend.RetryAfter(headerOf(c.seconds, c.ms), now), c)
	}
}

// retryAfter always returns a wait between 0 and an hour.
func FuzzRetryAfter(f *testing.F) {
	for _, c := range retryAfterCases {
		f.Add(c.seconds, c.ms)
	}
	f.Fuzz(func(t *testing.T, seconds, ms string) {
		d := backend.RetryAfter(headerOf(seconds, ms), now)
		require.GreaterOrEqual(t, d, time.Duration(0))
		require.LessOrEqual(t, d, time.Hour)
	})
}
