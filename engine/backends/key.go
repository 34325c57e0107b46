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
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Variable returns the environment variable for a service's key. flag is "transcriber" or "llm".
func Variable(flag string) string { return "SOUNDSTAGE_" + strings.ToUpper(flag) + "_KEY" }

func howToGiveKeys(flag string) string {
	return "Set a key with the environment variable " + Variable(flag) + ", or in a file with --" + flag + "-key-file."
}

// maxKey is the size limit of a key, in bytes.
const maxKey = 4096

// key returns the key of a service and its source: the key file, else the service's variable, else the provider's own
// variable, but only for the provider's own URL. It returns CodeInvalid if a required key is missing or a key is not
// valid. No error contains the key.
func (r role) key(lookup func(string) (string, bool)) (key, from string, err error) {
	if r.KeyFile != "" {
		key, err = r.readKey()
		return key, "the key file", err
	}
	variables := []string{Variable(r.flag)}
	if r.kind.variable != "" && r.isProvider() {
		variables = append(variables, r.kind.variable)
	}
	for _, name := range variables {
		if value, ok := lookup(name); ok && strings.TrimSpace(value) != "" {
			key, err = checkKey(strings.TrimSpace(value), "The environment variable "+name)
			return key, name, err
		}
	}
	if !r.needsKey() {
		return "", "", nil
	}
	hint := howToGiveKeys(r.flag)
	if r.isProvider() {
		hint = "Set " + r.kind.variable + " or " + Variable(r.flag) + " in the environment, or name a file that contains it with --" + r.flag + "-key-file."
		if !r.kind.keyAlways {
			hint += " For your own server, set --" + r.flag + "-url."
		}
	}
	return "", "", invalid("%s needs a key, and none is set.", r.kind.product).WithHint(hint)
}

// needsKey reports whether the service requires a key.
func (r role) needsKey() bool { return r.kind.keyAlways || r.kind.variable != "" && r.isProvider() }

// readKey reads the first line of the key file.
func (r role) readKey() (string, error) {
	flag := "--" + r.flag + "-key-file"
	if LooksSecret(r.KeyFile) {
		return "", invalid("%s must be the path of a file, but its value looks like a key.", flag).WithHint("Write the key to a file, or set " + Variable(r.flag) + " in the environment.")
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
	case OthersCanRead(r.KeyFile, info):
		return "", invalid("Other users can read the key file %s: its mode is %04o.", r.KeyFile, info.Mode().Perm()).
			WithHint(fmt.Sprintf("Restrict it: chmod 600 %q.", r.KeyFile))
	}
	line, err := bufio.NewReader(io.LimitReader(f, maxKey+1)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", keyFileError(flag, r.KeyFile, err)
	}
	if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line == "" {
		return "", invalid("The first line of the key file %s is empty.", r.KeyFile).WithHint("It must contain the key and nothing else.")
	}
	return checkKey(line, "The key file "+r.KeyFile)
}

// OthersCanRead reports whether other users can read a file with secrets. A secret that a container engine mounted is fine.
func OthersCanRead(path string, info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && !mounted(path)
}

// mounted reports whether a file is a secret that a container engine mounted. Only the container can read it, but its
// mode often allows everybody.
func mounted(path string) bool {
	full, err := filepath.Abs(path)
	for _, folder := range []string{"/run/secrets/", "/var/run/secrets/"} {
		if err == nil && strings.HasPrefix(full, folder) {
			return true
		}
	}
	return false
}

// checkKey returns an error if a key can't be sent in a header.
func checkKey(key, where string) (string, error) {
	if len(key) > maxKey {
		return "", invalid("%s contains more than a key: it is longer than %d bytes.", where, maxKey)
	}
	for _, c := range key {
		if c <= ' ' || c > '~' {
			return "", invalid("%s contains a key with a space or a character that is not printable ASCII.", where).WithHint("It must contain the key and nothing else.")
		}
	}
	return key, nil
}

func keyFileError(flag, path string, err error) error {
	return engine.Errorf(engine.CodeInvalid, op, "The key file %s can't be read: %s.", path, fault.Reason(err)).WithHint("Check the path of " + flag + " and its permissions.")
}
