package backend

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxExchangeFile bounds a file that is read: an answer as long as a Client takes, in base64.
const maxExchangeFile = 128 << 20

// A file that is being written has this name with something in place of the star; what a crash leaves of it is removed later.
const halfWritten = ".exchange-*.tmp"

// exchangeFiles returns the names of a folder's exchanges, in order.
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

// readExchange reads one file; its error says which.
func readExchange(dir, name string) (Exchange, error) {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return Exchange{}, err
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(io.LimitReader(file, maxExchangeFile+1))
	if err == nil && len(b) > maxExchangeFile {
		err = errors.New("it is too long")
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

// writeExchange writes a file, durably: it is there as a whole or not at all, whenever the power fails.
func writeExchange(dir, name string, x Exchange) (err error) {
	b, err := x.encode()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, halfWritten)
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

// syncFolder makes the names in a folder durable, on systems that know how.
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

var unfit = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// fileName is the name of the exchange with a number: it sorts by it, and says what was asked.
func fileName(number int, s Sent) string {
	asked := s.Method + "-" + s.Path
	if s.Program != "" {
		asked = "run-" + s.Program
	}
	asked = strings.Trim(unfit.ReplaceAllString(asked, "-"), "-.")
	if len(asked) > 80 {
		asked = strings.TrimRight(asked[:80], "-.")
	}
	return fmt.Sprintf("%06d-%s.json", number, asked)
}

// numberOf is the number that a file's name begins with; 0 for none.
func numberOf(name string) int {
	digits, _, _ := strings.Cut(name, "-")
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

// folderError is an error of the folder itself.
func folderError(op, dir string, err error) *engine.Error {
	code := engine.CodeUnavailable
	if errors.Is(err, syscall.ENOSPC) {
		code = engine.CodeNoSpace
	}
	return engine.Errorf(code, op, "The folder of recorded exchanges can't be used.").WithHint(fmt.Sprintf("See what is wrong with %s.", dir)).Because(err)
}
