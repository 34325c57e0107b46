package input

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// MaxURL is the longest URL that is taken, in bytes.
const MaxURL = 4096

// BadURL says what is wrong with a URL that can't be used.
const BadURL = "url must be a valid http or https address."

// UsableURL reports whether a URL has the form of one that can be downloaded or sent to.
func UsableURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && len(raw) <= MaxURL && !transcript.HasControl(raw) && utf8.ValidString(raw)
}

// CheckURL reports, as CodeInvalid, that a request's url is missing or none.
func CheckURL(op, raw string) error {
	switch {
	case strings.TrimSpace(raw) == "":
		return fault.Errorf(fault.CodeInvalid, op, "url is required.").WithRule("url.required")
	case !UsableURL(raw):
		return fault.Errorf(fault.CodeInvalid, op, BadURL).WithRule("url.invalid")
	}
	return nil
}
