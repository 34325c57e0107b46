package sqlite_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// The CHECK of each status column allows exactly the states of its machine.
func TestChecksAreTheMachines(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	openAt(t, path)
	machines := map[string]string{
		"uploads.status": "upload", "recordings.transcript_status": "transcript", "transcripts.status": "transcript", "jobs.status": "job", "renders.status": "render",
		"outputs.status": "output", "chats.status": "chat", "imports.status": "import", "deliveries.status": "delivery",
	}
	states := map[string][]string{}
	for _, m := range engine.Machines() {
		states[m.Name] = slices.Sorted(slices.Values(m.States))
	}
	column := regexp.MustCompile(`(\w*status)\s+TEXT NOT NULL(?: CHECK \((\w+) IN \(([^)]*)\)\))?`)
	found := map[string]string{}
	for _, sql := range queryFile(t, path, "SELECT sql FROM sqlite_master WHERE type = 'table'") {
		table := strings.Fields(sql)[2]
		require.Contains(t, sql, "STRICT", table)
		for _, m := range column.FindAllStringSubmatch(sql, -1) {
			name := table + "." + m[1]
			found[name] = machines[name]
			require.Equal(t, m[1], m[2], "%s has no CHECK", name)
			require.Equal(t, states[machines[name]], list(m[3]), name)
		}
	}
	require.Equal(t, machines, found)
	for _, m := range engine.Machines() {
		require.Contains(t, slices.Collect(maps.Values(machines)), m.Name, "the machine has no column")
	}
}

// The conditions of the partial indexes match the engine's predicates on states.
func TestIndexesAreTheMachine(t *testing.T) {
	t.Parallel()
	conditions := map[string]func(queue.Status) bool{
		sqlite.Live:     func(s queue.Status) bool { return !s.Terminal() },
		sqlite.Finished: queue.Status.Terminal,
		sqlite.Waiting:  queue.Status.Waiting,
		sqlite.Running:  func(s queue.Status) bool { return s == queue.Running },
	}
	for condition, in := range conditions {
		require.Equal(t, statesOf("job", in), list(condition), condition)
	}
	require.Equal(t, statesOf("delivery", engine.DeliveryStatus.Over), list(sqlite.DeliveriesOver))
}

// statesOf returns the states of a machine for which in is true, sorted.
func statesOf[S ~string](machine string, in func(S) bool) []string {
	var found []string
	i := slices.IndexFunc(engine.Machines(), func(m engine.Machine) bool { return m.Name == machine })
	for _, s := range engine.Machines()[i].States {
		if in(S(s)) {
			found = append(found, s)
		}
	}
	slices.Sort(found)
	return found
}

// list returns the quoted words of a text, sorted.
func list(text string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(text, -1) {
		words = append(words, m[1])
	}
	slices.Sort(words)
	return words
}
