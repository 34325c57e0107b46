package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/golden"
)

const licencesPage = "../../docs/licences.md"

//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestLicencesPage .

// docs/licences.md has every module that this machine's build imports, in its version and with its licence. make generate also adds the modules
// that other systems need.
func TestLicencesPage(t *testing.T) {
	t.Parallel()
	if golden.Update() {
		var b bytes.Buffer
		require.NoError(t, writeLicences(&b))
		require.NoError(t, os.WriteFile(licencesPage, b.Bytes(), 0o644))
	}
	b, err := os.ReadFile(licencesPage)
	require.NoError(t, err)
	modules, err := list()
	require.NoError(t, err)
	require.Greater(t, len(modules), 20)
	rows := strings.Split(string(b), "\n")
	for _, row := range strings.Split(page(modules), "\n") {
		require.Contains(t, rows, row, "docs/licences.md is out of date: run make licences")
	}
}

// Every licence on the page may be used in a program under Apache-2.0.
func TestLicencesAreAllowed(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(licencesPage)
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| \[(.+)\]\(.*\) \| (.+) \| (.+) \|$`).FindAllStringSubmatch(string(b), -1)
	require.Greater(t, len(rows), 20)
	for _, row := range rows {
		for id := range strings.SplitSeq(row[3], " AND ") {
			require.Contains(t, allowed, id, row[1])
		}
	}
}

// identify finds the licence in a text however it is wrapped, and all of several ones.
func TestIdentify(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../LICENSE")
	require.NoError(t, err)
	const mit = "// Permission is hereby granted, free of charge, to any person\n// obtaining a copy of this software and associated\n// documentation files"
	const bsd2 = "Redistributions in binary form must reproduce\nthe above copyright notice"
	const bsd3 = bsd2 + " … may be used to\n endorse or promote products derived from this software without specific prior written permission"
	for text, want := range map[string][]string{
		string(b):                               {"Apache-2.0"},
		mit:                                     {"MIT"},
		bsd2:                                    {"BSD-2-Clause"},
		bsd3:                                    {"BSD-3-Clause"},
		string(b) + mit:                         {"Apache-2.0", "MIT"},
		"GNU AFFERO GENERAL PUBLIC\nLICENSE":    {"AGPL"},
		"GNU GENERAL PUBLIC LICENSE\nVersion 3": {"GPL"},
		"Mozilla Public License, version 2.0":   {"MPL-2.0"},
		"All rights reserved.":                  nil,
	} {
		require.Equal(t, want, identify(text))
	}
}

// A module without a known licence is an error.
func TestUnknownLicence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := licenceOf(dir)
	require.ErrorContains(t, err, "no known licence")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved."), 0o600))
	_, err = licenceOf(dir)
	require.ErrorContains(t, err, "no known licence")
}

// built is the output of go version -m for a program.
const built = `path	github.com/soundstage-dev/soundstage/cmd/soundstage
mod	github.com/soundstage-dev/soundstage	v0.1.0	
dep	example.com/a	v1.2.3	h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
dep	example.com/b	v0.0.0-20240102030405-abcdefabcdef	h1:x=
build	-trimpath=true
build	CGO_ENABLED=0
build	GOARCH=arm64
`

// The bill of materials of a program is valid CycloneDX 1.5, and has every module of the program with its licence.
func TestBOM(t *testing.T) {
	t.Parallel()
	info, err := debug.ParseBuildInfo(built)
	require.NoError(t, err)
	info.GoVersion = "go1.26.1"
	licences := map[string]string{"example.com/a@v1.2.3": "MIT", "example.com/b@v0.0.0-20240102030405-abcdefabcdef": "Apache-2.0 AND MIT"}
	b, err := newBOM("soundstage", sha256.Sum256(nil), info, licences)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, printJSON(&out, b))
	require.NoError(t, validate(t, out.Bytes()), out.String())
	require.Error(t, validate(t, bytes.Replace(out.Bytes(), []byte(`"library"`), []byte(`"book"`), 1)), "the schema checks nothing")

	var found []string
	for _, p := range append(b.Parts, b.Metadata.Component) {
		found = append(found, p.Type+" "+p.Name+" "+p.Licences[0].Expression+" "+p.PURL)
	}
	require.Equal(t, []string{
		"library std BSD-3-Clause pkg:golang/std@1.26.1",
		"library example.com/a MIT pkg:golang/example.com/a@v1.2.3",
		"library example.com/b Apache-2.0 AND MIT pkg:golang/example.com/b@v0.0.0-20240102030405-abcdefabcdef",
		"application soundstage Apache-2.0 pkg:golang/github.com/soundstage-dev/soundstage@v0.1.0",
	}, found)
	require.Equal(t, []property{{"go:build:CGO_ENABLED", "0"}, {"go:build:GOARCH", "arm64"}}, b.Metadata.Component.Properties)
	require.Equal(t, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", b.Metadata.Component.Hashes[0].Content)
	require.Equal(t, "urn:uuid:e3b0c442-98fc-8c14-9afb-f4c8996fb924", b.Serial)

	info.Main.Version = "(devel)"
	b, err = newBOM("soundstage", sha256.Sum256(nil), info, licences)
	require.NoError(t, err)
	require.Equal(t, "pkg:golang/github.com/soundstage-dev/soundstage", b.Metadata.Component.PURL)

	delete(licences, "example.com/a@v1.2.3")
	_, err = newBOM("soundstage", sha256.Sum256(nil), info, licences)
	require.ErrorContains(t, err, "example.com/a v1.2.3")
	require.ErrorContains(t, writeSBOM(&out, licencesPage), "is not a Go program")
}

// validate checks a document against the schema of CycloneDX.
func validate(t *testing.T, doc []byte) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	for _, name := range []string{"bom-1.5", "spdx", "jsf-0.82"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".schema.json"))
		require.NoError(t, err)
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		require.NoError(t, err)
		require.NoError(t, c.AddResource("http://cyclonedx.org/schema/"+name+".schema.json", schema))
	}
	schema, err := c.Compile("http://cyclonedx.org/schema/bom-1.5.schema.json")
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	require.NoError(t, err)
	return schema.Validate(v)
}
