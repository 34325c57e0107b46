// Command generate writes the Python package's types and clients from the two contracts, and the synchronous half of the package from the
// asynchronous one. Run it with go generate in clients/python.
//
// Each contract becomes a module of TypedDicts, and a class with one method for each operation. What is written by hand in
// soundstage_sandbox/_async is copied to soundstage_sandbox/_sync without async and await, so the two can't differ.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// source is a contract and the names of what is generated from it.
type source struct {
	contract string // path from the repository's root
	module   string // of the types
	class    string // of the asynchronous client
	doc      string
}

var sources = []source{
	{"emulator/api/openapi.yaml", "v1", "AsyncApi", "A client of `/v1`, with the secret of one caller."},
	{"emulator/control/openapi.yaml", "control", "AsyncControl", "A client of the control API under `/_soundstage`, for one world."},
}

func main() {
	root := flag.String("root", "../..", "the repository's `folder`")
	out := flag.String("out", "soundstage_sandbox", "`folder` of the Python package")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(root, out string) error {
	for _, s := range sources {
		c, err := readContract(filepath.Join(root, filepath.FromSlash(s.contract)))
		if err != nil {
			return err
		}
		types, client, err := c.python(s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.contract, err)
		}
		if err := write(filepath.Join(out, "types", s.module+".py"), types); err != nil {
			return err
		}
		if err := write(filepath.Join(out, "_async", s.module+".py"), client); err != nil {
			return err
		}
	}
	return copySync(filepath.Join(out, "_async"), filepath.Join(out, "_sync"))
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // source code
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644) //nolint:gosec // source code
}
