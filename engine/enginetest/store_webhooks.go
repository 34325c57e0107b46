package enginetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// webhookCases returns the claims about listing and deleting webhooks and their deliveries.
func webhookCases() []storeCase {
	return []storeCase{
		{"webhooks of a user are listed oldest first, without moved ones", webhooksOfUser},
		{"deliveries of a webhook are listed newest first, up to the limit", deliveriesOfWebhook},
		{"deleting a webhook deletes its deliveries, and deleting it again is no error", deletedWebhook},
		{"DeleteDeliveries removes deliveries that ended before a time, earliest first, up to the limit", expiredDeliveries},
	}
}

func webhooksOfUser(t *testing.T, s engine.Store) {
	for _, row := range byAge {
		write(t, s, engine.Tx.PutWebhook, engine.Webhook{ID: engine.WebhookID(row.id), UserID: "me", CreatedAt: at(row.seconds)})
	}
	write(t, s, engine.Tx.PutWebhook, engine.Webhook{ID: "moves", UserID: "me"}, engine.Webhook{ID: "moves", UserID: "you"})
	id := func(w engine.Webhook) engine.WebhookID { return w.ID }
	requireList(t, s, engine.ReadTx.Webhooks, id, "me", oldestFirst)
	requireList(t, s, engine.ReadTx.Webhooks, id, "you", []string{"moves"})
	requireList(t, s, engine.ReadTx.Webhooks, id, "nobody", []string{})
}

func newDelivery(id string, webhook engine.WebhookID, seconds int) engine.Delivery {
	return engine.Delivery{ID: engine.DeliveryID(id), WebhookID: webhook, Status: engine.DeliveryPending, CreatedAt: at(seconds)}
}

// requireDeliveries fails the test unless the list of a webhook's deliveries has the wanted ids.
func requireDeliveries(t *testing.T, s engine.Store, webhook engine.WebhookID, limit int, want []string) {
	t.Helper()
	list := func(tx engine.ReadTx, limit int) ([]engine.Delivery, error) { return tx.Deliveries(webhook, limit) }
	requireList(t, s, list, func(d engine.Delivery) engine.DeliveryID { return d.ID }, limit, want)
}

func deliveriesOfWebhook(t *testing.T, s engine.Store) {
	for _, row := range byAge {
		write(t, s, engine.Tx.PutDelivery, newDelivery(row.id, "webhook", row.seconds))
	}
	write(t, s, engine.Tx.PutDelivery, newDelivery("x", "other", 0), newDelivery("ages", "webhook", 9), newDelivery("ages", "webhook", -9))
	newestFirst := []string{"ä", "b", "a", "B", "c", "d", "ages"}
	for _, limit := range []int{-1, 0, 1, 3, 6, 7, 8, 1000} {
		requireDeliveries(t, s, "webhook", limit, newestFirst[:max(0, min(limit, len(newestFirst)))])
	}
	requireDeliveries(t, s, "other", 9, []string{"x"})
	requireDeliveries(t, s, "none", 9, []string{})
}

func deletedWebhook(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutWebhook, engine.Webhook{ID: "a", UserID: "me"}, engine.Webhook{ID: "b", UserID: "me"})
	for i := range 3 {
		write(t, s, engine.Tx.PutDelivery, newDelivery(fmt.Sprint("a", i), "a", i), newDelivery(fmt.Sprint("b", i), "b", i))
	}
	id := func(w engine.Webhook) engine.WebhookID { return w.ID }
	require.ErrorIs(t, s.Update(t.Context(), func(tx engine.Tx) error { return errors.Join(tx.DeleteWebhook("a"), errTest) }), errTest)
	requireList(t, s, engine.ReadTx.Webhooks, id, "me", []string{"a", "b"})
	requireDeliveries(t, s, "a", 9, []string{"a2", "a1", "a0"})
	for range 2 {
		update(t, s, func(tx engine.Tx) error { return errors.Join(tx.DeleteWebhook("a"), tx.DeleteWebhook("never")) })
		requireList(t, s, engine.ReadTx.Webhooks, id, "me", []string{"b"})
		requireDeliveries(t, s, "a", 9, []string{})
		requireDeliveries(t, s, "b", 9, []string{"b2", "b1", "b0"})
	}
	_, err := tryRead(t, s, func(tx engine.ReadTx) (engine.Webhook, error) { return tx.Webhook("a") })
	requireCode(t, engine.CodeNotFound, err)
	_, err = tryRead(t, s, func(tx engine.ReadTx) (engine.Delivery, error) { return tx.Delivery("a1") })
	requireCode(t, engine.CodeNotFound, err)
}

func expiredDeliveries(t *testing.T, s engine.Store) {
	for i, d := range []struct {
		id     engine.DeliveryID
		status engine.DeliveryStatus
		ended  int
	}{
		{"d", engine.DeliveryDelivered, 4}, {"a", engine.DeliveryFailed, 1}, {"c", engine.DeliveryDelivered, 2}, {"b", engine.DeliveryDelivered, 2},
		{"pending", engine.DeliveryPending, 0}, {"retrying", engine.DeliveryRetrying, 0}, {"replayed", engine.DeliveryFailed, 0},
	} {
		write(t, s, engine.Tx.PutDelivery, engine.Delivery{
			ID: d.id, WebhookID: engine.WebhookID(fmt.Sprint(i % 2)), Status: d.status, CreatedAt: at(-i), UpdatedAt: at(d.ended),
		})
	}
	write(t, s, engine.Tx.PutDelivery, engine.Delivery{ID: "replayed", WebhookID: "0", Status: engine.DeliveryPending, CreatedAt: at(-6), UpdatedAt: at(0)})
	remove := func(before, limit, want int) {
		t.Helper()
		update(t, s, func(tx engine.Tx) error {
			n, err := tx.DeleteDeliveries(at(before), limit)
			require.Equal(t, want, n)
			return err
		})
	}
	requireLeft := func(even, odd []string) {
		t.Helper()
		requireDeliveries(t, s, "0", 9, even)
		requireDeliveries(t, s, "1", 9, odd)
	}
	for _, none := range []int{-1, 0} {
		remove(9, none, 0)
	}
	remove(1, 9, 0)
	requireLeft([]string{"d", "c", "pending", "replayed"}, []string{"a", "b", "retrying"})
	require.ErrorIs(t, s.Update(t.Context(), func(tx engine.Tx) error {
		_, err := tx.DeleteDeliveries(at(9), 9)
		return errors.Join(err, errTest)
	}), errTest)
	remove(3, 2, 2)
	requireLeft([]string{"d", "c", "pending", "replayed"}, []string{"retrying"})
	remove(4, 9, 1)
	remove(4, 9, 0)
	requireLeft([]string{"d", "pending", "replayed"}, []string{"retrying"})
	remove(5, 9, 1)
	requireLeft([]string{"pending", "replayed"}, []string{"retrying"})
}
