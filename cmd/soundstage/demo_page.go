package main

import (
	"bytes"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/formats"
)

// page saves the video, and a page that plays it, and returns the path of the page. /v1 has no such format, so the engine writes it, from the
// transcript that /v1 returned.
func (d demoRun) page(transcript []byte) (path string, err error) {
	parsed, err := formats.ParseJSON(bytes.NewReader(transcript))
	if err != nil {
		return "", err
	}
	var page bytes.Buffer
	o := formats.Options{Title: "Two people talking", Names: parsed.Names, Media: "conversation.mp4"}
	if err := formats.WriteHTML(&page, parsed.Transcript, o); err != nil {
		return "", err
	}
	if err := writeFile(filepath.Join(d.dir, o.Media), demoVideo); err != nil {
		return "", err
	}
	path = filepath.Join(d.dir, "conversation.html")
	return path, writeFile(path, page.Bytes())
}
