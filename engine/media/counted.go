package media

import "io"

// Counted returns r, which calls read after each Read with the number of bytes so far.
func Counted(r io.ReadCloser, read func(bytes int64)) io.ReadCloser {
	return &counted{ReadCloser: r, tell: read}
}

type counted struct {
	io.ReadCloser
	read int64
	tell func(bytes int64)
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.read += int64(n)
	c.tell(c.read)
	return n, err
}
