package s3_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
)

// addresses has valid addresses with what they mean, and invalid ones with a word of their error.
var addresses = []struct {
	address string
	want    s3.Address
	words   string
}{
	{"s3://media?endpoint=https://s3.example.com&region=eu-1", s3.Address{Bucket: "media", Endpoint: "s3.example.com", Secure: true, Region: "eu-1"}, ""},
	{"s3://media/a/b/?endpoint=http://127.0.0.1:9000/&path-style=true", s3.Address{Bucket: "media", Prefix: "a/b/", Endpoint: "127.0.0.1:9000", Region: "us-east-1", PathStyle: "true"}, ""},
	{"s3://media?region=eu-west-1", s3.Address{Bucket: "media", Endpoint: "s3.eu-west-1.amazonaws.com", Secure: true, Region: "eu-west-1"}, ""},
	{"s3://media?endpoint=http://%5B::1%5D:9000&path-style=false", s3.Address{Bucket: "media", Endpoint: "[::1]:9000", Region: "us-east-1", PathStyle: "false"}, ""},
	{"", s3.Address{}, "must begin with s3://"},
	{"https://media", s3.Address{}, "must begin with s3://"},
	{"s3:media", s3.Address{}, "must begin with s3://"},
	{"s3://media", s3.Address{}, "needs an endpoint"},
	{"s3://?region=a", s3.Address{}, "name of a bucket"},
	{"s3://a?region=a", s3.Address{}, "name of a bucket"},
	{"s3://Media_1?region=a", s3.Address{}, "name of a bucket"},
	{"s3://key:hunter2@media?region=a", s3.Address{}, "must not have credentials"},
	{"s3://key@media?region=a", s3.Address{}, "must not have credentials"},
	{"s3://media?endpoint=https://key:hunter2@s3.example.com", s3.Address{}, "must not have credentials"},
	{"s3://media:hunter2?region=a", s3.Address{}, "not a URL"},
	{"s3://media/a//b?region=a", s3.Address{}, "prefix"},
	{"s3://media/../b?region=a", s3.Address{}, "prefix"},
	{"s3://media/a b?region=a", s3.Address{}, "prefix"},
	{"s3://media/" + strings.Repeat("ab/", 100) + "?region=a", s3.Address{}, "prefix"},
	{"s3://media?region=a#x", s3.Address{}, "fragment"},
	{"s3://media?region=a&secret=x", s3.Address{}, `unknown parameter "secret"`},
	{"s3://media?region=a&region=b", s3.Address{}, "2 times"},
	{"s3://media?region=a/b", s3.Address{}, "region"},
	{"s3://media?region=a&path-style=yes", s3.Address{}, "path-style"},
	{"s3://media?region=%zz", s3.Address{}, "malformed"},
	{"s3://media?endpoint=s3.example.com", s3.Address{}, "endpoint"},
	{"s3://media?endpoint=ftp://s3.example.com", s3.Address{}, "endpoint"},
	{"s3://media?endpoint=https://", s3.Address{}, "endpoint"},
	{"s3://media?endpoint=https://s3.example.com/path", s3.Address{}, "endpoint"},
	{"s3://media?endpoint=https://s3.example.com:0", s3.Address{}, "endpoint"},
	{"s3://media?endpoint=https://s3.example.com:99999", s3.Address{}, "endpoint"},
	{"s3://media?endpoint=https://s3.eu-west-1.amazonaws.com", s3.Address{}, "needs its region"},
}

// Addresses are parsed, or refused with a sentence and a hint that don't repeat a secret.
func TestParseAddress(t *testing.T) {
	t.Parallel()
	for _, c := range addresses {
		got, err := s3.ParseAddress(c.address)
		if c.words == "" {
			require.NoError(t, err, c.address)
			require.Equal(t, c.want, got)
			continue
		}
		requireCode(t, engine.CodeInvalid, err)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Msg, c.words, c.address)
		require.NotEmpty(t, e.Hint)
		require.NotContains(t, err.Error()+e.Hint, "hunter2")
	}
}

// A valid address is the same after it was printed and parsed.
func FuzzParseAddress(f *testing.F) {
	for _, c := range addresses {
		f.Add(c.address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		a, err := s3.ParseAddress(address)
		if err != nil {
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			return
		}
		again, err := s3.ParseAddress(a.String())
		require.NoError(t, err, a.String())
		require.Equal(t, a, again)
		require.NotEmpty(t, a.Bucket+a.Region)
		require.NotEmpty(t, a.Endpoint)
	})
}

func ExampleParseAddress() {
	a, err := s3.ParseAddress("s3://media/production?endpoint=https://s3.example.com&region=eu-1")
	fmt.Println(a.Bucket, a.Prefix, a.Endpoint, a.Region, err)
	// Output: media production/ s3.example.com eu-1 <nil>
}
