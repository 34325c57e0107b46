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
	n := campaignCycles(1)
	k := newClusterCampaign(t)
	dropped, delayed := 60*time.Second, 20*time.Second
	restart := func(stop func(testing.TB)) func() {
		return func() {
			stop(t)
			<-time.After(time.Duration(k.rng.IntN(2000)) * time.Millisecond)
			k.pg.Start(t)
		}
	}
	crash := clusterFault{"crash PostgreSQL", restart(k.pg.Crash)}
	k.cycles(n, []clusterFault{
		crash,
		{"cut connections", k.database.cut},
		{"delay by 2 s", func() { k.database.delay(2000); <-time.After(delayed); k.database.heal() }},
		{"restart PostgreSQL", restart(k.pg.Stop)}, crash, crash,
		{"drop everything", func() { k.database.drop(); <-time.After(dropped); k.database.heal() }},
		crash, {"restart PostgreSQL", restart(k.pg.Stop)}, {"cut connections", k.database.cut},
	})
}
