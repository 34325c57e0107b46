package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// mediaWorld is the part of World for the media of its recordings.
type mediaWorld interface {
	// RecordingMedia describes the media of a recording. CodeNotFound.
	RecordingMedia(ctx context.Context, id engine.RecordingID) (engine.Recording, engine.BlobInfo, engine.Source, error)
	// RecordingPeaks returns at most n peaks of a recording's sound, from 0 to 1. CodeNotFound, CodeBadMedia.
	RecordingPeaks(ctx context.Context, id engine.RecordingID, n int) ([]float64, error)
}

// mediaInfo describes the media of a recording.
type mediaInfo struct {
	URL         string `json:"url"`
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	HasVideo    bool   `json:"has_video"`
	DurationMS  int64  `json:"duration_ms"`
}

// peakList is the waveform of a recording.
type peakList struct {
	Peaks []float64 `json:"peaks"`
}

const (
	defaultPeaks = 1000
	maxPeaks     = 10_000
)

// mediaRoutes are the endpoints for the media of recordings, which /v1 never gives back.
var mediaRoutes = routes{
	"GET /_soundstage/recordings/{id}/media":         getMedia,
	"GET /_soundstage/recordings/{id}/media/content": getMediaContent,
	"GET /_soundstage/recordings/{id}/media/peaks":   getMediaPeaks,
}

// getMedia handles GET /_soundstage/recordings/{id}/media.
func getMedia(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	r, info, _, err := world.RecordingMedia(req.Context(), engine.RecordingID(req.PathValue("id")))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, mediaInfo{
		URL:         req.URL.EscapedPath() + "/content?" + url.Values{"world": {world.Name()}}.Encode(),
		ContentType: info.ContentType, Size: info.Size, HasVideo: r.HasVideo, DurationMS: r.Duration.Milliseconds(),
	})
	return nil
}

// getMediaContent handles GET /_soundstage/recordings/{id}/media/content: the bytes, whole or in ranges (RFC 9110, section 14).
func getMediaContent(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	_, info, src, err := world.RecordingMedia(req.Context(), engine.RecordingID(req.PathValue("id")))
	if err != nil {
		return err
	}
	// Users chose the type. A browser must never run what they uploaded as a page of the sandbox.
	kind := info.ContentType
	if !strings.HasPrefix(kind, "audio/") && !strings.HasPrefix(kind, "video/") {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprintf("%x", info.SHA256)))
	body := &sourceReader{ctx: req.Context(), src: src}
	defer body.close()
	files.ServeContent(w, req, info.ModTime, src.Size(), body)
	return nil
}

// getMediaPeaks handles GET /_soundstage/recordings/{id}/media/peaks?count=.
func getMediaPeaks(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	n := defaultPeaks
	if s := req.URL.Query().Get("count"); s != "" {
		if n, err = strconv.Atoi(s); err != nil || n < 1 || n > maxPeaks {
			return engine.Errorf(engine.CodeInvalid, "control", "count must be a number from 1 to %d (got %q).", maxPeaks, s)
		}
	}
	peaks, err := world.RecordingPeaks(req.Context(), engine.RecordingID(req.PathValue("id")), n)
	if err == nil {
		writeJSON(w, http.StatusOK, peakList{peaks})
	}
	return err
}

// sourceReader is the io.ReadSeeker of a Source for http.ServeContent. Seeking is free; the first Read opens the source at the offset.
type sourceReader struct {
	ctx  context.Context
	src  engine.Source
	off  int64
	body io.ReadCloser
}

func (s *sourceReader) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += s.off
	case io.SeekEnd:
		off += s.src.Size()
	}
	if off < 0 {
		return 0, errors.New("seek before the beginning")
	}
	s.close()
	s.off = off
	return off, nil
}

func (s *sourceReader) Read(p []byte) (int, error) {
	if s.off >= s.src.Size() {
		return 0, io.EOF
	}
	if s.body == nil {
		body, err := s.src.Open(s.ctx, s.off, -1)
		if err != nil {
			return 0, err
		}
		s.body = body
	}
	n, err := s.body.Read(p)
	s.off += int64(n)
	return n, err
}

func (s *sourceReader) close() {
	if s.body != nil {
		_ = s.body.Close()
		s.body = nil
	}
}
