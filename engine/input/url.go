package input

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// MaxURL is the longest URL, in bytes.
const MaxURL = 4096

// BadURL is the message for an unusable URL.
const BadURL = "url must be a valid http or https address."

// UsableURL reports whether a URL has the form of one that can be downloaded or posted to: http or https with a host.
func UsableURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && len(raw) <= MaxURL && !transcript.HasControl(raw) && utf8.ValidString(raw)
}

// CheckURL returns CodeInvalid when a request's url is missing or unusable.
func CheckURL(op, raw string) error {
	switch {
	case strings.TrimSpace(raw) == "":
		return fault.Errorf(fault.CodeInvalid, op, "url is required.").WithRule("url.required")
	case !UsableURL(raw):
		return fault.Errorf(fault.CodeInvalid, op, BadURL).WithRule("url.invalid")
	}
	return nil
}
