package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Events of a resource at one time have its final status, whichever job was recorded first. Other times and resources keep theirs.
func TestSettleStatuses(t *testing.T) {
	t.Parallel()
	at := time.Unix(1, 0)
	events := []JobEvent{
		{At: at, Resource: "a", Status: "processing"}, {At: at, Resource: "a", Status: "completed", terminal: true},
		{At: at, Resource: "b", Status: "processing"}, {At: at.Add(1), Resource: "a", Status: "processing"},
	}
	settleStatuses(events)
	var got []string
	for _, e := range events {
		got = append(got, e.Status)
	}
	require.Equal(t, []string{"completed", "completed", "processing", "processing"}, got)
}
