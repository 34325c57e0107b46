package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

const prefix = "whsec_"

// NewSecret returns a secret of 32 random bytes in the form of Standard Webhooks. CodeInternal when random fails.
func NewSecret(random io.Reader) (string, error) {
	var b [32]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fault.Errorf(fault.CodeInternal, "NewSecret", "").Because(err)
	}
	return prefix + base64.StdEncoding.EncodeToString(b[:]), nil
}

// Sign returns a signature of Standard Webhooks 1.0.0: "v1," and the base64 of HMAC-SHA256 over "id.timestamp.body" with the
// secret's bytes.
func Sign(secret, id string, at time.Time, body []byte) (string, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, prefix))
	if err != nil || len(key) == 0 {
		return "", fault.Errorf(fault.CodeInternal, "Sign", "").Because(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}
