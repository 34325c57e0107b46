package main

import (
	"net/http"
	"os"
	"strings"

	"scenario/client"
)

func (a *actor) subscribe() {
	r := ok(a.api.CreateWebhookWithResponse(a.ctx, client.NewWebhook{
		Url: os.Getenv("HOOK_URL"), Events: []client.EventType{client.EventTypeTranscriptCompleted}, Description: ptr("scenario"),
	}))
	made := want(r, r.JSON201).Webhook
	check(strings.HasPrefix(made.Secret, "whsec_") && !made.Disabled && made.SpaceId == nil, "unexpected webhook: %+v", made)
	id := made.Id.String()

	u := ok(a.api.UpdateWebhookWithResponse(a.ctx, id, client.WebhookChange{
		Events: &[]client.EventType{client.EventTypeTranscriptCompleted, client.EventTypeOutputCompleted},
	}))
	check(len(want(u, u.JSON200).Webhook.Events) == 2, "the update had no effect: %s", u.Body)
	g := ok(a.api.GetWebhookWithResponse(a.ctx, id))
	check(*want(g, g.JSON200).Webhook.Description == "scenario", "unexpected webhook: %s", g.Body)
	l := ok(a.api.ListWebhooksWithResponse(a.ctx))
	check(want(l, l.JSON200).Count > 0, "unexpected list: %s", l.Body)

	a.deliver(id)
	s := ok(a.api.RotateWebhookSecretWithResponse(a.ctx, id))
	check(want(s, s.JSON200).Webhook.Secret != made.Secret, "the secret did not change")
	d := ok(a.api.DeleteWebhookWithResponse(a.ctx, id))
	check(d.StatusCode() == http.StatusNoContent, "status %s: %s", d.Status(), d.Body)
	g = ok(a.api.GetWebhookWithResponse(a.ctx, id))
	check(want(g, g.JSON404).Error != "", "an empty error")
}

// deliver sends a test event and replays it.
func (a *actor) deliver(id string) {
	t := ok(a.api.TestWebhookWithResponse(a.ctx, id))
	sent := want(t, t.JSON202).Delivery
	first := a.delivered(id, sent.Id.String(), 1)
	check(first.EventId == sent.EventId && *first.Attempts[0].StatusCode == http.StatusOK, "unexpected delivery: %+v", first)
	r := ok(a.api.ReplayWebhookDeliveryWithResponse(a.ctx, id, sent.Id.String()))
	check(want(r, r.JSON202).Delivery.EventId == sent.EventId, "different event_id: %s", r.Body)
	a.delivered(id, sent.Id.String(), 2)
}

// delivered waits until a delivery has succeeded after this many attempts.
func (a *actor) delivered(webhook, id string, tries int) (d client.Delivery) {
	until("the delivery", func() bool {
		r := ok(a.api.ListWebhookDeliveriesWithResponse(a.ctx, webhook, &client.ListWebhookDeliveriesParams{Limit: ptr(10)}))
		for _, d = range want(r, r.JSON200).Deliveries {
			if d.Id.String() == id {
				return d.Status == client.DeliveryStatusDelivered && len(d.Attempts) == tries
			}
		}
		fail("the log lacks the delivery: %s", r.Body)
		return false
	})
	return d
}
