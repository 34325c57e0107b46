package console

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// Player is what a page of WritePlayer shows.
type Player struct {
	Title      string
	Media      string          // its URL: a path relative to the page, percent-encoded, a file URL, or an http(s) URL
	Video      bool            // whether Media has pictures
	Peaks      []float64       // of the waveform, from 0 to 1; nil for none
	Transcript json.RawMessage // in the format json of package formats
}

// PlayerMark is in every page of WritePlayer, near its beginning.
const PlayerMark = `<meta name="generator" content="soundstage player" />`

// The parts of dist/player.html that WritePlayer replaces.
const (
	playerData    = `{"soundstage":"data"}`
	playerTitle   = `<title>Transcript</title>`
	playerCharset = `<meta charset="utf-8" />`
)

// WritePlayer writes a page that works alone, also as a file: a player, and the transcript that follows it. It loads nothing but the media,
// and its Content-Security-Policy says so. CodeInvalid for a Media that isn't what Player says, or a Transcript that isn't JSON.
func WritePlayer(w io.Writer, p Player) error {
	const op = "WritePlayer"
	from, err := playerMediaFrom(p.Media)
	if err != nil {
		return err
	}
	type source struct {
		Src   string `json:"src"`
		Video bool   `json:"video"`
	}
	data, err := json.Marshal(struct { // it escapes <, >, &, and line separators, so the text can't end the element that it is in
		Title      string          `json:"title"`
		Media      source          `json:"media"`
		Peaks      []float64       `json:"peaks,omitempty"`
		Transcript json.RawMessage `json:"transcript"`
	}{p.Title, source{p.Media, p.Video}, p.Peaks, p.Transcript})
	if err != nil {
		return engine.Errorf(engine.CodeInvalid, op, "The transcript of a player must be JSON.").Because(err)
	}
	page, err := fs.ReadFile(dist, "dist/player.html")
	if err != nil {
		return err
	}
	policy, err := playerPolicy(page, from)
	if err != nil {
		return err
	}
	// The policy comes first, because it isn't valid for what is above it. The data comes last, so that nothing is replaced in it.
	head := playerCharset + "\n    <meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\" />\n    " + PlayerMark
	title := "<title>" + html.EscapeString(strings.ToValidUTF8(p.Title, "\uFFFD")) + "</title>"
	for _, r := range [][2]string{{playerCharset, head}, {playerTitle, title}, {playerData, string(data)}} {
		if n := bytes.Count(page, []byte(r[0])); n != 1 {
			return fmt.Errorf("player.html has %d of %s", n, r[0])
		}
		page = bytes.Replace(page, []byte(r[0]), []byte(r[1]), 1)
	}
	_, err = w.Write(page)
	return err
}

// playerMediaFrom returns the sources of the policy that the media may come from. A page next to its media may be moved to a web server.
func playerMediaFrom(media string) (string, error) {
	u, err := url.Parse(media)
	switch {
	case err == nil && u.Scheme == "" && u.Host == "" && u.Path != "", err == nil && u.Scheme == "file":
		return "'self' file:", nil
	case err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "":
		return "http: https:", nil // it may be redirected to another host
	}
	return "", engine.Errorf(engine.CodeInvalid, "WritePlayer", "%q can't be the media of a player.", media).
		WithHint("Use a path relative to the page, or an http or https URL.")
}

// playerPolicy returns the Content-Security-Policy of a page, which allows only the script and the style that the page was built with.
func playerPolicy(page []byte, mediaFrom string) (string, error) {
	script, err := hashBetween(page, `<script type="module">`, "</script>")
	if err != nil {
		return "", err
	}
	style, err := hashBetween(page, "<style>", "</style>")
	return "default-src 'none'; script-src '" + script + "'; style-src '" + style + "'; img-src data:; media-src " + mediaFrom +
		"; base-uri 'none'; form-action 'none'", err
}

// hashBetween returns the source of a policy for the text between two tags.
func hashBetween(page []byte, begin, end string) (string, error) {
	_, rest, found := bytes.Cut(page, []byte(begin))
	text, _, ended := bytes.Cut(rest, []byte(end))
	if !found || !ended {
		return "", fmt.Errorf("player.html has no %s", begin)
	}
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:]), nil
}
