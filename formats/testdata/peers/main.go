// Command peers converts a transcript from one format to another. peers_test.go measures the whole process.
package main

import (
	"fmt"
	"os"

	"github.com/soundstage-dev/soundstage/formats"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(format, in, out string) error {
	f, ok := formats.Lookup(format)
	if !ok {
		return fmt.Errorf("unknown format %q", format)
	}
	source, err := os.Open(in)
	if err != nil {
		return err
	}
	defer source.Close()
	p, err := formats.Parse(in, source)
	if err != nil {
		return err
	}
	target, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := f.Write(target, p.Transcript, formats.Options{Title: "Three hours", Names: p.Names}); err != nil {
		return err
	}
	return target.Close()
}
