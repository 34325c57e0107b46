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

// Grant is what a signed address allows: one method on one object, until it expires.
type Grant struct {
	Method      string // "PUT" or "GET"
	Key         string // name of the object
	ContentType string // that a PUT must carry, or a GET answers with; "" when nothing is said
	Size        int64  // bytes that a PUT must carry; 0 when nothing is said
	Expires     time.Time
	Filename    string // that a GET suggests; "" when none
}

// The query parameters of a signed address. Method and object are signed too, but stand elsewhere in the request.
const (
	paramType     = "ct"
	paramSize     = "size"
	paramExpires  = "exp" // Unix seconds
	paramFilename = "fn"
	paramKeyID    = "kid"
	paramMAC      = "sig"
)

// values is the one spelling of a grant as query parameters.
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
	return v
}

// mac is base64url(HMAC-SHA256 of all fields). Each field has its length before it: else "ab"+"c" would be "a"+"bc".
func (g Grant) mac(k Key) string {
	h := hmac.New(sha256.New, k.Secret)
	for _, field := range []string{
		"soundstage address 1", k.ID, g.Method, g.Key, g.ContentType, strconv.FormatInt(g.Size, 10),
		strconv.FormatInt(g.Expires.Unix(), 10), g.Filename,
	} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write([]byte(field))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// parseGrant reads what values wrote. What it can't read it leaves at zero, which then isn't what was signed.
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
		Expires: time.Unix(number(paramExpires), 0).UTC(), Filename: v.Get(paramFilename),
	}
}
