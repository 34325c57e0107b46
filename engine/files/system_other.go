//go:build !windows

package files

import "os"

var openFile, removeFile, renameFile = os.Open, os.Remove, os.Rename

// createNew creates a file that doesn't exist.
func createNew(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
}
