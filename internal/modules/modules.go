// Command modules writes what the project is built from: the licences of all modules, and a bill of materials of a built program.
//
//	go run ./internal/modules licences >docs/licences.md
//	go run ./internal/modules sbom bin/soundstage >bin/soundstage.cdx.json
//
// make licences and make sbom run it.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is a Go module that packages of the project import, tests aside.
type module struct {
	Path, Version string
	Dir           string // folder in the module cache
	Licence       string // SPDX expression
}

func main() {
	err := errors.New("usage: modules licences | modules sbom PROGRAM")
	switch args := os.Args[1:]; {
	case len(args) == 1 && args[0] == "licences":
		err = writeLicences(os.Stdout)
	case len(args) == 2 && args[0] == "sbom":
		err = writeSBOM(os.Stdout, args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

// systems are the systems of which a module is listed if it is needed for one: GOOS and CGO_ENABLED.
var systems = [][2]string{{"linux", "0"}, {"linux", "1"}, {"darwin", "0"}, {"windows", "0"}}

// listAll returns the modules of all systems, sorted by path. It downloads modules that are missing.
func listAll() ([]module, error) {
	found := map[string]module{}
	for _, s := range systems {
		list, err := list("GOOS="+s[0], "CGO_ENABLED="+s[1])
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			found[m.Path] = m
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b module) int { return cmp.Compare(a.Path, b.Path) }), nil
}

// list returns the modules that the packages of the project import with an environment, without the project itself, in the order of go list.
func list(env ...string) ([]module, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "github.com/soundstage-dev/soundstage/...")
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var modules []module
	seen := map[string]bool{"": true}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if seen[f[0]] {
			continue
		}
		seen[f[0]] = true
		m := module{Path: f[0], Version: f[1], Dir: f[2]}
		if m.Licence, err = licenceOf(m.Dir); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// licenceOf returns the licences of the texts in a module's folder, as an SPDX expression. It leaves out the lists that modernc.org's modules have
// of everything that their tests and tools use: LICENSE-3RD-PARTY.md. What of it gets into programs are modules with a row of their own.
func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") || strings.Contains(name, "3RD-PARTY") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		all = append(all, identify(string(text))...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 {
		return "", fmt.Errorf("no known licence in %s: add its text to identify, and the licence to allowed if it may be used", dir)
	}
	return strings.Join(all, " AND "), nil
}

// writeLicences writes docs/licences.md.
func writeLicences(w io.Writer) error {
	modules, err := listAll()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, page(modules))
	return err
}

// printJSON writes a value as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
