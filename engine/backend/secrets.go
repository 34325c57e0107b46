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

// Secret stands where a secret was.
const Secret = "[secret]"

// Secrets shorter than this are not looked for in texts: local servers are given keys like "none" and "EMPTY", which are words of
// answers, too.
const (
	leastSecret       = 4 // in what is logged
	leastSecretOnFile = 8 // in what is kept and replayed, which must stay as it was
)

// secrets finds secrets in texts, as they are and as they are written in addresses, in JSON and in base64.
type secrets struct {
	longest  int // bytes of the longest way of writing one
	replacer *strings.Replacer
	escaped  func() *regexp.Regexp // of texts with backslashes; made when the first one comes
}

// newSecrets makes secrets of those values that have at least so many bytes.
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

// escapedPattern matches a text in which any character may be written with backslashes, as JSON does, and JSON in JSON.
func escapedPattern(text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, `(?:\\*%s|\\+u(?i:%04x))`, regexp.QuoteMeta(string(r)), r)
	}
	return b.String()
}

// mask replaces secrets in a text.
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

// text is mask for what is written as a string of JSON, which has no bytes that are no UTF-8.
func (s secrets) text(text string) string { return strings.ToValidUTF8(s.mask(text), "\uFFFD") }

// credentials are the values of headers that are secret by their names, each with the word behind its scheme: "Bearer x" and "x".
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

// secretHeader reports whether a header's value is a secret by its name: Authorization, X-Api-Key, Xi-Api-Key, Cookie, ….
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"auth", "key", "token", "secret", "cookie", "password"}, func(part string) bool {
		return strings.Contains(name, part)
	})
}

// secretParameter reports whether a parameter of an address is a secret by its name. "keyterm" is none, "api_key" is one.
func secretParameter(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	return slices.ContainsFunc([]string{"key", "apikey", "token", "secret", "password", "auth", "signature", "sig"}, func(word string) bool {
		return name == word || strings.HasSuffix(name, "_"+word)
	})
}
