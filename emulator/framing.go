package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

const (
	maxHeaderBytes = 16 << 10 // largest size of a request's line and headers together
	headerSlack    = 4 << 10  // what net/http adds to Server.MaxHeaderBytes
)

// framingError returns the JSON form of an error response that net/http wrote itself, because the request never reached a handler. It
// returns nil for everything else.
func framingError(written []byte) []byte {
	line, _, ok := bytes.Cut(written, []byte("\r\n"))
	if !ok || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) || len(line) < len("HTTP/1.1 400") {
		return nil
	}
	text := string(line[len("HTTP/1.1 "):])
	status, err := strconv.Atoi(text[:3])
	if err != nil || status < 400 {
		return nil
	}
	switch status {
	case http.StatusBadRequest:
		sentence := "The request is not valid HTTP."
		if _, detail, ok := bytes.Cut(line, []byte("Bad Request: ")); ok {
			sentence = fmt.Sprintf("The request is not valid HTTP: %s.", detail)
		}
		return errorResponse(status, sentence, "")
	case http.StatusExpectationFailed:
		return errorResponse(status, "The server does not support this Expect header.", "Send Expect: 100-continue, or omit the header.")
	case http.StatusRequestHeaderFieldsTooLarge:
		return errorResponse(status, fmt.Sprintf("The request headers are larger than %d KiB.", maxHeaderBytes>>10), "Send fewer or shorter headers.")
	case http.StatusNotImplemented:
		return errorResponse(status, "The server does not support this Transfer-Encoding.", "Send a Content-Length, or Transfer-Encoding: chunked.")
	case http.StatusHTTPVersionNotSupported:
		return errorResponse(status, "The server does not support this version of HTTP.", "Use HTTP/1.1.")
	}
	return errorResponse(status, http.StatusText(status)+".", "")
}

// errorResponse returns a whole HTTP response with the error body of the specification. It ends the connection.
func errorResponse(status int, sentence, hint string) []byte {
	body, err := json.Marshal(map[string]string{"error": sentence})
	if err != nil {
		panic(err) // a map of strings always encodes
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n", status, http.StatusText(status), len(body)+1)
	if hint != "" {
		fmt.Fprintf(&b, "X-Soundstage-Hint: %s\r\n", hint)
	}
	if status < 500 || status == http.StatusNotImplemented {
		b.WriteString("X-Soundstage-Reason: RFC 9112\r\n")
	}
	if status == http.StatusServiceUnavailable {
		b.WriteString("Retry-After: 1\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	b.WriteByte('\n')
	return b.Bytes()
}
