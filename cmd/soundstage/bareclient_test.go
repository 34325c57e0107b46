package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"
)

// bareClient is a minimal HTTP client with its own connection. It uses little CPU time, because clients share the CPUs with the server
// under load.
type bareClient struct {
	host, secret string
	in           *bufio.Reader
	out          *bufio.Writer
}

func (s *benchServer) bareClient(secret string) *bareClient {
	s.b.Helper()
	host := strings.TrimPrefix(s.url, "http://")
	conn, err := net.Dial("tcp", host)
	require.NoError(s.b, err)
	s.b.Cleanup(func() { _ = conn.Close() })
	return &bareClient{host, secret, bufio.NewReader(conn), bufio.NewWriter(conn)}
}

// do sends a request and reads the response. It returns an error if the status is 300 or more.
func (c *bareClient) do(method, path string, in any) error {
	fmt.Fprintf(c.out, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, path, c.host, c.secret)
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(raw), raw)
	} else {
		_, _ = c.out.WriteString("\r\n")
	}
	if err := c.out.Flush(); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, body)
	}
	return err
}
