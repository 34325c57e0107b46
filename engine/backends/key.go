package backends

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Variable is the variable of the environment that has the key of a service, by the flag that names its kind: "transcriber", "llm".
func Variable(flag string) string { return "SOUNDSTAGE_" + strings.ToUpper(flag) + "_KEY" }

func howToGiveKeys(flag string) string {
	return "Give a key by the environment, as " + Variable(flag) + ", or in a file with --" + flag + "-key-file."
}

// maxKey is how many bytes a key may have.
const maxKey = 4096

// key finds the key of a service, and says where it comes from: the key file, else the variable of the service, else, at the provider's own
// address only, the provider's own variable. CodeInvalid when one is needed and there is none, or it can't be used. No error has it.
func (r role) key(lookup func(string) (string, bool)) (key, from string, err error) {
	if r.KeyFile != "" {
		key, err = r.readKey()
		return key, "the key file", err
	}
	variables := []string{Variable(r.flag)}
	if r.kind.variable != "" && r.own() {
		variables = append(variables, r.kind.variable)
	}
	for _, name := range variables {
		if value, ok := lookup(name); ok && strings.TrimSpace(value) != "" {
			key, err = usable(strings.TrimSpace(value), "The environment's "+name)
			return key, name, err
		}
	}
	if !r.needsKey() {
		return "", "", nil
	}
	hint := howToGiveKeys(r.flag)
	if r.own() {
		hint = "Set " + r.kind.variable + " or " + Variable(r.flag) + " in the environment, or give a file that has it with --" + r.flag + "-key-file."
		if !r.kind.keyAlways {
			hint += " For a server of your own, give --" + r.flag + "-url."
		}
	}
	return "", "", wrong("%s needs a key, and there is none.", r.kind.product).WithHint(hint)
}

// needsKey reports whether nothing works without a key.
func (r role) needsKey() bool { return r.kind.keyAlways || r.kind.variable != "" && r.own() }

// readKey reads the first line of the key file.
func (r role) readKey() (string, error) {
	flag := "--" + r.flag + "-key-file"
	if LooksSecret(r.KeyFile) {
		return "", wrong("%s is the path of a file, and what is given looks like a key.", flag).WithHint("Write the key to a file, or set " + Variable(r.flag) + " in the environment.")
	}
	f, err := os.Open(r.KeyFile)
	if err != nil {
		return "", keyFileError(flag, r.KeyFile, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", keyFileError(flag, r.KeyFile, err)
	case info.IsDir():
		return "", keyFileError(flag, r.KeyFile, errors.New("it is a folder"))
	case runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && !mounted(r.KeyFile):
		return "", wrong("Others may read the key file %s: its mode is %04o.", r.KeyFile, info.Mode().Perm()).
			WithHint(fmt.Sprintf("Take that away: chmod 600 %q.", r.KeyFile))
	}
	line, err := bufio.NewReader(io.LimitReader(f, maxKey+1)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", keyFileError(flag, r.KeyFile, err)
	}
	if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line == "" {
		return "", wrong("The first line of the key file %s is empty.", r.KeyFile).WithHint("Write the key there, and nothing else.")
	}
	return usable(line, "The key file "+r.KeyFile)
}

// mounted reports whether a file is one of the secrets that container engines mount for a container alone, often with a mode that lets
// everybody in it read them.
func mounted(path string) bool {
	full, err := filepath.Abs(path)
	for _, folder := range []string{"/run/secrets/", "/var/run/secrets/"} {
		if err == nil && strings.HasPrefix(full, folder) {
			return true
		}
	}
	return false
}

// usable refuses what can't be sent as a key.
func usable(key, where string) (string, error) {
	if len(key) > maxKey {
		return "", wrong("%s has more than a key in it.", where)
	}
	for _, c := range key {
		if c <= ' ' || c > '~' {
			return "", wrong("%s has a key with a space, or a character that no key has, in it.", where).WithHint("Write the key there, and nothing else.")
		}
	}
	return key, nil
}

func keyFileError(flag, path string, err error) error {
	why := err
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		why = at.Err // without the path, which stands in the sentence already
	}
	return engine.Errorf(engine.CodeInvalid, op, "The key file %s can't be read: %v.", path, why).WithHint("Check the path of " + flag + " and its permissions.")
}
