package backend

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Secret is the placeholder for a secret.
const Secret = "[secret]"

// Shorter secrets are not masked: keys of local servers, such as "none" and "EMPTY", are also words in responses.
const (
	minLoggedSecret   = 4 // bytes, in logs
	minRecordedSecret = 8 // bytes, in recordings, which should stay unchanged
)

// secrets finds secrets in texts: literally, and escaped for URLs, JSON, and base64.
type secrets struct {
	longest  int // bytes of the longest encoded secret
	replacer *strings.Replacer
	escaped  func() *regexp.Regexp // for texts with backslashes; compiled on first use
}

// newSecrets returns secrets for the values of at least least bytes.
func newSecrets(least int, values ...string) secrets {
	var all, patterns []string
	longestFirst := func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) }
	values = slices.Compact(slices.SortedFunc(slices.Values(values), longestFirst))
	for _, v := range values {
		if v = strings.TrimSpace(v); len(v) >= least {
			patterns = append(patterns, escapedPattern(v))
			all = append(all, v, url.QueryEscape(v), url.PathEscape(v), base64.StdEncoding.EncodeToString([]byte(v)), base64.RawURLEncoding.EncodeToString([]byte(v)))
		}
	}
	if len(all) == 0 {
		return secrets{}
	}
	all = slices.Compact(slices.SortedFunc(slices.Values(all), longestFirst))
	pairs := make([]string, 0, 2*len(all))
	for _, v := range all {
		pairs = append(pairs, v, Secret)
	}
	return secrets{len(all[0]), strings.NewReplacer(pairs...), sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.Join(patterns, "|"))
	})}
}

// escapedPattern returns a pattern that matches text with any character escaped by backslashes, as in JSON and nested JSON.
func escapedPattern(text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, `(?:\\*%s|\\+u(?i:%04x))`, regexp.QuoteMeta(string(r)), r)
	}
	return b.String()
}

// mask replaces the secrets in a text with Secret.
func (s secrets) mask(text string) string {
	if s.replacer == nil {
		return text
	}
	text = s.replacer.Replace(text)
	if strings.Contains(text, `\`) {
		text = s.escaped().ReplaceAllLiteralString(text, Secret)
	}
	return text
}

// text is mask for JSON strings, which must be valid UTF-8.
func (s secrets) text(text string) string { return strings.ToValidUTF8(s.mask(text), "\uFFFD") }

// credentials returns the values of secret headers, with and without the scheme: "Bearer x" and "x".
func credentials(h http.Header) (values []string) {
	for name, all := range h {
		if !secretHeader(name) {
			continue
		}
		for _, value := range all {
			values = append(values, value)
			scheme, rest, ok := strings.Cut(value, " ")
			if !ok {
				continue
			}
			values = append(values, rest)
			if strings.EqualFold(scheme, "Basic") {
				user, _ := base64.StdEncoding.DecodeString(rest)
				_, password, _ := strings.Cut(string(user), ":")
				values = append(values, password)
			}
		}
	}
	return values
}

// secretHeader reports whether a header's name marks a secret: Authorization, X-Api-Key, Xi-Api-Key, Cookie, and others.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"auth", "key", "token", "secret", "cookie", "password"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// secretParameter reports whether a query parameter's name marks a secret: "api_key" does, "keyterm" doesn't.
func secretParameter(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	return slices.ContainsFunc([]string{"key", "apikey", "token", "secret", "password", "auth", "signature", "sig"}, func(word string) bool {
		return name == word || strings.HasSuffix(name, "_"+word)
	})
}
