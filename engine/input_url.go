package engine

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// maxURL is the longest URL that is taken, in bytes.
const maxURL = 4096

// msgBadURL says what is wrong with a URL that can't be used.
const msgBadURL = "url must be a valid http or https address."

// usableURL reports whether a URL has the form of one that can be downloaded or sent to.
func usableURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && len(raw) <= maxURL && !transcript.HasControl(raw) && utf8.ValidString(raw)
}

// requireURL reports, as fault.CodeInvalid, that a request's url is missing or none.
func requireURL(op, raw string) error {
	switch {
	case strings.TrimSpace(raw) == "":
		return fault.Errorf(fault.CodeInvalid, op, "url is required.").WithRule("url.required")
	case !usableURL(raw):
		return fault.Errorf(fault.CodeInvalid, op, msgBadURL).WithRule("url.invalid")
	}
	return nil
}
