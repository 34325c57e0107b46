package api

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
)

// defaultServer is the address of the server in the OpenAPI documents.
const defaultServer = "http://127.0.0.1:8765"

// WriteDocument responds with an OpenAPI document. In its servers and its examples, base replaces the default address of the server. base is
// the address that the client asked. It is ignored if it is "" or not an address that can stand between double quotes in YAML.
func WriteDocument(w http.ResponseWriter, document []byte, base string) {
	unquotable := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
	if u, err := url.Parse(base); err == nil && u.Host != "" && !strings.ContainsFunc(base, unquotable) {
		document = bytes.ReplaceAll(document, []byte(defaultServer), []byte(base))
	}
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(document)
}
