package enginetest_test

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// faultyContent is a transaction with a fault in generated content or webhooks.
type faultyContent struct {
	engine.Tx
	fault string
}

func contentFault(fault string) faultyStore {
	return faultyStore{wrap: func(tx engine.Tx) engine.Tx { return faultyContent{tx, fault} }}
}

// contentFaults maps a claim to a fault in content or webhooks that the claim must detect.
var contentFaults = map[string]faultyStore{
	"members of a space are listed by id without duplicates":                                        contentFault("members"),
	"prompts of a space are listed oldest first, without moved ones":                                contentFault("prompts"),
	"outputs of a recording are listed oldest first, without moved ones":                            contentFault("outputs"),
	"suggestions of a recording are listed by score, highest first, then by id":                     contentFault("suggestions"),
	"imports of a feed item in a space are listed oldest first":                                     contentFault("imports"),
	"a translation is found by transcript and language, and Put replaces it":                        contentFault("translations"),
	"webhooks of a user are listed oldest first, without moved ones":                                contentFault("webhooks"),
	"deliveries of a webhook are listed newest first, up to the limit":                              contentFault("deliveries"),
	"deleting a webhook deletes its deliveries, and deleting it again is no error":                  contentFault("delete"),
	"DeleteDeliveries removes deliveries that ended before a time, earliest first, up to the limit": contentFault("expire"),
	"times are returned in UTC":                           contentFault("zone"),
	"a failed update leaves every row and list unchanged": {update: leakyUpdate},
}

func (tx faultyContent) Members(id engine.SpaceID) ([]engine.UserID, error) {
	rows, err := tx.Tx.Members(id)
	if tx.fault == "members" {
		slices.Reverse(rows)
	}
	return rows, err
}

func (tx faultyContent) PutPrompt(p engine.Prompt) error {
	if _, err := tx.Prompt(p.ID); err == nil && tx.fault == "prompts" {
		p.SpaceID = "space"
	}
	return tx.Tx.PutPrompt(p)
}

func (tx faultyContent) PutOutput(o engine.Output) error {
	if tx.fault == "outputs" {
		o.CreatedAt = o.UpdatedAt
	}
	return tx.Tx.PutOutput(o)
}

func (tx faultyContent) Suggestions(id engine.RecordingID) ([]engine.Suggestion, error) {
	rows, err := tx.Tx.Suggestions(id)
	if tx.fault == "suggestions" {
		slices.SortStableFunc(rows, func(a, b engine.Suggestion) int { return strings.Compare(string(a.ID), string(b.ID)) })
	}
	return rows, err
}

func (tx faultyContent) ImportsOfItem(space engine.SpaceID, item string) ([]engine.Import, error) {
	rows, err := tx.Tx.ImportsOfItem(space, item)
	if others, _ := tx.Tx.ImportsOfItem("other", item); tx.fault == "imports" && space != "other" {
		rows = append(rows, others...)
	}
	return rows, err
}

func (tx faultyContent) PutTranslation(t engine.Translation) error {
	if _, err := tx.Translation(t.TranscriptID, t.Language); err == nil && tx.fault == "translations" {
		return nil
	}
	return tx.Tx.PutTranslation(t)
}

func (tx faultyContent) Webhooks(id engine.UserID) ([]engine.Webhook, error) {
	rows, err := tx.Tx.Webhooks(id)
	if tx.fault == "webhooks" {
		slices.Reverse(rows)
	}
	return rows, err
}

func (tx faultyContent) Deliveries(id engine.WebhookID, limit int) ([]engine.Delivery, error) {
	if tx.fault == "deliveries" {
		limit = 1000
	}
	return tx.Tx.Deliveries(id, limit)
}

func (tx faultyContent) DeleteWebhook(id engine.WebhookID) error {
	kept, err := tx.Tx.Deliveries(id, 1000)
	if err != nil {
		return err
	}
	if err := tx.Tx.DeleteWebhook(id); err != nil || tx.fault != "delete" {
		return err
	}
	for _, d := range kept {
		if err := tx.PutDelivery(d); err != nil {
			return err
		}
	}
	return nil
}

func (tx faultyContent) DeleteDeliveries(before time.Time, limit int) (int, error) {
	if tx.fault == "expire" {
		before = before.Add(time.Microsecond)
	}
	return tx.Tx.DeleteDeliveries(before, limit)
}

func (tx faultyContent) Delivery(id engine.DeliveryID) (engine.Delivery, error) {
	d, err := tx.Tx.Delivery(id)
	for i := range d.Attempts {
		if tx.fault == "zone" {
			d.Attempts[i].At = d.Attempts[i].At.In(time.FixedZone("Nepal", 5*3600+45*60))
		}
	}
	return d, err
}
