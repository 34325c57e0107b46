package backend

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	values   []string // every way of writing one, the longest first
	replacer *strings.Replacer
}

// newSecrets makes secrets of those values that have at least so many bytes.
func newSecrets(least int, values ...string) secrets {
	var s secrets
	for _, v := range values {
		if v = strings.TrimSpace(v); len(v) < least {
			continue
		}
		inJSON, _ := json.Marshal(v)
		s.values = append(s.values, v, url.QueryEscape(v), url.PathEscape(v), string(inJSON[1:len(inJSON)-1]),
			base64.StdEncoding.EncodeToString([]byte(v)), base64.RawURLEncoding.EncodeToString([]byte(v)))
	}
	slices.SortFunc(s.values, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	s.values = slices.Compact(s.values)
	pairs := make([]string, 0, 2*len(s.values))
	for _, v := range s.values {
		pairs = append(pairs, v, Secret)
	}
	s.replacer = strings.NewReplacer(pairs...)
	return s
}

// longest is the length of the longest way of writing a secret.
func (s secrets) longest() int {
	if len(s.values) == 0 {
		return 0
	}
	return len(s.values[0])
}

// mask replaces secrets in a text, and in strings of JSON in it that have escapes of their own.
func (s secrets) mask(text string) string {
	if len(s.values) == 0 {
		return text
	}
	text = s.replacer.Replace(text)
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for {
		start := strings.IndexByte(text, '"')
		if start < 0 {
			break
		}
		b.WriteString(text[:start])
		n := stringLength(text[start:])
		b.WriteString(s.maskString(text[start : start+n]))
		text = text[start+n:]
	}
	b.WriteString(text)
	return b.String()
}

// stringLength is how long the JSON string is that a text begins with, to the text's end when it has none.
func stringLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// maskString masks one JSON string in its quotes.
func (s secrets) maskString(quoted string) string {
	var plain string
	if !strings.Contains(quoted, `\`) || json.Unmarshal([]byte(quoted), &plain) != nil {
		return quoted
	}
	masked := s.replacer.Replace(plain)
	if masked == plain {
		return quoted
	}
	b, _ := json.Marshal(masked)
	return string(b)
}

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
