package files

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strconv"
	"time"
)

// Grant is what a signed URL allows: one method on one object, until it expires.
type Grant struct {
	Method      string // "PUT" or "GET"
	Key         string // name of the object
	ContentType string // required for a PUT, returned for a GET; "" for any
	Size        int64  // required size of a PUT in bytes; 0 for any
	Expires     time.Time
	Filename    string // suggested by a GET; "" for none
	SHA256      string // required of a PUT's bytes, lower-case hexadecimal; "" for any
	Replaceable bool   // whether a PUT may replace the object; only Direct reads it
}

// The query parameters of a signed URL. The signature also covers the method and object, which are not parameters.
const (
	paramType     = "ct"
	paramSize     = "size"
	paramExpires  = "exp" // Unix seconds
	paramFilename = "fn"
	paramSHA256   = "sha256"
	paramReplace  = "replace" // "1" if Replaceable
	paramKeyID    = "kid"
	paramMAC      = "sig"
)

// values returns the canonical query parameters of a grant.
func (g Grant) values(k Key) url.Values {
	v := url.Values{
		paramExpires: {strconv.FormatInt(g.Expires.Unix(), 10)},
		paramKeyID:   {k.ID},
		paramMAC:     {g.mac(k)},
	}
	if g.ContentType != "" {
		v.Set(paramType, g.ContentType)
	}
	if g.Size != 0 {
		v.Set(paramSize, strconv.FormatInt(g.Size, 10))
	}
	if g.Filename != "" {
		v.Set(paramFilename, g.Filename)
	}
	if g.SHA256 != "" {
		v.Set(paramSHA256, g.SHA256)
	}
	if g.Replaceable {
		v.Set(paramReplace, "1")
	}
	return v
}

// mac returns base64url(HMAC-SHA256 of all fields). Each field is prefixed by its length, so that "ab"+"c" differs from "a"+"bc".
func (g Grant) mac(k Key) string {
	h := hmac.New(sha256.New, k.Secret)
	fields := []string{
		"soundstage address 1", k.ID, g.Method, g.Key, g.ContentType, strconv.FormatInt(g.Size, 10),
		strconv.FormatInt(g.Expires.Unix(), 10), g.Filename,
	}
	if g.SHA256 != "" { // left out otherwise, so that older addresses stay valid
		fields = append(fields, g.SHA256)
	}
	if g.Replaceable { // no SHA-256 looks like it
		fields = append(fields, "replaceable")
	}
	for _, field := range fields {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write([]byte(field))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// parseGrant parses the parameters of values. Invalid fields stay zero, so that the signature doesn't match.
func parseGrant(method, key string, v url.Values) Grant {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(v.Get(name), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return Grant{
		Method: method, Key: key, ContentType: v.Get(paramType), Size: number(paramSize),
		Expires: time.Unix(number(paramExpires), 0).UTC(), Filename: v.Get(paramFilename), SHA256: v.Get(paramSHA256),
		Replaceable: v.Get(paramReplace) == "1",
	}
}
