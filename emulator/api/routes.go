package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// route is one operation of /v1.
type route struct {
	method, path string
	tier         engine.Tier // the least that the caller's plan must grant
	handle       func(*api, http.ResponseWriter, *http.Request, engine.Caller) error
}

// routes is every operation of /v1.
var routes = []route{
	{"GET", "/v1/spaces", engine.TierCore, (*api).listSpaces},
	{"POST", "/v1/uploads", engine.TierCore, (*api).createUpload},
	{"GET", "/v1/recordings", engine.TierCore, (*api).listRecordings},
	{"POST", "/v1/recordings", engine.TierCore, (*api).createRecording},
	{"GET", "/v1/recordings/{id}", engine.TierCore, (*api).getRecording},
	{"GET", "/v1/recordings/{id}/transcript", engine.TierCore, (*api).getRecordingTranscript},
	{"POST", "/v1/transcripts", engine.TierCore, (*api).createTranscript},
	{"GET", "/v1/transcripts/{id}", engine.TierCore, (*api).getTranscript},
	{"POST", "/v1/renders", engine.TierPlatform, (*api).createRender},
	{"GET", "/v1/renders/{id}", engine.TierPlatform, (*api).getRender},
}

// Routes returns the tier of every operation of /v1, by "METHOD /path".
func Routes() map[string]string {
	tiers := map[string]string{}
	for _, r := range routes {
		tiers[r.method+" "+r.path] = string(r.tier)
	}
	return tiers
}
