// Package fetch downloads what a stranger's URL names, and posts to it, without becoming the stranger's hand inside our network
// (server-side request forgery, CWE-918).
//
// The rule is applied where it can't be gone around: to the address of each connection, after the name was resolved and
// before the first packet is sent. A name that resolves to something else the second time, a redirect and an odd way to
// write an address all end at the same check. What a URL may look like is checked as well (CheckURL), and what its name
// resolves to (Check), so that most mistakes are told in a sentence before anything is downloaded; the safety doesn't depend
// on it.
//
// In reading order:
//
//   - What may be reached: config.go, url.go and host.go, public.go (which addresses are public), guard.go and transport.go
//     (which connections are made), lookup.go.
//   - Downloads: client.go, download.go, redirect.go, header.go, body.go (size limit), resume.go (after a break), watch.go (time
//     limits), page.go (web pages are not media), drive.go and google.go (sharing links of cloud drives), filename.go and
//     failure.go (what went wrong, and whether a later try may do better).
//   - Webhooks: sender.go, sendfailure.go, retryafter.go.
//   - Pages of video-sharing, short-video and audio-streaming sites: ytdlp.go runs yt-dlp, behind proxy.go; ytdlpformat.go
//     chooses a file, ytdlpfailure.go says why there is none.
package fetch
