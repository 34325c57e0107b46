package emulator

import (
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
)

// worldTime is a world's clock and the clock that signs its webhooks.
type worldTime struct {
	clock *clock.Clock
	wall  atomic.Bool // whether the wall clock signs webhooks
}

// newTime returns a world's clock. It starts at the state's time if begin is not nil.
func newTime(o Options, begin *state) (*worldTime, error) {
	setting, err := o.clockSetting()
	if err != nil {
		return nil, err
	}
	if begin != nil {
		setting.Now = begin.clock.Now
	}
	c, err := clock.New(setting)
	t := &worldTime{clock: c}
	t.wall.Store(o.WebhookTime == WebhookWall)
	return t, err
}

// signBy selects the clock that signs webhooks: "wall" or "virtual".
func (t *worldTime) signBy(which string) error {
	t.wall.Store(which == string(WebhookWall))
	return nil
}

// signing returns the time that signs a webhook now.
func (t *worldTime) signing() time.Time {
	if t.wall.Load() {
		return time.Now()
	}
	return t.clock.Now()
}
