package api

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// assetTTL is how long the signed URL of a video is valid. The specification does not say.
const assetTTL = time.Hour

const assetType = "video/mp4"

type wireRender struct {
	ID          engine.RenderID     `json:"id"`
	Status      engine.RenderStatus `json:"status"`
	Style       engine.RenderStyle  `json:"style"`
	AspectRatio engine.AspectRatio  `json:"aspect_ratio"`
	StartMS     int64               `json:"start_ms"`
	EndMS       int64               `json:"end_ms"`
	Progress    float64             `json:"progress"`
	Message     string              `json:"message"`
	AssetURL    *string             `json:"asset_url"`
	CreatedAt   string              `json:"created_at"`
}

type renderBody struct {
	Render wireRender `json:"render"`
}

// wireOfRender returns a render with a new signed URL for its video. Errors are those of the storage that signs.
func (a *api) wireOfRender(req *http.Request, c engine.Caller, r engine.Render) (wireRender, error) {
	w := wireRender{
		ID: r.ID, Status: r.Status, Style: r.Style, AspectRatio: r.AspectRatio, StartMS: r.Window.Start.Milliseconds(),
		EndMS: r.Window.End.Milliseconds(), Progress: r.Progress, Message: r.Message, CreatedAt: timestamp(r.CreatedAt),
	}
	if r.Status == engine.RenderCompleted {
		url, err := a.assetURL(req, c, r)
		if err != nil {
			return w, err
		}
		w.AssetURL = &url
	}
	return w, nil
}

func (a *api) writeRender(w http.ResponseWriter, req *http.Request, c engine.Caller, status int, r engine.Render) error {
	wire, err := a.wireOfRender(req, c, r)
	if err != nil {
		return err
	}
	writeJSON(w, status, renderBody{wire})
	return nil
}

// createRender handles POST /v1/renders.
func (a *api) createRender(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	const op = "createRender"
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewRender{
		RecordingID: engine.RecordingID(b.string("recording_id")), AspectRatio: engine.AspectRatio(b.string("aspect_ratio")), Title: b.string("title"),
		Window: transcript.Window{Start: millis(b.int("start_ms")), End: millis(b.int("end_ms"))},
		Snap:   transcript.SnapWord, // specification, "POST /v1/renders": the window snaps to spoken words
	}
	suggestion := b.string("suggestion_id")
	switch {
	case b.first != nil:
		return b.first
	case n.RecordingID == "":
		return engine.Errorf(engine.CodeInvalid, op, "recording_id is required.").WithRule("render.recording-required")
	case suggestion != "" && (b.has("start_ms") || b.has("end_ms")):
		return engine.Errorf(engine.CodeInvalid, op, "Set either suggestion_id, or start_ms and end_ms.").WithRule("render.window-twice")
	case suggestion == "" && (!b.has("start_ms") || !b.has("end_ms")):
		return engine.Errorf(engine.CodeInvalid, op, "start_ms and end_ms are required.").WithRule("render.window-required")
	}
	n.SuggestionID = engine.SuggestionID(suggestion)
	r, err := a.engine.CreateRender(req.Context(), c, n)
	if err != nil {
		return err
	}
	return a.writeRender(w, req, c, http.StatusAccepted, r)
}

// millis converts milliseconds to a duration. It clamps to ±2⁴⁰ ms (35 years), longer than any media, to avoid overflow.
func millis(n int64) time.Duration {
	const most = int64(1 << 40)
	return time.Duration(min(max(n, -most), most)) * time.Millisecond
}

// getRender handles GET /v1/renders/:id.
func (a *api) getRender(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	r, err := a.engine.GetRender(req.Context(), c, engine.RenderID(req.PathValue("id")))
	if err != nil {
		return err
	}
	return a.writeRender(w, req, c, http.StatusOK, r)
}

// baseURL returns the base of signed URLs.
func (a *api) baseURL(req *http.Request) string { return BaseURL(a.publicURL, req) }

// BaseURL returns the address at which the client of a request reaches the server: public, the configured one, or the host of the request,
// which works with any port mapping. X-Forwarded-* headers are never trusted, because a client that connects directly could make the URLs
// point anywhere.
func BaseURL(public string, req *http.Request) string {
	switch {
	case public != "":
		return strings.TrimRight(public, "/")
	case req.TLS != nil:
		return "https://" + req.Host
	}
	return "http://" + req.Host
}

// videoFileName returns the file name for saving a video.
func videoFileName(r engine.Render) string { return formats.FileName(videoTitle(r), ".mp4") }

// videoDisposition returns the Content-Disposition of a video: browsers show it, and save it under videoFileName.
func videoDisposition(r engine.Render) string {
	return "inline" + strings.TrimPrefix(formats.ContentDisposition(videoTitle(r), ".mp4"), "attachment")
}

func videoTitle(r engine.Render) string { return cmp.Or(strings.TrimSpace(r.Title), string(r.Style)) }
