package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	ffmpeg "github.com/u2takey/ffmpeg-go"
	"golang.org/x/text/language"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// metadataFile has the title and the chapters of the result, in ffmpeg's working folder. Text of users is never an argument.
const metadataFile = "metadata.txt"

// maxFileTitle is the most characters of a title in the metadata.
const maxFileTitle = 500

// oneLine returns untrusted text for metadata: valid, on one line, and not longer than limit characters.
func oneLine(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.Join(strings.Fields(text), " ")
	if ends := clusterEnds(text); len(ends) > limit {
		text = strings.TrimSpace(text[:ends[limit-1]]) + "…"
	}
	return text
}

// fileTitle returns the title of the file, or "".
func (r Request) fileTitle() string {
	if title := oneLine(r.Title, maxFileTitle); title != "" {
		return title
	}
	return oneLine(r.MediaTitle, maxFileTitle)
}

// languageCode returns the code of a language in a container, or "" if there is none. MP4 has codes of ISO 639-2/T, and WebM those of
// 639-2/B. QuickTime has Macintosh's languages, which ffmpeg knows by names of its own.
func languageCode(c Container, l transcript.Language) string {
	tag, err := language.Parse(string(l))
	base, sure := tag.Base()
	if err != nil || sure != language.Exact {
		return ""
	}
	code := base.ISO3()
	bibliographic := map[string]string{"deu": "ger", "fra": "fre", "nld": "dut", "zho": "chi"}
	macintosh := map[string]string{"deu": "ger", "nld": "dut", "zho": "chi", "swe": "sve"}
	switch c {
	case WebM:
		return cmp.Or(bibliographic[code], code)
	case MOV:
		return cmp.Or(macintosh[code], code)
	}
	return code
}

// addMetadata adds the options for what the result says about itself. Nothing comes from the media's own tags, which may have a place or a
// name.
func (p Plan) addMetadata(options ffmpeg.KwArgs) {
	if code := languageCode(p.request.container, p.spoken); code != "" && p.sound != nil {
		options["metadata:s:a:0"] = "language=" + code
	}
	if p.metadataText() != "" { // withMetadata sets the number. If map_metadata named no kind, ffmpeg would drop the titles of chapters.
		delete(options, "map_metadata")
		options["map_metadata:g"], options["map_metadata:s"] = -1, -1
	}
	if p.cover {
		for _, name := range []string{"c:v", "profile:v", "pix_fmt"} { // not of the cover
			options[strings.TrimSuffix(name, ":v")+":v:0"] = options[name]
			delete(options, name)
		}
		options["c:v:1"], options["disposition:v:1"] = "copy", "attached_pic"
	}
}

// metadataText returns the title and the chapters in ffmpeg's format, or "" if there is neither.
func (p Plan) metadataText() string {
	title := p.request.fileTitle()
	if title == "" && len(p.chapters) == 0 || p.request.container == GIF {
		return ""
	}
	escape := strings.NewReplacer(`\`, `\\`, "=", `\=`, ";", `\;`, "#", `\#`)
	var b strings.Builder
	b.WriteString(";FFMETADATA1\n")
	if title != "" {
		fmt.Fprintf(&b, "title=%s\n", escape.Replace(title))
	}
	for _, c := range p.chapters {
		fmt.Fprintf(&b, "[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=%s\n", c.from.Milliseconds(), c.to.Milliseconds(), escape.Replace(c.title))
	}
	return b.String()
}

// withMetadata adds the file of metadata to ffmpeg's arguments as the last input. ffmpeg-go has no inputs without streams.
func (p Plan) withMetadata(args []string) []string {
	if p.metadataText() == "" {
		return args
	}
	inputs, last := 0, 0
	for i, a := range args {
		if a == "-i" {
			inputs, last = inputs+1, i+2
		}
	}
	args = slices.Insert(args, last, "-f", "ffmetadata", "-protocol_whitelist", "file", "-i", fileURL(metadataFile))
	for _, option := range []string{"-map_chapters", "-map_metadata:g"} {
		args[slices.Index(args, option)+1] = strconv.Itoa(inputs)
	}
	return args
}
