package backend

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// maxExchangeFile limits the size of a file that is read. A Client's largest response in base64 fits.
const maxExchangeFile = 128 << 20

// tempPattern is the pattern of temporary files. NewRecorder removes those that a crash left.
const tempPattern = ".exchange-*.tmp"

// removeTemporary removes the temporary files of a folder, as far as that works.
func removeTemporary(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if temporary, _ := filepath.Match(tempPattern, e.Name()); temporary {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// exchangeFiles returns the names of a folder's exchanges, in order of their numbers.
func exchangeFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".json") && !strings.HasPrefix(name, ".") && !e.IsDir() {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := numberOf(a), numberOf(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	return names, nil
}

// readExchange reads one file. Its error names the file.
func readExchange(dir, name string) (Exchange, error) {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return Exchange{}, err
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(io.LimitReader(file, maxExchangeFile+1))
	if err == nil && len(b) > maxExchangeFile {
		err = errors.New("the file is larger than 128 MiB")
	}
	if err != nil {
		return Exchange{}, fmt.Errorf("%s: %w", name, err)
	}
	x, err := decodeExchange(b)
	if err != nil {
		return Exchange{}, fmt.Errorf("%s: %w", name, err)
	}
	return x, nil
}

// writeExchange writes a file atomically and durably: after a power failure it is complete or absent.
func writeExchange(dir, name string, x Exchange) (err error) {
	b, err := x.encode()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(b)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes the names in a folder durable, on systems that support it.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

var unsafeChars = lazyregexp.New(`[^A-Za-z0-9_.]+`)

// fileName returns the file name of an exchange: its number, for sorting, and the request.
func fileName(number int, s ExchangeRequest) string {
	asked := s.Method + "-" + s.Path
	if s.Program != "" {
		asked = "run-" + s.Program
	}
	asked = strings.Trim(unsafeChars.ReplaceAllString(asked, "-"), "-.")
	if len(asked) > 80 {
		asked = strings.TrimRight(asked[:80], "-.")
	}
	return fmt.Sprintf("%06d-%s.json", number, asked)
}

// numberOf returns the number at the start of a file's name, or 0.
func numberOf(name string) int {
	digits, _, _ := strings.Cut(name, "-")
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

// folderError returns the error for a folder that can't be read or written.
func folderError(op, dir string, err error) *engine.Error {
	code := engine.CodeUnavailable
	if fault.NoSpace(err) {
		code = engine.CodeNoSpace
	}
	return engine.Errorf(code, op, "The folder of recorded exchanges can't be used.").WithHint(fmt.Sprintf("Check the path, permissions, and free space of %s.", dir)).Because(err)
}
