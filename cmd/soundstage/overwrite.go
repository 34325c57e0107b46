package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
)

// overwriteFlag is the flag that lets clips and what belongs to them replace files. A clip may be an hour's work of a video editor, unlike a
// transcript that the next export repeats.
type overwriteFlag bool

// add adds the flag to a command.
func (force *overwriteFlag) add(f *pflag.FlagSet) {
	f.BoolVar((*bool)(force), "force", false, "replace files that exist")
}

// check reports, before the work, why files can't be written. "" is no file. Errors: CodeConflict (it exists, without --force), CodeInvalid
// (two are the same, or one is an input or no regular file), CodeUnavailable (the folder can't be written to).
func (force overwriteFlag) check(op string, inputs []string, outputs ...string) error {
	seen := map[string]bool{}
	for _, path := range outputs {
		if path == "" {
			continue
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return cantWrite(path, err)
		}
		if seen[full] {
			return engine.Errorf(engine.CodeInvalid, op, "Two files would be written to %s.", path).WithHint("Choose different names.")
		}
		seen[full] = true
		for _, input := range inputs {
			if sameFile(path, input) {
				return engine.Errorf(engine.CodeInvalid, op, "The output would overwrite the input %s.", input).WithHint("Choose another file with -o.")
			}
		}
		if err := force.checkFile(op, path); err != nil {
			return err
		}
	}
	return nil
}

func (force overwriteFlag) checkFile(op, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkFolder(path)
	case err != nil:
		return cantWrite(path, err)
	case !info.Mode().IsRegular():
		return engine.Errorf(engine.CodeInvalid, op, "The output %s exists, and is no regular file.", path).WithHint("Choose another file with -o.")
	case !bool(force):
		return engine.Errorf(engine.CodeConflict, op, "The file %s exists.", path).WithHint("Add --force to replace it, or choose another name with -o.")
	}
	return checkFolder(path)
}
