package files_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

var (
	oldKey = files.Key{ID: "2025", Secret: []byte("0123456789abcdef")}
	newKey = files.Key{ID: "2026", Secret: []byte("fedcba9876543210 and more")}
)

var (
	signTime  = time.Unix(1_800_000_000, 0).UTC()
	putGrant  = files.Grant{Method: "PUT", Key: "uploads/a", ContentType: "audio/wav", Size: 1234, Expires: signTime}
	getGrant  = files.Grant{Method: "GET", Key: "renders/b", Expires: signTime, Filename: `clip "ü" & more=1.mp4`}
	allGrants = []files.Grant{putGrant, getGrant, {Method: "GET", Key: "x", ContentType: "video/mp4", Size: 1, Expires: signTime, Filename: "f"}, sumGrant}
	sumGrant  = files.Grant{Method: "PUT", Key: "uploads/a", ContentType: "audio/wav", Size: 1234, Expires: signTime, SHA256: strings.Repeat("ab", 32)}
)

func newSigner(t testing.TB, keys ...files.Key) *files.Signer {
	t.Helper()
	s, err := files.NewSigner(keys...)
	require.NoError(t, err)
	return s
}

// requireForbidden checks that a request is refused, and not because it expired.
func requireForbidden(t *testing.T, err error, why ...any) {
	t.Helper()
	require.Error(t, err, why...)
	require.Equal(t, engine.CodeForbidden, engine.CodeOf(err), why...)
	require.NotErrorIs(t, err, files.ErrExpired, why...)
}

// A signed URL is valid until its expiry. Then its error differs from that of an unsigned URL.
func TestVerify(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	for _, g := range allGrants {
		query := s.Sign(g)
		got, err := s.Verify(g.Method, g.Key, query, signTime.Add(-time.Nanosecond))
		require.NoError(t, err)
		require.Equal(t, g, got)
		for _, late := range []time.Duration{0, time.Nanosecond, 1000 * time.Hour} {
			_, err = s.Verify(g.Method, g.Key, query, signTime.Add(late))
			requireCode(t, engine.CodeForbidden, err)
			require.ErrorIs(t, err, files.ErrExpired)
			require.Contains(t, engine.Message(err), "expired")
		}
		_, err = s.Verify("DELETE", g.Key, query, signTime)
		requireForbidden(t, err, "an expired URL of another method")
	}
}

// The form of signed URLs doesn't change, so that they stay valid after an update.
func TestSignedForm(t *testing.T) {
	t.Parallel()
	// The signature was computed by another implementation of HMAC (Python's hmac and struct).
	want := "ct=audio%2Fwav&exp=1800000000&kid=2025&sig=" + "u7jPr5dmGCSMGK9zUpH5vVwGwEL9f-CzwhNho0dqVeA" + "&size=1234"
	require.Equal(t, want, newSigner(t, oldKey).Sign(putGrant))
}

// The order and escaping of the parameters don't matter.
func TestVerifySpellings(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey)
	parts := strings.Split(s.Sign(putGrant), "&")
	swapped := strings.Join(append(parts[2:], parts[:2]...), "&")
	for _, query := range []string{swapped, strings.ReplaceAll(swapped, "%2F", "/"), strings.ReplaceAll(swapped, "%2F", "%2f")} {
		got, err := s.Verify(putGrant.Method, putGrant.Key, query, signTime.Add(-time.Second))
		require.NoError(t, err)
		require.Equal(t, putGrant, got)
	}
}

// No part of a signed URL can be changed, removed, repeated, or added.
func TestTampered(t *testing.T) {
	t.Parallel()
	s := newSigner(t, newKey, oldKey)
	now := signTime.Add(-time.Minute)
	for _, g := range allGrants {
		signed := s.Sign(g)
		for _, method := range []string{"", "put", "POST", "HEAD", "DELETE", "PUT ", "GETT"} {
			_, err := s.Verify(method, g.Key, signed, now)
			requireForbidden(t, err, method)
		}
		for _, key := range []string{"", "/" + g.Key, g.Key + "/", g.Key + "x", strings.ToUpper(g.Key), g.Key[1:]} {
			_, err := s.Verify(g.Method, key, signed, now)
			requireForbidden(t, err, key)
		}
		for _, query := range tampered(t, signed) {
			_, err := s.Verify(g.Method, g.Key, query, now)
			requireForbidden(t, err, query)
		}
	}
}

// tampered returns variations of a signed query.
func tampered(t *testing.T, signed string) (queries []string) {
	t.Helper()
	values, err := url.ParseQuery(signed)
	require.NoError(t, err)
	change := func(fn func(url.Values)) {
		v, err := url.ParseQuery(signed)
		require.NoError(t, err)
		fn(v)
		queries = append(queries, v.Encode())
	}
	for name := range values {
		value := values.Get(name)
		for _, other := range []string{"", "0", value + "0", "0" + value, "+" + value, value + " ", value + "=", value[1:], value[:len(value)-1], strings.ToUpper(value), "1e9", "2025"} {
			if other != value {
				change(func(v url.Values) { v.Set(name, other) })
			}
		}
		change(func(v url.Values) { v.Del(name) })
		change(func(v url.Values) { v.Add(name, value) })
		change(func(v url.Values) { v.Add(name, "") })
		change(func(v url.Values) { v.Del(name); v.Set(strings.ToUpper(name), value) })
	}
	for _, name := range []string{"ct", "size", "fn", "sha256", "x", ""} {
		if !values.Has(name) {
			change(func(v url.Values) { v.Set(name, "") })
			change(func(v url.Values) { v.Set(name, "1") })
		}
	}
	return append(queries, "", "&", "?"+signed, signed+"&x=%zz", signed+";x=1", signed+"&"+signed, signed+"#x", "x&"+signed)
}

// Keys rotate in two steps: both keys verify, then the old one is removed. Neither key accepts the other's signature.
func TestRotation(t *testing.T) {
	t.Parallel()
	now := signTime.Add(-time.Minute)
	before, during, later := newSigner(t, oldKey), newSigner(t, newKey, oldKey), newSigner(t, newKey)
	old := before.Sign(putGrant)
	_, err := during.Verify(putGrant.Method, putGrant.Key, old, now)
	require.NoError(t, err)
	require.Equal(t, later.Sign(putGrant), during.Sign(putGrant))
	_, err = later.Verify(putGrant.Method, putGrant.Key, old, now)
	requireForbidden(t, err)
	_, err = during.Verify(putGrant.Method, putGrant.Key, strings.Replace(old, "kid=2025", "kid=2026", 1), now)
	requireForbidden(t, err)
	// The same secret with another ID is another key, because the ID is signed too.
	renamed := newSigner(t, files.Key{ID: "renamed", Secret: oldKey.Secret})
	_, err = renamed.Verify(putGrant.Method, putGrant.Key, strings.Replace(old, "kid=2025", "kid=renamed", 1), now)
	requireForbidden(t, err)
}

// Field boundaries are signed, so that no two grants have the same signature.
func TestFieldsDontRun(t *testing.T) {
	t.Parallel()
	s := newSigner(t, oldKey)
	seen := map[string]files.Grant{}
	for _, g := range []files.Grant{
		{Method: "GET", Key: "ab"}, {Method: "GETa", Key: "b"}, {Method: "GET", Key: "a", ContentType: "b"}, {Method: "GET", Key: "a", Filename: "b"},
		{Method: "GET", Key: "ab0"}, {Method: "GET", Key: "a", Size: 1}, {Method: "GET", Key: "a", Size: 10}, {Method: "GET", Key: "a"},
		{Method: "GET", Key: "a", SHA256: "b"}, {Method: "GET", Key: "a", Filename: "b", SHA256: "b"},
	} {
		g.Expires = signTime
		v, err := url.ParseQuery(s.Sign(g))
		require.NoError(t, err)
		require.NotContains(t, seen, v.Get("sig"))
		seen[v.Get("sig")] = g
	}
}

// NewSigner refuses weak, invalid, and duplicate keys.
func TestUnusableKeys(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]files.Key{
		"none":         {},
		"no id":        {{Secret: oldKey.Secret}},
		"bad id":       {{ID: "a&b", Secret: oldKey.Secret}},
		"short secret": {{ID: "a", Secret: oldKey.Secret[1:]}},
		"one id twice": {oldKey, {ID: oldKey.ID, Secret: newKey.Secret}},
	} {
		_, err := files.NewSigner(keys...)
		requireCode(t, engine.CodeInvalid, err)
		require.NotContains(t, err.Error(), string(oldKey.Secret), name)
	}
	// The signer copies its secrets.
	secret := []byte("0123456789abcdef")
	s := newSigner(t, files.Key{ID: oldKey.ID, Secret: secret})
	clear(secret)
	require.Equal(t, newSigner(t, oldKey).Sign(putGrant), s.Sign(putGrant))
}

// FuzzVerify checks that Verify accepts only what was signed.
func FuzzVerify(f *testing.F) {
	s := newSigner(f, newKey, oldKey)
	old := newSigner(f, oldKey)
	signed := map[files.Grant]bool{}
	for _, g := range allGrants {
		signed[g] = true
		for _, query := range []string{s.Sign(g), old.Sign(g)} {
			f.Add(g.Method, g.Key, query, signTime.Unix()-1)
			f.Add(g.Method, g.Key, query, signTime.Unix())
			f.Add("GET", g.Key, strings.Replace(query, "exp=1", "exp=2", 1), signTime.Unix())
		}
	}
	f.Add("PUT", "uploads/a", "", int64(0))
	f.Fuzz(func(t *testing.T, method, key, query string, now int64) {
		g, err := s.Verify(method, key, query, time.Unix(now, 0))
		switch {
		case err == nil:
			require.True(t, signed[g], "%+v was never signed", g)
			require.Equal(t, method+" "+key, g.Method+" "+g.Key)
			require.Less(t, now, signTime.Unix())
		case errors.Is(err, files.ErrExpired):
			require.GreaterOrEqual(t, now, signTime.Unix())
			fallthrough
		default:
			require.Equal(t, files.Grant{}, g)
			require.Equal(t, engine.CodeForbidden, engine.CodeOf(err))
		}
	})
}
