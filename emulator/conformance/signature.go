package conformance

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// signedBy reports whether a secret signed a request as in Standard Webhooks 1.0.0. The header webhook-signature holds
// signatures separated by spaces; one must be "v1," and the base64 HMAC-SHA256 of "id.timestamp.body". The key is the
// base64-decoded part of the secret after "whsec_".
func signedBy(secret string, header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 || !strings.HasPrefix(secret, "whsec_") {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		raw, ok := strings.CutPrefix(signature, "v1,")
		got, err := base64.StdEncoding.DecodeString(raw)
		if ok && err == nil && hmac.Equal(got, want) {
			return true
		}
	}
	return false
}
