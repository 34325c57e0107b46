package conformance

import (
	"fmt"
	"net/http"
)

// observedPeople are the rules about speakers, labels, and spaces.
var observedPeople = []rule{
	on("speakers.create.status-201", "createSpeaker", both(answersStatus(http.StatusCreated), answersMembers(object, "speaker"))),
	on("speakers.update.status-200", "updateSpeaker", both(answersStatus(http.StatusOK), answersMembers(object, "speaker"))),
	on("speakers.update.unknown", "updateSpeaker", notFound),
	on("speakers.list.unknown-space", "listSpeakers", unknownResource),
	on("labels.list.shape", "listRecordingSpeakers", both(answersMembers(text, "recording_id"), answersMembers(array, "speakers"), countsItems("speakers"))),
	on("labels.list.unknown", "listRecordingSpeakers", unknownResource),
	on("labels.list.before-completion", "listRecordingSpeakers", func(o *observed) observation {
		if o.ok() && o.history.unfinished(o.Resource) && o.value != nil && len(o.list("speakers")) == 0 {
			return agrees // one with labels may have been completed since
		}
		return silent
	}),
	on("labels.assign.body", "assignSpeaker", both(answersStatus(http.StatusOK), answersMembers(text, "recording_id", "label"), answersMembers(object, "speaker"))),
	on("labels.assign.unknown-label-400", "assignSpeaker", answersWhen(unknownLabel, http.StatusBadRequest)),
	on("labels.assign.foreign-speaker-404", "assignSpeaker", notFound),
	on("labels.unassign.body", "unassignSpeaker", both(answersStatus(http.StatusOK), answersMembers(text, "recording_id", "label"))),
	on("labels.unassign.unknown-label-400", "unassignSpeaker", answersWhen(unknownLabel, http.StatusBadRequest)),
	on("labels.unassign.not-assigned-404", "unassignSpeaker", notFound),
}

// unknownLabel reports whether a label is none of the recording's, as its list has shown them.
func unknownLabel(o *observed) bool {
	labels := o.history.labels[o.Resource]
	return len(labels) > 0 && o.asked("label") != "" && o.asked("speaker_id") != "" && !labels[o.asked("label")] && o.Status != http.StatusNotFound
}

// observedWebhooks are the rules about webhooks.
var observedWebhooks = []rule{
	on("webhooks.create.status-201", "createWebhook", answersStatus(http.StatusCreated)),
	on("webhooks.create.body", "createWebhook", both(answersMembers(filled, "webhook.id"), answersMembers(text, "webhook.url"), answersMembers(array, "webhook.events"))),
	on("webhooks.create.secret", "createWebhook", answersMembers(like("whsec_ and base64", `^whsec_[A-Za-z0-9+/]+=*$`), "webhook.secret")),
	{id: "webhooks.secret-once", ops: []string{"getWebhook", "listWebhooks", "updateWebhook"}, judge: func(o *observed) observation {
		if !o.ok() || o.value == nil {
			return silent
		}
		one, _ := o.at("webhook")
		for _, hook := range append([]any{one}, o.list("webhooks")...) {
			if _, shown := member(hook, "secret"); shown {
				return disagrees("no secret", "a secret")
			}
		}
		return agrees
	}},
	on("webhooks.create.url-required", "createWebhook", answersWhen(lacks("url"), http.StatusBadRequest)),
	on("webhooks.create.events-required", "createWebhook", answersWhen(func(o *observed) bool {
		events, isList := o.sent["events"].([]any)
		return o.sent != nil && (o.sent["events"] == nil || isList && len(events) == 0)
	}, http.StatusBadRequest)),
	on("webhooks.create.known-events", "createWebhook", answersWhen(func(o *observed) bool {
		events, _ := o.sent["events"].([]any)
		for _, e := range events {
			if e != "transcript.completed" && e != "output.completed" {
				return true
			}
		}
		return false
	}, http.StatusBadRequest)),
	on("webhooks.list", "listWebhooks", both(answersMembers(array, "webhooks"), countsItems("webhooks"))),
	on("webhooks.get", "getWebhook", answersMembers(object, "webhook")),
	on("webhooks.get.unknown", "getWebhook", unknownResource),
	on("webhooks.update", "updateWebhook", func(o *observed) observation {
		if !o.ok() || o.sent == nil {
			return silent
		}
		for _, name := range []string{"url", "events", "disabled"} {
			want, asked := o.sent[name]
			if got, _ := o.at("webhook." + name); asked && want != nil && fmt.Sprint(got) != fmt.Sprint(want) {
				return disagrees(name+": "+show(want), got)
			}
		}
		return agrees
	}),
	on("webhooks.delete.status-204", "deleteWebhook", answersStatus(http.StatusNoContent)),
	{id: "webhooks.delete.gone", ops: []string{"getWebhook", "updateWebhook", "deleteWebhook"}, judge: answersWhen(func(o *observed) bool {
		since, gone := o.history.deleted[o.Resource]
		return gone && since.Before(o.Time)
	}, http.StatusNotFound)},
	on("webhooks.test", "testWebhook", answersStatus(http.StatusAccepted)),
	on("webhooks.rotate-secret", "rotateWebhookSecret", answersMembers(like("whsec_ and base64", `^whsec_[A-Za-z0-9+/]+=*$`), "webhook.secret")),
	on("webhooks.deliveries", "listWebhookDeliveries", both(answersMembers(array, "deliveries"), countsItems("deliveries"))),
	on("webhooks.replay", "replayWebhookDelivery", answersStatus(http.StatusAccepted)),
}
