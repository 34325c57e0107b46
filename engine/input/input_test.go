package input_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/input"
)

// Names and titles are one line of valid UTF-8 without control characters, at most 1,000 characters long.
func TestCheckLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing":                 {"", ""},
		"a title":                 {"Épisode 1: “Überraschung” 🎙", ""},
		"1,000 characters":        {strings.Repeat("é", 1000), ""},
		"1,001 characters":        {strings.Repeat("é", 1001), "title is longer than 1000 characters."},
		"a line break":            {"a\nb", "title has control characters."},
		"a tab":                   {"a\tb", "title has control characters."},
		"a NUL":                   {"a\x00", "title has control characters."},
		"bytes that aren't UTF-8": {"a\xff", "title is not valid UTF-8."},
	} {
		requireRefusal(t, c.want, input.CheckLine("Op", "title", c.text), name)
	}
}

// Texts may have line breaks and tabs, no other control characters, and at most 10,000 characters.
func TestCheckText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing":                 {"", ""},
		"lines and tabs":          {"a\r\n\tb", ""},
		"10,000 characters":       {strings.Repeat("é", 10_000), ""},
		"10,001 characters":       {strings.Repeat("é", 10_001), "prompt is longer than 10000 characters."},
		"a bell":                  {"a\a", "prompt has control characters."},
		"bytes that aren't UTF-8": {"\xc3", "prompt is not valid UTF-8."},
	} {
		requireRefusal(t, c.want, input.CheckText("Op", "prompt", c.text), name)
	}
}

// A URL is usable when it is http or https, has a host, and is at most 4,096 bytes of valid UTF-8 without control characters.
func TestURLs(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://host":                       "",
		"https://host:8443/a%20b.mp3?x=1#y": "",
		"HTTPS://host/":                     "",
		"https://host/" + strings.Repeat("a", 4096-len("https://host/")): "",
		"https://host/" + strings.Repeat("a", 4097-len("https://host/")): input.BadURL,
		"":                  "url is required.",
		" \t":               "url is required.",
		"ftp://host/a.mp3":  input.BadURL,
		"host/a.mp3":        input.BadURL,
		"https://":          input.BadURL,
		"https://:80/":      input.BadURL,
		"https://host/\x00": input.BadURL,
		"https://host/\xff": input.BadURL,
		"https://host/%zz":  input.BadURL,
	} {
		requireRefusal(t, want, input.CheckURL("Op", url), url)
		require.Equal(t, want == "", input.UsableURL(url), url)
	}
}

// A missing URL and a bad one have different rules, which the API maps to different statements.
func TestURLRules(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]fault.Rule{"": "url.required", "ftp://host": "url.invalid"} {
		var refused *fault.Error
		require.ErrorAs(t, input.CheckURL("Op", url), &refused)
		require.Equal(t, want, refused.Rule)
	}
}

// Folders are removed from file names of any system.
func TestFileName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.mp3":             "a.mp3",
		"/home/me/a.mp3":    "a.mp3",
		`C:\Users\me\a.mp3`: "a.mp3",
		"../../a.mp3":       "a.mp3",
		"a/":                "a",
		"..":                "..",
		"":                  "/",
	} {
		require.Equal(t, want, input.FileName(name), name)
	}
}

// The file of a URL is the last part of its path, without query and fragment.
func TestURLFile(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://host/shows/a%20b.mp3?token=1#t": "a b.mp3",
		"https://host/shows/":                    "shows",
		"https://host/":                          "",
		"https://host":                           "",
		"https://host/%zz":                       "",
	} {
		require.Equal(t, want, input.URLFile(url), url)
	}
}

// A title is valid UTF-8 in one line, at most 1,000 characters long.
func TestTitle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"  A\n\ttitle \r\n":              "A title",
		"a\x00b":                         "a b",
		"a\xffb":                         "a\uFFFDb",
		strings.Repeat("é", 1001):        strings.Repeat("é", 1000),
		strings.Repeat("a", 999) + " bc": strings.Repeat("a", 999),
	} {
		require.Equal(t, want, input.Title(text), "%.20q", text)
		require.NoError(t, input.CheckLine("Op", "title", input.Title(text)))
	}
}

// A recording without a title is named after its file, or after the host of its URL.
func TestFallbackTitles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"shows/a  b.mp3": "a b.mp3", "": "", "/": "", "..": ""} {
		require.Equal(t, want, input.FileTitle(name), name)
	}
	for url, want := range map[string]string{"https://host.example:80/a": "host.example", "https://": "Import", "%zz": "Import"} {
		require.Equal(t, want, input.HostTitle(url), url)
	}
}

// The error lists fields in alphabetical order, each with its messages.
func TestFieldErrors(t *testing.T) {
	t.Parallel()
	require.EqualError(t, input.FieldErrors{"url": {input.MsgURL}, "language_code": {input.MsgInvalid, input.MsgBlank}},
		"language_code is invalid, can't be blank; url must be a valid url")
}

// requireRefusal asserts that an error is nil where want is "", and else a CodeInvalid with the operation and the message.
func requireRefusal(t *testing.T, want string, err error, about string) {
	t.Helper()
	if want == "" {
		require.NoError(t, err, "%.40q", about)
		return
	}
	var refused *fault.Error
	require.ErrorAs(t, err, &refused, "%.40q", about)
	require.Equal(t, fault.CodeInvalid, refused.Code)
	require.Equal(t, "Op", refused.Op)
	require.Equal(t, want, refused.Msg)
}

// Enumerate joins names for a sentence.
func TestEnumerate(t *testing.T) {
	t.Parallel()
	type name string
	require.Equal(t, []string{"", "a", "a and b", "a, b and c"}, []string{
		input.Enumerate[name](nil), input.Enumerate([]name{"a"}), input.Enumerate([]name{"a", "b"}), input.Enumerate([]name{"a", "b", "c"}),
	})
}

// CutText returns valid UTF-8 within its limit, whatever the bytes are.
func TestCutText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "abc", input.CutText([]byte("abc"), 3))
	require.Equal(t, "ab", input.CutText([]byte("abc"), 2))
	require.Equal(t, "a\uFFFDb", input.CutText([]byte("a\xffb"), 9))
	require.Equal(t, "a", input.CutText([]byte("aé"), 2), "a character cut in two is dropped, because U+FFFD would not fit")
	require.Empty(t, input.CutText([]byte("\xff"), 1))
}
