package record

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Mask replaces a secret.
const Mask = "***"

// maskedSigningSecret replaces a webhook's signing secret. It has the form of one, so that a check of the form still works.
const maskedSigningSecret = "whsec_bWFza2Vk"

// shownHeaders are the headers whose values are recorded; of all others only the name is.
var shownHeaders = map[string]bool{}

func init() {
	for _, name := range []string{
		"Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Origin",
		"Access-Control-Expose-Headers", "Access-Control-Max-Age", "Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Allow", "Cache-Control", "Content-Disposition", "Content-Encoding",
		"Content-Language", "Content-Length", "Content-Range", "Content-Type", "Date", "Deprecation", "Etag", "Expect", "Idempotency-Key",
		"If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Last-Modified", "Link", "Location", "Range",
		"Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset", "Retry-After", "Server", "Strict-Transport-Security", "Sunset", "Transfer-Encoding", "User-Agent", "Vary",
		"Www-Authenticate", "X-Content-Type-Options", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Request-Id", "X-Soundstage-Hint",
		"X-Soundstage-Reason", "X-Soundstage-Warning",
	} {
		shownHeaders[name] = true
	}
}

var (
	signingSecret = lazyregexp.New(`whsec_[A-Za-z0-9+/=_-]+`)
	// secretName matches the name of a header, member, or parameter whose value is a secret.
	secretName = lazyregexp.New(`(?i)(secret|password|passwd|signature|authori[sz]ation|credential|cookie|token|api[-_]?key|access[-_]?key|private[-_]?key|^sig$|^key$|^jwt$|^pwd$)`)
	// harmlessName matches names that secretName matches, but whose values are no secrets.
	harmlessName = lazyregexp.New(`(?i)(max|min|count|limit|used|total|input|output)[-_]?tokens?`)
	// signedName matches a query parameter of a signed URL.
	signedName = lazyregexp.New(`(?i)^(x-amz-|x-goog-|awsaccesskeyid$|googleaccessid$|expires$|policy$|se$|sp$|sv$|kid$|exp$)`)
	// anyURL matches a URL in a text, with JSON escapes in it.
	anyURL = lazyregexp.New(`(?i)https?:(?:\\?/){2}[^\s"'<>{}|^` + "`" + `]+`)
	bearer = lazyregexp.New(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}`)
	// apiSecret matches the API secrets of the service and of similar ones, where no name tells.
	apiSecret = lazyregexp.New(`\b[sr]k_[A-Za-z0-9]+_[A-Za-z0-9_-]{3,}`)
)

// masker masks the texts of one exchange.
type masker struct {
	own   []string        // secrets that the request carried
	names map[string]bool // whether names of members are secret, as far as that is known
}

// newMasker finds the secrets in a request's headers and query.
func newMasker(h http.Header, names map[string]bool) masker {
	m := masker{names: names}
	for name, values := range h {
		if shownHeaders[name] {
			continue
		}
		for _, v := range values {
			for _, part := range []string{v, lastField(v)} {
				if len(part) >= 6 && secretName.MatchString(name) && !slices.Contains(m.own, part) {
					m.own = append(m.own, part)
				}
			}
		}
	}
	return m
}

func lastField(s string) string {
	if f := strings.Fields(s); len(f) > 1 {
		return f[len(f)-1]
	}
	return s
}

// header returns a copy without secrets.
func (m masker) header(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		masked := make([]string, len(values))
		for i, v := range values {
			masked[i] = Mask
			if shownHeaders[name] {
				masked[i] = m.text(v)
			} else if scheme, _, ok := strings.Cut(v, " "); ok && name == "Authorization" && isWord(scheme) {
				masked[i] = scheme + " " + Mask
			}
		}
		out[name] = masked
	}
	return out
}

func isWord(s string) bool {
	return s != "" && len(s) < 20 && !strings.ContainsFunc(s, func(r rune) bool { return (r|0x20 < 'a' || r|0x20 > 'z') && r != '-' })
}

// text masks secrets in any text.
func (m masker) text(s string) string {
	s = m.literal(s)
	if strings.Contains(s, "whsec_") {
		s = signingSecret.ReplaceAllString(s, maskedSigningSecret)
	}
	if strings.Contains(s, "sk_") || strings.Contains(s, "rk_") {
		s = apiSecret.ReplaceAllString(s, Mask)
	}
	if strings.Contains(s, "://") || strings.Contains(s, `:\/\/`) {
		s = anyURL.ReplaceAllStringFunc(s, maskURL)
	}
	if strings.Contains(s, "earer ") || strings.Contains(s, "asic ") {
		s = bearer.ReplaceAllString(s, "$1 "+Mask)
	}
	return s
}

// literal masks the secrets that the request itself carried.
func (m masker) literal(s string) string {
	for _, secret := range m.own {
		if strings.Contains(s, secret) {
			s = strings.ReplaceAll(s, secret, Mask)
		}
		for n := len(secret) - 1; n >= 6; n-- { // the body may have been cut in the secret
			if cut, ok := strings.CutSuffix(s, secret[:n]); ok {
				s = cut + Mask
				break
			}
		}
	}
	return s
}

// maskURL masks the user and the secrets in the query of a URL, which may have JSON escapes.
func maskURL(raw string) string {
	address, query, signed := strings.Cut(raw, "?")
	if scheme, rest, ok := strings.Cut(address, "//"); ok {
		host, path, slash := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = Mask + host[at:]
		}
		if address = scheme + "//" + host; slash {
			address += "/" + path
		}
	}
	if !signed {
		return address
	}
	return address + "?" + maskQuery(strings.ReplaceAll(query, `\u0026`, "&"), false)
}

// parameter matches a parameter of a query, whose separators may be escaped as in JSON or HTML.
var parameter = lazyregexp.New(`([A-Za-z0-9_.~%\[\]-]+)=([^&;#\\\s]*)`)

// longValue is the length from which the value of a parameter is treated as a signature.
const longValue = 32

// maskQuery masks the values of a query. all masks every one; otherwise those whose name or length says that they are secret, and every one if
// the query is that of a signed URL.
func maskQuery(query string, all bool) string {
	names := parameter.FindAllStringSubmatch(query, -1)
	for _, n := range names {
		if name := unescaped(n[1]); isSecretName(name) || signedName.MatchString(name) {
			all = true
		}
	}
	return parameter.ReplaceAllStringFunc(query, func(pair string) string {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && (all || len(value) >= longValue) {
			return name + "=" + Mask
		}
		return pair
	})
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

func isSecretName(name string) bool {
	return secretName.MatchString(name) && !harmlessName.MatchString(name)
}

// query masks the query of a request. The parameters of its operation are shown, those of signed URLs are not.
func (m masker) query(raw, op string, storage bool) string {
	if raw == "" || storage {
		return maskQuery(raw, storage)
	}
	var shown []string
	if i := slices.IndexFunc(api.Operations(), func(o api.Operation) bool { return o.ID == op }); i >= 0 {
		shown = api.Operations()[i].Query
	}
	parts := strings.Split(raw, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		switch {
		case slices.Contains(shown, unescaped(name)):
			parts[i] = m.text(part)
		case value != "":
			parts[i] = name + "=" + Mask
		default:
			parts[i] = m.text(part)
		}
	}
	return strings.Join(parts, "&")
}

// WithoutSecrets returns an exchange as it is recorded, with at most maxBody bytes of each body, and without a number.
func WithoutSecrets(raw Raw, maxBody int) *Exchange { return mask(raw, maxBody, nil) }

// mask returns the exchange without secrets. names remembers which names are secret; it may be nil.
func mask(raw Raw, maxBody int, names map[string]bool) *Exchange {
	m := newMasker(raw.Sent, names)
	x := &Exchange{
		Time: raw.Time.UTC(), Method: raw.Method, Host: raw.Host, Storage: raw.Storage, Status: raw.Status,
		DurationMS: float64(raw.Duration.Microseconds()) / 1000, Error: m.text(raw.Error),
	}
	x.Op, x.Resource = operation(raw)
	x.Path, x.Resource = m.text(raw.Path), m.text(x.Resource)
	x.Query = m.query(raw.Query, x.Op, raw.Storage)
	if scheme, _, ok := strings.Cut(raw.Sent.Get("Authorization"), " "); ok && isWord(scheme) {
		x.Auth = strings.ToLower(scheme)
	} else if raw.Sent.Get("Authorization") != "" {
		x.Auth = "other"
	}
	x.RequestHeaders, x.ResponseHeaders = m.header(raw.Sent), m.header(raw.Received)
	x.RequestBody = m.body(raw.Body, raw.Sent, maxBody)
	x.ResponseBody = m.body(raw.Answer, raw.Received, maxBody)
	return x
}
