package enginetest_test

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// faultyContent is a transaction with a fault in the lists of content and webhooks.
type faultyContent struct {
	engine.Tx
	fault string
}

func contentFault(fault string) faultyStore {
	return faultyStore{wrap: func(tx engine.Tx) engine.Tx { return faultyContent{tx, fault} }}
}

// contentFaults is, by the claim that must notice it, what can be wrong with content and webhooks.
var contentFaults = map[string]faultyStore{
	"members of a space are listed by id, each once":                                                      contentFault("members"),
	"prompts of a space are listed oldest first, and leave it when they move":                             contentFault("prompts"),
	"outputs of a recording are listed oldest first, and leave it when they move":                         contentFault("outputs"),
	"suggestions of a recording are listed best first, and of one score by id":                            contentFault("suggestions"),
	"imports of a feed's item are listed oldest first, those of their space only":                         contentFault("imports"),
	"a translation is found by transcript and language, and put again replaces":                           contentFault("translations"),
	"webhooks of a user are listed oldest first, and leave it when they move":                             contentFault("webhooks"),
	"deliveries of a webhook are listed newest first, no more than asked for":                             contentFault("deliveries"),
	"a deleted webhook is gone with its deliveries, and deleting it again is no error":                    contentFault("delete"),
	"deliveries that were over before a time are removed, the first to end first, no more than asked for": contentFault("expire"),
	"times come back in UTC, whatever zone they were put in":                                              contentFault("zone"),
	"an update that fails leaves every row and list as it was":                                            {update: leaky},
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
