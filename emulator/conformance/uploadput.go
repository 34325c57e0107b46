package conformance

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
)

var xmlError = regexp.MustCompile(`<Error>\s*<Code>\w+</Code>`)

// putAuthorized sends bytes to an upload's address with the service's Authorization header, which it doesn't need. Only the
// address of the server under check gets one: another storage is no place for a secret.
func (p *probe) putAuthorized(upload answer, content []byte) answer {
	address := upload.text("upload_url")
	a := answer{probe: p, method: http.MethodPut, url: address, as: p.who}
	u, err := url.Parse(address)
	base, baseErr := url.Parse(p.session.config.BaseURL)
	if err != nil || baseErr != nil || u.Host != base.Host {
		p.skip("the storage is not the server's own: it is sent no secret")
	}
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPut, address, bytes.NewReader(content))
	if err != nil {
		p.fail(a, "an address", address)
	}
	req.Header.Set("Content-Type", "audio/wav")
	req.Header.Set("Authorization", "Bearer "+p.session.secrets[platform])
	return p.answer(a, req)
}

// tampered changes one character of the longest value in an address's query, which is its signature; without a query it
// adds one.
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

// wantXML fails unless an answer is an error of the storage.
func (p *probe) wantXML(a answer) {
	p.want(a, xmlError.Match(a.body), "a body <Error><Code>…", p.session.shown(a.body))
}
