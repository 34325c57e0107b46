package fetch_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// The file name is the server's, else the path's last segment, and always a safe base name.
func TestFilename(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if d := r.URL.Query().Get("d"); d != "" {
			w.Header().Set("Content-Disposition", d)
		}
		_, _ = w.Write(media())
	})
	long := strings.Repeat("é", 200)
	for _, c := range []struct{ path, disposition, want string }{
		// from the path
		{"/", "", ""},
		{"", "", ""},
		{"/a/b.mp3", "", "b.mp3"},
		{"/a/b/", "", ""},
		{"/episode", "", "episode"},
		{"/my%20show%20%C3%A9.mp3", "", "my show é.mp3"},
		{"/a%2Fb%5Cc.mp3", "", "c.mp3"},
		{"/..%2F..%2Fetc%2Fpasswd", "", "passwd"},
		{"/%2E%2E", "", ""},
		{"/.htaccess", "", "htaccess"},
		{"/%ff%fe.mp3", "", "mp3"},
		// from the header
		{"/x", `attachment; filename="show.mp3"`, "show.mp3"},
		{"/x", `attachment; filename=show.mp3`, "show.mp3"},
		{"/x", `inline; filename="show.mp3"`, "show.mp3"},
		{"/x", `ATTACHMENT; FILENAME="show.mp3"`, "show.mp3"},
		{"/x", `attachment; filename="fallback.mp3"; filename*=UTF-8''%e2%82%ac%20rates.mp3`, "€ rates.mp3"},
		{"/x", `attachment; filename*=UTF-8''%e2%82%ac%20rates.mp3; filename="fallback.mp3"`, "€ rates.mp3"},
		{"/x", `attachment; filename*=utf-8'en'a%2Fb.mp3`, "b.mp3"},
		{"/x", `attachment; filename="é.mp3"`, "é.mp3"},
		{"/x", `attachment; filename="say \"hi\".mp3"`, "say _hi_.mp3"},
		{"/x", `attachment; filename="../../etc/passwd"`, "passwd"},
		{"/x", `attachment; filename="C:\\fakepath\\a.mp3"`, "a.mp3"},
		{"/x", `attachment; filename*=UTF-8''a%00b%0A%1B%5B31mc.mp3`, "ab[31mc.mp3"},
		{"/x", `attachment; filename*=UTF-8''gpj.%E2%80%AE3pm.mp3`, "gpj.3pm.mp3"},
		{"/x", `attachment; filename*=UTF-8''a%E2%80%A8b.mp3`, "ab.mp3"},
		{"/x", `attachment; filename=" . a.mp3 . "`, "a.mp3"},
		{"/x", `attachment; filename="a<b>:c|d?e*.mp3"`, "a_b__c_d_e_.mp3"},
		// nothing usable in the header
		{"/x.mp3", `attachment`, "x.mp3"},
		{"/x.mp3", `attachment; filename=""`, "x.mp3"},
		{"/x.mp3", `attachment; filename=".."`, "x.mp3"},
		{"/x.mp3", `attachment; filename="a/"`, "x.mp3"},
		{"/x.mp3", `attachment; filename="a`, "x.mp3"},
		{"/x.mp3", `filename=a.mp3`, "x.mp3"},
		{"/x.mp3", `attachment; filename="a.mp3"; filename="b.mp3"`, "x.mp3"},
		{"/x.mp3", `attachment; filename*=UTF-8''%ff%fe`, "x.mp3"},
		// too long: the extension stays, and no character is split
		{"/" + long + ".mp3", "", strings.Repeat("é", 125) + ".mp3"},
		{"/" + strings.Repeat("a", 300), "", strings.Repeat("a", 255)},
		{"/a." + strings.Repeat("b", 300), "", "a." + strings.Repeat("b", 253)},
	} {
		address := server.URL + c.path
		if c.disposition != "" {
			address += "?d=" + url.QueryEscape(c.disposition)
		}
		_, info, err := get(private(fetch.Config{}), address)
		require.NoError(t, err)
		require.Equal(t, c.want, info.Filename, "%s %s", c.path, c.disposition)
		require.True(t, utf8.ValidString(info.Filename))
		require.LessOrEqual(t, len(info.Filename), 255)
	}
}
