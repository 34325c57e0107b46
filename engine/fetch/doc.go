// Package fetch downloads media from URLs that users supply, and posts webhooks to them, without giving those users
// access to our network (server-side request forgery, CWE-918).
//
// Start with New for downloads, NewSender for webhooks, and NewYTDLP for pages of video and audio sites:
//
//	client := fetch.New(fetch.Config{})
//	info, err := client.Fetch(ctx, engine.FetchRequest{URL: "https://example.com/episode.mp3"}, file)
//
// The guard checks the address of each connection, after the name was resolved and before the first packet is sent. A
// name that resolves differently the second time, a redirect, and an unusual spelling of an address all end at the same
// check. CheckURL and Check also check the form of a URL and the addresses of its name, so that most mistakes are
// reported before anything is downloaded. Safety doesn't depend on them.
//
// The files, in reading order:
//
//   - What may be reached: config.go, url.go and host.go, public.go (which addresses are public), guard.go and transport.go
//     (which connections are made), and lookup.go.
//   - Downloads: client.go, download.go, redirect.go, header.go, body.go (size limit), resume.go (broken connections), watch.go
//     (time limits), page.go (web pages are not media), drive.go and google.go (share links of cloud drives), filename.go, and
//     failure.go (what went wrong, and whether to retry).
//   - Webhooks: sender.go, sendfailure.go, and retryafter.go.
//   - Pages of video and audio sites: ytdlp.go runs yt-dlp through proxy.go. ytdlpformat.go chooses a file, and ytdlpfailure.go
//     explains why there is none.
package fetch
