package api

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// createRecording handles POST /v1/recordings.
func (a *api) createRecording(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewRecording{
		ObjectID: engine.UploadID(b.string("object_id")), SpaceID: engine.SpaceID(b.string("space_id")), Title: b.string("title"),
		Language: transcript.Language(b.string("language")), ContextPrompt: b.string("context_prompt"),
	}
	speakers := b.int("speakers_expected")
	if b.first == nil && (b.has("speakers_expected") && speakers < 1 || speakers > engine.MaxSpeakersExpected) {
		return engine.Errorf(engine.CodeInvalid, "createRecording", "speakers_expected must be a number from 1 to %d.", engine.MaxSpeakersExpected)
	}
	n.SpeakersExpected = int(speakers)
	if b.first != nil {
		return b.first
	}
	r, s, err := a.engine.CreateRecording(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, recordingBody{wireOfRecording(r, s)})
	return nil
}

// getRecording handles GET /v1/recordings/:id.
func (a *api) getRecording(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	r, s, err := a.engine.GetRecording(req.Context(), c, engine.RecordingID(req.PathValue("id")))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, recordingBody{wireOfRecording(r, s)})
	return nil
}

// listRecordings handles GET /v1/recordings.
func (a *api) listRecordings(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := parseQuery(req)
	if err != nil {
		return err
	}
	l := engine.ListRecordings{SpaceID: engine.SpaceID(q.Get("space_id")), Query: q.Get("query"), Cursor: q.Get("cursor")}
	if l.Limit, err = limitOf(q, engine.MaxPageSize); err != nil {
		return err
	}
	page, err := a.engine.ListRecordings(req.Context(), c, l)
	if err != nil {
		return err
	}
	out := struct {
		Recordings []wireRecording `json:"recordings"`
		Count      int             `json:"count"`
		NextCursor *string         `json:"next_cursor"`
	}{Recordings: make([]wireRecording, len(page.Recordings)), Count: len(page.Recordings)}
	for i, r := range page.Recordings {
		out.Recordings[i] = wireOfRecording(r, page.Spaces[r.SpaceID])
	}
	if page.NextCursor != "" {
		out.NextCursor = &page.NextCursor
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// limitOf returns the limit parameter, at least 1 and at most most. Larger values are clamped; 0 means that it is absent.
func limitOf(q url.Values, most int64) (int, error) {
	if !q.Has("limit") {
		return 0, nil
	}
	text := q.Get("limit")
	n, err := strconv.ParseUint(text, 10, 63) // decimal digits only: no sign
	if errors.Is(err, strconv.ErrRange) {
		n, err = uint64(most), nil // a number beyond int64 is clamped too
	}
	if err != nil || n < 1 {
		return 0, engine.Errorf(engine.CodeInvalid, "limitOf", "limit must be a number from 1 to %d.", most).WithRule("limit.out-of-range")
	}
	return int(min(n, uint64(most))), nil
}

// boolOf returns a boolean parameter, which is true or false and nothing else, or its default when it is absent.
func boolOf(q url.Values, name string, absent bool) (bool, error) {
	if !q.Has(name) {
		return absent, nil
	}
	switch q.Get(name) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return absent, engine.Errorf(engine.CodeInvalid, "boolOf", "%s must be true or false.", name)
}

// transcriptQuery holds the parameters of GET /v1/recordings/:id/transcript.
type transcriptQuery struct {
	language   transcript.Language // "" for the original language
	format     formats.Format
	timestamps bool
}

// readTranscriptQuery parses the parameters of GET /v1/recordings/:id/transcript.
func readTranscriptQuery(req *http.Request, c engine.Caller) (t transcriptQuery, err error) {
	const op = "getRecordingTranscript"
	q, err := parseQuery(req)
	if err != nil {
		return t, err
	}
	if t.language = transcript.Language(q.Get("language")); t.language != "" {
		if err := requireTier(c, engine.TierAutomation); err != nil {
			return t, err
		}
		if !t.language.Supported() {
			return t, engine.Errorf(engine.CodeInvalid, op, "language is not a supported language code.").WithRule("translation.language-unknown")
		}
	}
	name := q.Get("format")
	if !q.Has("format") {
		name = "json"
	}
	ok := false
	if t.format, ok = formats.LookupStandard(name); !ok {
		return t, engine.Errorf(engine.CodeInvalid, op, "format is not a supported transcript format.").WithRule("transcript.format-unknown").
			WithHint("Use one of: " + formatNames() + ".")
	}
	t.timestamps, err = boolOf(q, "include_timestamp", true)
	return t, err
}

// getRecordingTranscript handles GET /v1/recordings/:id/transcript.
func (a *api) getRecordingTranscript(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := readTranscriptQuery(req, c)
	if err != nil {
		return err
	}
	id := engine.RecordingID(req.PathValue("id"))
	var t engine.RecordingTranscript
	if q.language == "" {
		t, err = a.engine.GetRecordingTranscript(req.Context(), c, id)
	} else {
		t, err = a.engine.TranslateTranscript(req.Context(), c, id, q.language)
	}
	if err != nil {
		return err
	}
	var doc bytes.Buffer // buffered, so that an error can still change the status
	if err := q.format.Write(&doc, t.Transcript, formats.Options{
		RecordingID: string(t.Recording.ID), Title: t.Recording.Title, Names: t.Names,
		OmitTimestamps: !q.timestamps && q.format.Name == "txt", // the parameter is for txt only (specification)
		Created:        t.Recording.CreatedAt,
	}); err != nil {
		return err
	}
	w.Header().Set("Content-Type", q.format.ContentType)
	if q.format.Name != "json" {
		w.Header().Set("Content-Disposition", formats.ContentDisposition(documentTitle(t.Recording.Title), q.format.Extension))
	}
	w.Header().Set("Content-Length", strconv.Itoa(doc.Len()))
	_, _ = w.Write(doc.Bytes())
	return nil
}

// documentTitle returns the title for a document's file name: the recording's title without the extension of a media file.
func documentTitle(title string) string {
	ext := path.Ext(title)
	if stem := strings.TrimSuffix(title, ext); stem != "" && slices.Contains(mediaExtensions, strings.ToLower(ext)) {
		return stem
	}
	return title
}

var mediaExtensions = []string{
	".aac", ".aif", ".aiff", ".avi", ".flac", ".m4a", ".m4v", ".mka", ".mkv", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".oga", ".ogg", ".opus",
	".ts", ".wav", ".webm", ".wma", ".wmv",
}

func formatNames() string {
	names := ""
	for i, f := range formats.Standard() {
		if i > 0 {
			names += ", "
		}
		names += f.Name
	}
	return names
}

// parseQuery parses the query. It must be well-formed and valid UTF-8, and have each parameter at most once.
func parseQuery(req *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "parseQuery", "The query string is malformed.").Because(err)
	}
	for name, values := range q {
		if len(values) > 1 {
			return nil, engine.Errorf(engine.CodeInvalid, "parseQuery", "A query parameter is given more than once.")
		}
		if !utf8.ValidString(name) || !utf8.ValidString(values[0]) {
			return nil, engine.Errorf(engine.CodeInvalid, "parseQuery", "The query string is not valid UTF-8.")
		}
	}
	return q, nil
}
