package powerloss

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// replay is the state of the root while calls are repeated.
type replay struct {
	trace     *Trace
	root      *node
	positions map[string]int64 // by descriptor: where the next write goes
	syncs     map[*call]func() // by fsync that runs: makes durable what was written before it began
	lying     func(path string) bool
}

// find returns the node of a path, or nil.
func (r *replay) find(path string) *node {
	n := r.root
	for _, name := range strings.Split(r.relative(path), "/") {
		if name == "" {
			continue
		}
		if n = n.now.names[name]; n == nil {
			return nil
		}
	}
	return n
}

func (r *replay) relative(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, r.trace.root), "/")
}

// begin notes what a sync will make durable.
func (r *replay) begin(c *call) {
	if c.name != "fsync" && c.name != "fdatasync" {
		return
	}
	path, _ := c.path(0)
	n := r.find(path)
	if n == nil || r.lying != nil && r.lying(r.relative(path)) {
		return
	}
	changes := n.changes()
	r.syncs[c] = func() { n.sync(changes) }
}

// end repeats a call that has ended.
func (r *replay) end(c *call) error {
	if strings.HasPrefix(c.result, "-1") || strings.HasPrefix(c.result, "?") {
		return nil
	}
	switch c.name {
	case "fsync", "fdatasync":
		if sync := r.syncs[c]; sync != nil {
			sync()
		}
		return nil
	case "openat":
		return r.open(c)
	case "write", "pwrite64":
		return r.write(c)
	case "ftruncate":
		return r.truncate(c)
	case "mkdir", "mkdirat":
		path, _ := c.path(pathArg(c))
		return r.name(path, change{add: filepath.Base(path), node: newFolder()})
	case "unlink", "unlinkat", "rmdir":
		path, _ := c.path(pathArg(c))
		return r.name(path, change{remove: filepath.Base(path)})
	case "rename", "renameat", "renameat2":
		return r.rename(c)
	}
	return errors.New("the call is not supported")
}

// pathArg returns the index of the path: calls with "at" have the descriptor of a folder before it.
func pathArg(c *call) int {
	if strings.HasSuffix(c.name, "at") {
		return 1
	}
	return 0
}

// name changes the names of the folder of path.
func (r *replay) name(path string, c change) error {
	folder := r.find(filepath.Dir(path))
	if folder == nil || !folder.folder() {
		return fmt.Errorf("the folder of %s is unknown", path)
	}
	folder.change(c)
	return nil
}

func (r *replay) open(c *call) error {
	path, _ := c.path(1)
	descriptor, _, _ := strings.Cut(c.result, "<")
	n := r.find(path)
	if n == nil {
		n = newFile()
		if err := r.name(path, change{add: filepath.Base(path), node: n}); err != nil {
			return err
		}
	} else if strings.Contains(c.args[2], "O_TRUNC") {
		n.change(change{truncate: true})
	}
	r.positions[descriptor] = 0
	if strings.Contains(c.args[2], "O_APPEND") {
		r.positions[descriptor] = int64(len(n.now.bytes))
	}
	return nil
}

func (r *replay) write(c *call) error {
	path, _ := c.path(0)
	n := r.find(path)
	if n == nil {
		return fmt.Errorf("%s is unknown", path)
	}
	var size int64
	if _, err := fmt.Sscan(c.result, &size); err != nil {
		return err
	}
	data := c.data(1)
	if int64(len(data)) < size {
		return fmt.Errorf("only %d of %d bytes were recorded", len(data), size)
	}
	descriptor, _, _ := strings.Cut(c.args[0], "<")
	off := r.positions[descriptor]
	if c.name == "pwrite64" {
		var err error
		if off, err = c.number(3); err != nil {
			return err
		}
	} else {
		r.positions[descriptor] += size
	}
	n.change(change{off: off, data: data[:size]})
	return nil
}

func (r *replay) truncate(c *call) error {
	path, _ := c.path(0)
	n := r.find(path)
	size, err := c.number(1)
	if n == nil || err != nil {
		return fmt.Errorf("%s is unknown", path)
	}
	n.change(change{truncate: true, off: size})
	return nil
}

func (r *replay) rename(c *call) error {
	from, to := 0, 1
	if c.name != "rename" {
		from, to = 1, 3
	}
	old, _ := c.path(from)
	path, _ := c.path(to)
	n := r.find(old)
	if n == nil || filepath.Dir(old) != filepath.Dir(path) {
		return fmt.Errorf("%s can't become %s", old, path)
	}
	return r.name(path, change{remove: filepath.Base(old), add: filepath.Base(path), node: n})
}
