package api_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"go/scanner"
	"go/token"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/formats"
)

// The examples of a recording's transcript are byte for byte what the server sends for the example in JSON: CRLF, byte order mark, and all.
func TestTranscriptExamples(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	content := c.Doc.Paths.Value("/v1/recordings/{id}/transcript").Get.Responses.Value("200").Value.Content
	raw, err := json.Marshal(content["application/json"].Example)
	require.NoError(t, err)
	parsed, err := formats.ParseJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	texts := 0
	for _, f := range formats.Standard() {
		mediaType, _, err := mime.ParseMediaType(f.ContentType)
		require.NoError(t, err)
		if m := content[mediaType]; mediaType != "application/json" && m.Schema.Value.Format != "binary" {
			var sent bytes.Buffer
			require.NoError(t, f.Write(&sent, parsed.Transcript, formats.Options{Names: parsed.Names, Title: "A talk"}))
			require.Equal(t, sent.String(), m.Example, "openapi.yaml, getRecordingTranscript: the example of %s", f.Name)
			texts++
		}
	}
	require.Equal(t, 4, texts)
}

// The examples of storage errors are byte for byte what the server sends, and each has a sentence of the server.
func TestStorageErrorExamples(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	known := sentences(t)
	checked := 0
	for method, op := range c.Doc.Paths.Value("/storage/{object_id}").Operations() {
		for status, r := range op.Responses.Map() {
			m := r.Value.Content["application/xml"]
			if m == nil {
				continue
			}
			checked++
			text, _ := m.Example.(string)
			var body struct {
				XMLName xml.Name `xml:"Error"`
				Code    string
				Message string
			}
			require.NoError(t, xml.Unmarshal([]byte(text), &body), "%s %s", method, status)
			again, err := xml.Marshal(body)
			require.NoError(t, err)
			require.Equal(t, "<?xml version='1.0' encoding='UTF-8'?>"+string(again), text, "%s %s", method, status)
			requireSentence(t, known, body.Message, method+" "+status)
		}
	}
	require.Equal(t, 15, checked)
}

// Each error in an example is one that the server has.
func TestErrorExamples(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	known, checked := sentences(t), 0
	for path, item := range c.Doc.Paths.Map() {
		for method, op := range item.Operations() {
			for status, r := range op.Responses.Map() {
				for _, example := range examplesOf(r.Value.Content["application/json"]) {
					if said, ok := example["error"].(string); ok && status >= "400" {
						checked++
						requireSentence(t, known, said, method+" "+path+" "+status)
					}
				}
			}
		}
	}
	require.Greater(t, checked, 200)
}

// examplesOf returns the examples of a media type.
func examplesOf(m *openapi3.MediaType) (all []map[string]any) {
	if m == nil {
		return nil
	}
	values := []any{m.Example}
	for _, e := range m.Examples {
		values = append(values, e.Value.Value)
	}
	for _, v := range values {
		if object, ok := v.(map[string]any); ok {
			all = append(all, object)
		}
	}
	return all
}

func requireSentence(t *testing.T, known []*regexp.Regexp, said, where string) {
	t.Helper()
	for _, k := range known {
		if k.MatchString(said) {
			return
		}
	}
	t.Errorf("openapi.yaml, %s: no code has the error of the example: %s", where, said)
}

// verb is a verb of a format string.
var verb = regexp.MustCompile(`%[.0-9]*[a-z]`)

// sentences returns the string literals of the server's code, as patterns in which verbs match any text.
func sentences(t *testing.T) []*regexp.Regexp {
	t.Helper()
	all, err := allSentences()
	require.NoError(t, err)
	return all
}

var allSentences = sync.OnceValues(func() (all []*regexp.Regexp, err error) {
	for _, dir := range []string{"../../engine", "../../formats", ".."} {
		err = errors.Join(err, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || d.Name() == "tables.go" {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, text := range literals(source) {
				pattern := verb.ReplaceAllString(regexp.QuoteMeta(text), ".+")
				all = append(all, regexp.MustCompile("^"+pattern+"$"))
			}
			return nil
		}))
	}
	return all, err
})

// literals returns the string literals of Go source that have at least two words, of which one is not a verb.
func literals(source []byte) (all []string) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(source)), source, nil, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		text, err := strconv.Unquote(lit)
		if tok == token.STRING && err == nil && utf8.ValidString(text) && len(strings.Fields(verb.ReplaceAllString(text, ""))) > 1 {
			all = append(all, text)
		}
	}
}
