package fsm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fsm"
)

type (
	state string
	event string
)

func door() *fsm.Machine[state, event] {
	return fsm.New("door", "open", fsm.Table[state, event]{
		"open":   {"close": "closed"},
		"closed": {"open": "open", "lock": "locked", "break": "broken"},
		"locked": {"unlock": "closed"},
		"broken": {},
	})
}

// Next returns the next state for an allowed event. Otherwise the state is unchanged, and the error names the machine, state, and event.
func TestNext(t *testing.T) {
	t.Parallel()
	m := door()
	next, err := m.Next("closed", "lock")
	require.NoError(t, err)
	require.Equal(t, state("locked"), next)

	next, err = m.Next("open", "lock")
	require.Equal(t, state("open"), next)
	var refused *fsm.TransitionError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, &fsm.TransitionError{Machine: "door", State: "open", Event: "lock"}, refused)
	require.EqualError(t, err, `door: "lock" is not possible in state "open"`)

	_, err = m.Next("nowhere", "lock")
	require.Error(t, err)
}

// A machine lists its states and events, and reports terminal states.
func TestDescription(t *testing.T) {
	t.Parallel()
	m := door()
	require.Equal(t, "door", m.Name())
	require.Equal(t, state("open"), m.Initial())
	require.Equal(t, []state{"open", "closed", "broken", "locked"}, m.States())
	require.Equal(t, []event{"break", "close", "lock", "open", "unlock"}, m.Events())
	require.Equal(t, []state{"broken", "locked", "open"}, m.After("closed"))
	require.Empty(t, m.After("broken"))
	require.True(t, m.Terminal("broken"))
	require.False(t, m.Terminal("open"))
	require.False(t, m.Terminal("nowhere"))
	require.True(t, m.Has("locked"))
	require.False(t, m.Has("nowhere"))
	require.Equal(t, `stateDiagram-v2
    [*] --> open
    open --> closed: close
    closed --> broken: break
    closed --> locked: lock
    closed --> open: open
    broken --> [*]
    locked --> closed: unlock
`, m.Mermaid())
}

// An event that starts states over leaves them terminal, and is drawn.
func TestReopening(t *testing.T) {
	t.Parallel()
	m := fsm.New[state, event]("lamp", "on", fsm.Table[state, event]{
		"on": {"break": "broken", "mend": "on"}, "broken": {"mend": "on"},
	})
	require.False(t, m.Terminal("broken"))
	reopened := m.Reopening("mend")
	require.True(t, reopened.Terminal("broken"))
	require.False(t, reopened.Terminal("on"))
	require.False(t, m.Terminal("broken"), "the first machine was changed")
	next, err := reopened.Next("broken", "mend")
	require.NoError(t, err)
	require.Equal(t, state("on"), next)
	require.Contains(t, reopened.Mermaid(), "    broken --> on: mend\n    broken --> [*]\n")
}

// New panics for a wrong table.
func TestWrongTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		name    string
		initial state
		table   fsm.Table[state, event]
		want    string
	}{
		"unlisted state":    {"m", "a", fsm.Table[state, event]{"a": {"go": "b"}}, `fsm: machine "m": state "b" has no row`},
		"unlisted initial":  {"m", "a", fsm.Table[state, event]{}, `fsm: machine "m": state "a" has no row`},
		"unreachable state": {"m", "a", fsm.Table[state, event]{"a": {}, "b": {}}, `fsm: machine "m": state "b" can't be reached from "a"`},
		"no name":           {"", "a", fsm.Table[state, event]{"a": {}}, `fsm: machine "": a machine needs a name and an initial state`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.PanicsWithValue(t, c.want, func() { fsm.New(c.name, c.initial, c.table) })
		})
	}
}
