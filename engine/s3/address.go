package s3

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

// maxPrefix is the longest prefix in bytes. An object's name has at most 1,024 bytes.
const maxPrefix = 200

const addressHint = "Use s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION; the prefix is optional."

// Address is a parsed address of a bucket.
type Address struct {
	Bucket   string
	Prefix   string // of object names; "" or ends with "/"
	Endpoint string // "HOST" or "HOST:PORT"
	Secure   bool   // HTTPS
	Region   string
	// PathStyle is "true" for https://HOST/BUCKET, "false" for https://BUCKET.HOST, and "" for what the endpoint is known to need.
	PathStyle string
}

// ParseAddress parses s3://BUCKET[/PREFIX]?endpoint=https://HOST[:PORT]&region=REGION[&path-style=true|false]. Without an endpoint, it is
// Amazon's of the region. The default region is us-east-1, except for Amazon. CodeInvalid for anything else, also for an address with
// credentials.
func ParseAddress(address string) (Address, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil: // the cause has the address, which may have a secret
		return Address{}, invalid("The address of the object store is not a URL.")
	case u.User != nil:
		return Address{}, engine.Errorf(engine.CodeInvalid, op, "The address of the object store must not have credentials.").WithHint(credentialsHint)
	case u.Scheme != "s3" || u.Opaque != "":
		return Address{}, invalid("The address of the object store must begin with s3:// (got %q).", u.Scheme)
	case u.Fragment != "":
		return Address{}, invalid("The address of the object store must not have a fragment.")
	}
	a := Address{Bucket: u.Host}
	if err := s3utils.CheckValidBucketNameStrict(a.Bucket); err != nil {
		return Address{}, invalid("%q is not a valid name of a bucket.", a.Bucket).Because(err)
	}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		if !blob.ValidKey(prefix) || len(prefix) > maxPrefix {
			return Address{}, invalid("%.100q is not a valid prefix: letters, digits, '-', '_', '.', and '/', at most %d bytes.", prefix, maxPrefix)
		}
		a.Prefix = prefix + "/"
	}
	return a, a.parseQuery(u.RawQuery)
}

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, format, args...).WithHint(addressHint)
}

func (a *Address) parseQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return invalid("The query of the object store's address is malformed.")
	}
	for name, values := range query {
		if !slices.Contains([]string{"endpoint", "region", "path-style"}, name) {
			return invalid("The object store's address has the unknown parameter %q.", name)
		}
		if len(values) > 1 {
			return invalid("The object store's address has the parameter %q %d times.", name, len(values))
		}
	}
	a.Region, a.PathStyle = query.Get("region"), query.Get("path-style")
	if !slices.Contains([]string{"", "true", "false"}, a.PathStyle) {
		return invalid("path-style must be true or false (got %q).", a.PathStyle)
	}
	if strings.Trim(a.Region, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return invalid("%q is not a valid region.", a.Region)
	}
	return a.setEndpoint(query.Get("endpoint"))
}

// setEndpoint sets the endpoint, and the region if it has a default.
func (a *Address) setEndpoint(endpoint string) error {
	if endpoint == "" {
		if a.Region == "" {
			return invalid("The object store's address needs an endpoint, or the region of an Amazon bucket.")
		}
		a.Endpoint, a.Secure = "s3."+a.Region+".amazonaws.com", true
		return nil
	}
	u, err := url.Parse(endpoint)
	switch {
	case err != nil:
		return invalid("The endpoint of the object store is not a URL.")
	case u.User != nil:
		return engine.Errorf(engine.CodeInvalid, op, "The endpoint of the object store must not have credentials.").WithHint(credentialsHint)
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !validPort(u) || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return invalid("%q is not a valid endpoint; it must be https://HOST or https://HOST:PORT.", endpoint)
	}
	if _, err := minio.New(u.Host, &minio.Options{}); err != nil {
		return invalid("%q is not a valid endpoint; it must be https://HOST or https://HOST:PORT.", endpoint).Because(err)
	}
	a.Endpoint, a.Secure = u.Host, u.Scheme == "https"
	if a.Region == "" {
		if s3utils.IsAmazonEndpoint(url.URL{Host: u.Hostname()}) {
			return invalid("The address of an Amazon bucket needs its region.")
		}
		a.Region = "us-east-1"
	}
	return nil
}

func validPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	_, _, err := net.SplitHostPort(u.Host)
	port, portErr := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && portErr == nil && port > 0
}

func (a Address) lookup() minio.BucketLookupType {
	switch a.PathStyle {
	case "true":
		return minio.BucketLookupPath
	case "false":
		return minio.BucketLookupDNS
	}
	return minio.BucketLookupAuto
}

// String returns the address.
func (a Address) String() string {
	scheme := "http"
	if a.Secure {
		scheme = "https"
	}
	query := url.Values{"endpoint": {scheme + "://" + a.Endpoint}, "region": {a.Region}}
	if a.PathStyle != "" {
		query.Set("path-style", a.PathStyle)
	}
	u := url.URL{Scheme: "s3", Host: a.Bucket, Path: "/" + strings.TrimSuffix(a.Prefix, "/"), RawQuery: query.Encode()}
	if a.Prefix == "" {
		u.Path = ""
	}
	return u.String()
}
