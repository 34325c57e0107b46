package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

// route is one endpoint of /v1.
type route struct {
	method, path string
	tier         engine.Tier // lowest tier that may use it
	handle       func(*api, http.ResponseWriter, *http.Request, engine.Caller) error
}

// routes are the endpoints of /v1.
var routes = []route{
	{"GET", "/v1/spaces", engine.TierCore, (*api).listSpaces},
	{"GET", "/v1/spaces/{space_id}/speakers", engine.TierCore, (*api).listSpeakers},
	{"POST", "/v1/spaces/{space_id}/speakers", engine.TierAutomation, (*api).createSpeaker},
	{"PATCH", "/v1/speakers/{id}", engine.TierAutomation, (*api).updateSpeaker},
	{"POST", "/v1/uploads", engine.TierCore, (*api).createUpload},
	{"GET", "/v1/recordings", engine.TierCore, (*api).listRecordings},
	{"POST", "/v1/recordings", engine.TierCore, (*api).createRecording},
	{"GET", "/v1/recordings/{id}", engine.TierCore, (*api).getRecording},
	{"GET", "/v1/recordings/{id}/transcript", engine.TierCore, (*api).getRecordingTranscript},
	{"GET", "/v1/recordings/{id}/speakers", engine.TierCore, (*api).listLabels},
	{"POST", "/v1/recordings/{id}/speakers/assign", engine.TierAutomation, (*api).assignSpeaker},
	{"POST", "/v1/recordings/{id}/speakers/unassign", engine.TierAutomation, (*api).unassignSpeaker},
	{"POST", "/v1/recordings/{id}/generate", engine.TierAutomation, (*api).generate},
	{"GET", "/v1/recordings/{id}/outputs", engine.TierCore, (*api).listOutputs},
	{"GET", "/v1/recordings/{id}/clip-suggestions", engine.TierPlatform, (*api).listSuggestions},
	{"GET", "/v1/outputs/{id}", engine.TierAutomation, (*api).getOutput},
	{"GET", "/v1/prompts", engine.TierCore, (*api).listPrompts},
	{"POST", "/v1/prompts", engine.TierAutomation, (*api).createPrompt},
	{"POST", "/v1/chat", engine.TierAutomation, (*api).createChat},
	{"GET", "/v1/chat/{id}", engine.TierAutomation, (*api).getChat},
	{"POST", "/v1/imports", engine.TierCore, (*api).createImport},
	{"GET", "/v1/imports/{id}", engine.TierCore, (*api).getImport},
	{"GET", "/v1/search", engine.TierCore, (*api).search},
	{"GET", "/v1/usage", engine.TierPlatform, (*api).getUsage},
	{"POST", "/v1/webhooks", engine.TierAutomation, (*api).createWebhook},
	{"GET", "/v1/webhooks", engine.TierAutomation, (*api).listWebhooks},
	{"GET", "/v1/webhooks/{id}", engine.TierAutomation, (*api).getWebhook},
	{"PATCH", "/v1/webhooks/{id}", engine.TierAutomation, (*api).updateWebhook},
	{"DELETE", "/v1/webhooks/{id}", engine.TierAutomation, (*api).deleteWebhook},
	{"POST", "/v1/webhooks/{id}/test", engine.TierAutomation, (*api).testWebhook},
	{"POST", "/v1/webhooks/{id}/rotate-secret", engine.TierAutomation, (*api).rotateWebhookSecret},
	{"GET", "/v1/webhooks/{id}/deliveries", engine.TierAutomation, (*api).listDeliveries},
	{"POST", "/v1/webhooks/{id}/deliveries/{delivery_id}/replay", engine.TierAutomation, (*api).replayDelivery},
	{"POST", "/v1/transcripts", engine.TierCore, (*api).createTranscript},
	{"GET", "/v1/transcripts/{id}", engine.TierCore, (*api).getTranscript},
	{"POST", "/v1/renders", engine.TierPlatform, (*api).createRender},
	{"GET", "/v1/renders/{id}", engine.TierPlatform, (*api).getRender},
}

// Routes returns the tier of every endpoint of /v1, by "METHOD /path".
func Routes() map[string]string {
	tiers := map[string]string{}
	for _, r := range routes {
		tiers[r.method+" "+r.path] = string(r.tier)
	}
	return tiers
}
