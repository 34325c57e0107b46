// Command systems checks that a module and its tests compile for other systems. It reads the types from source, so it takes seconds where
// compiling for one more system takes minutes:
//
//	go run ./internal/systems windows/amd64 darwin/arm64
//
// It checks what the type checker does. It doesn't link, and neither vets nor runs anything.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

func main() {
	err := errors.New("name systems, such as windows/amd64")
	if len(os.Args) > 1 {
		err = run(context.Background(), ".", os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "systems:", err)
		os.Exit(1)
	}
}

// run checks all packages of the module in dir for each system.
func run(ctx context.Context, dir string, systems []string) error {
	for _, name := range systems {
		os, arch, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("%q is no system: expected one such as windows/amd64", name)
		}
		packages, err := list(ctx, dir, os, arch)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := check(packages, arch); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Println(name, "compiles")
	}
	return nil
}
