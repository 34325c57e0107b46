package fault

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
)

// NoSpace reports whether the operating system returned err because a disk or a quota is full.
func NoSpace(err error) bool { return isAny(err, noSpace) }

// ReadOnly reports whether the operating system returned err because a disk is read-only.
func ReadOnly(err error) bool { return isAny(err, readOnly) }

// NotFolder reports whether the operating system returned err because a part of a path is a file and no folder.
func NotFolder(err error) bool { return isAny(err, notFolder) }

// AddressInUse reports whether the operating system returned err because another socket listens on the address.
func AddressInUse(err error) bool { return isAny(err, addressInUse) }

// Refused reports whether the operating system returned err because nothing listens on the address.
func Refused(err error) bool { return isAny(err, refused) }

// BrokenPipe reports whether the operating system returned err because the other side closed the connection or the pipe.
func BrokenPipe(err error) bool { return isAny(err, brokenPipe) }

// Reason returns why a file can't be used, for a message that names the file: without the path and without the period of Windows.
func Reason(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	return strings.TrimSuffix(err.Error(), ".")
}

func isAny(err error, numbers []syscall.Errno) bool {
	return slices.ContainsFunc(numbers, func(n syscall.Errno) bool { return errors.Is(err, n) })
}
