package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// listed is a package as go list describes it. A package that tests change is listed again, as "path [tested.test]".
type listed struct {
	ImportPath, ForTest string
	Name, Dir           string
	GoFiles             []string
	Imports             []string
	ImportMap           map[string]string // the path of what an import means, where it differs
	Module              *struct {
		Main      bool
		GoVersion string
	}
}

// own reports whether the package is the module's, and isn't listed again only because tests change what it imports.
func (p *listed) own() bool {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return p.Module != nil && p.Module.Main && (p.ForTest == "" || strings.TrimSuffix(path, "_test") == p.ForTest)
}

// list returns the packages of the module, their tests, and all that they import. A package comes after those that it imports.
func list(ctx context.Context, dir, goos, arch string) (packages []*listed, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "-json=ImportPath,ForTest,Name,Dir,GoFiles,Imports,ImportMap,Module", "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(p.ImportPath, ".test") { // the generated main program of a test
			packages = append(packages, &p)
		}
	}
}
