// Package fetch downloads what a stranger's URL names, without becoming the stranger's hand inside our network
// (server-side request forgery, CWE-918).
//
// The rule is applied where it can't be gone around: to the address of each connection, after the name was resolved and
// before the first packet is sent. A name that resolves to something else the second time, a redirect and an odd way to
// write an address all end at the same check. What a URL may look like is checked as well (CheckURL), so that most
// mistakes are told in a sentence before anything is resolved; the safety doesn't depend on it.
//
// In reading order: client.go (the download), url.go and host.go, public.go (which addresses are public), guard.go (which connections
// are made), redirect.go, watch.go (time limits), body.go (size limit), page.go (web pages are not media), filename.go and
// failure.go (what went wrong, and whether a later try may do better).
package fetch
