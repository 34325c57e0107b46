package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// bom is a bill of materials. Source: https://cyclonedx.org/docs/1.5/json/.
type bom struct {
	Schema   string      `json:"$schema"`
	Format   string      `json:"bomFormat"`
	Spec     string      `json:"specVersion"`
	Serial   string      `json:"serialNumber"`
	Version  int         `json:"version"`
	Metadata metadata    `json:"metadata"`
	Parts    []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"` // application or library
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licences   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"` // SPDX
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// writeSBOM writes the bill of materials of a built program. The same program gives the same bytes.
func writeSBOM(w io.Writer, program string) error {
	b, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("%s is not a Go program with build information: %w", program, err)
	}
	modules, err := listAll()
	if err != nil {
		return err
	}
	licences := map[string]string{}
	for _, m := range modules {
		licences[m.Path+"@"+m.Version] = m.Licence
	}
	doc, err := newBOM(filepath.Base(program), sha256.Sum256(b), info, licences)
	if err != nil {
		return err
	}
	return printJSON(w, doc)
}

// newBOM returns the bill of materials of a program with a checksum and build information. licences are by path@version. A module without one is
// an error: the program was built from another go.mod.
func newBOM(name string, sum [sha256.Size]byte, info *debug.BuildInfo, licences map[string]string) (bom, error) {
	self := library(info.Main, "Apache-2.0")
	self.Type, self.Name = "application", strings.TrimSuffix(name, ".exe")
	self.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GO") || strings.HasPrefix(s.Key, "CGO_ENABLED") || strings.HasPrefix(s.Key, "vcs") {
			self.Properties = append(self.Properties, property{"go:build:" + s.Key, s.Value})
		}
	}
	parts := []component{{
		Type: "library", Ref: "std", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
		Licences: []licence{{"BSD-3-Clause"}}, PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		id, ok := licences[m.Path+"@"+m.Version]
		if !ok {
			return bom{}, fmt.Errorf("%s contains %s %s, which the packages of this folder don't import: build it again", name, m.Path, m.Version)
		}
		parts = append(parts, library(*m, id))
	}
	return bom{
		Schema: "http://cyclonedx.org/schema/bom-1.5.schema.json", Format: "CycloneDX", Spec: "1.5", Version: 1,
		Serial:   serial(sum),
		Metadata: metadata{self}, Parts: parts,
	}, nil
}

// serial returns a UUID of version 8 from a checksum. Source: RFC 9562, section 5.8.
func serial(sum [sha256.Size]byte) string {
	u := sum[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// library returns a module as a component. Source of its URL: https://github.com/package-url/purl-spec, type golang.
func library(m debug.Module, id string) component {
	c := component{
		Type: "library", Ref: m.Path + "@" + m.Version, Name: m.Path, Version: m.Version,
		Licences: []licence{{id}}, PURL: "pkg:golang/" + m.Path + "@" + m.Version,
	}
	if m.Version == "(devel)" { // built without version control
		c.PURL = "pkg:golang/" + m.Path
	}
	if m.Sum != "" {
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}
