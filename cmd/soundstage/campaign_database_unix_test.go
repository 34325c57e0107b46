//go:build unix

package main

import (
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// PostgreSQL that restarts or crashes, also in the middle of commits, and connections to it that are cut, delayed, or dropped without a
// word, lose nothing that was acknowledged, and make nothing happen twice.
func TestCampaignDatabase(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	n := campaignCycles(4)
	k := newClusterCampaign(t)
	dropped, delayed := 60*time.Second, 20*time.Second
	if *cycles == 0 {
		dropped, delayed = 3*time.Second, 3*time.Second
	}
	restart := func(stop func(testing.TB)) func() {
		return func() {
			stop(t)
			<-time.After(time.Duration(k.rng.IntN(2000)) * time.Millisecond)
			k.pg.Start(t)
		}
	}
	crash, stop := clusterFault{"crash PostgreSQL", restart(k.pg.Crash)}, clusterFault{"restart PostgreSQL", restart(k.pg.Stop)}
	cut := clusterFault{"cut connections", k.database.cut}
	k.cycles(n, []clusterFault{ // without -cycles, the first four
		crash, cut,
		{"delay by 2 s", func() { k.database.delay(2000); <-time.After(delayed); k.database.heal() }},
		{"drop everything", func() { k.database.drop(); <-time.After(dropped); k.database.heal() }},
		stop, crash, crash, crash, stop, cut,
	})
}
