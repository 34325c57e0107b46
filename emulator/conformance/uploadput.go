package conformance

import (
	"bytes"
	"net/http"
	"net/url"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

var xmlError = lazyregexp.New(`<Error>\s*<Code>\w+</Code>`)

// putAuthorized sends bytes to an upload's URL with an Authorization header. It skips the check if the storage is another
// host than the server, so the secret never leaves the server.
func (p *probe) putAuthorized(upload answer, content []byte) answer {
	address := upload.text("upload_url")
	a := answer{probe: p, method: http.MethodPut, url: address, as: p.who}
	if p.elsewhere(upload) {
		p.skip("the storage is another host, which must not receive the secret")
	}
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPut, address, bytes.NewReader(content))
	if err != nil {
		p.fail(a, "a valid URL", address)
	}
	req.Header.Set("Content-Type", "audio/wav")
	req.Header.Set("Authorization", "Bearer "+p.session.secrets[platform])
	return p.answer(a, req)
}

// elsewhere reports whether the storage of an upload is another host than the server.
func (p *probe) elsewhere(upload answer) bool {
	u, err := url.Parse(upload.text("upload_url"))
	base, baseErr := url.Parse(p.session.config.BaseURL)
	return err != nil || baseErr != nil || u.Host != base.Host
}

// tampered changes one character of the longest value in a URL's query, which is its signature. Without a query it adds one.
func tampered(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	q, longest := u.Query(), ""
	for name := range q {
		if longest == "" || len(q.Get(name)) > len(q.Get(longest)) || len(q.Get(name)) == len(q.Get(longest)) && name < longest {
			longest = name
		}
	}
	value := []byte(q.Get(longest) + "00")
	flip := byte('1')
	if value[len(value)/2] == flip {
		flip = '2'
	}
	value[len(value)/2] = flip
	q.Set(longest, string(value[:len(value)-2]))
	u.RawQuery = q.Encode()
	return u.String()
}

// wantXML fails the check unless the body is an XML error of the storage.
func (p *probe) wantXML(a answer) {
	p.want(a, xmlError.Match(a.body), "a body <Error><Code>…", p.session.shown(a.body))
}
