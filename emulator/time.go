package emulator

import (
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
)

// worldTime is the clock of a world, and the time that its webhooks are signed with.
type worldTime struct {
	clock *clock.Clock
	wall  atomic.Bool // whether webhooks are signed with this machine's time
}

// newTime sets the clock of a world; that of one that begins with a state begins where that was.
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

// signBy says with which time webhooks are signed, "wall" or "virtual".
func (t *worldTime) signBy(which string) error {
	t.wall.Store(which == string(WebhookWall))
	return nil
}

// signing is the time that a webhook is signed with now.
func (t *worldTime) signing() time.Time {
	if t.wall.Load() {
		return time.Now()
	}
	return t.clock.Now()
}
