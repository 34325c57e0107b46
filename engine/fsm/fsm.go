// Package fsm has the transition table behind every state machine of the engine: a map literal state → event → state. New
// checks it when the program starts, and Mermaid draws it:
//
//	var door = fsm.New("door", Open, fsm.Table[State, Event]{
//		Open:   {Close: Closed},
//		Closed: {Unlatch: Open},
//	})
//	next, err := door.Next(Open, Close)
//
// A table has no effects and no clock. The owner of a status has one method that calls [Machine.Next] and assigns the
// result; nothing else assigns the status.
package fsm

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Table maps each state to its events, and each event to the next state. A terminal state has an empty row, or only the event
// of [Machine.Reopening].
type Table[S, E ~string] map[S]map[E]S

// Machine is a checked Table with a name and an initial state. It is immutable and safe for concurrent use.
type Machine[S, E ~string] struct {
	name    string
	initial S
	table   Table[S, E]
	reopen  E // "" for none
}

// TransitionError is the error for an event that is not allowed in a state.
type TransitionError struct {
	Machine, State, Event string
}

func (e *TransitionError) Error() string {
	return fmt.Sprintf("%s: %q is not possible in state %q", e.Machine, e.Event, e.State)
}

// New checks a table and returns its machine. It panics, because the table is a constant of the program, if a reachable
// state has no row, a state can't be reached from initial, or a name is empty.
func New[S, E ~string](name string, initial S, table Table[S, E]) *Machine[S, E] {
	m := &Machine[S, E]{name: name, initial: initial, table: table}
	if err := m.check(); err != nil {
		panic("fsm: " + err.Error())
	}
	return m
}

// Name returns the machine's name, as it appears in errors and diagrams.
func (m *Machine[S, E]) Name() string { return m.name }

// Initial returns the state in which every new resource starts.
func (m *Machine[S, E]) Initial() S { return m.initial }

// Next returns the state after event in state, or the unchanged state and a *TransitionError.
func (m *Machine[S, E]) Next(state S, event E) (S, error) {
	if to, ok := m.table[state][event]; ok {
		return to, nil
	}
	return state, &TransitionError{Machine: m.name, State: string(state), Event: string(event)}
}

// Has reports whether state is one of the machine's states.
func (m *Machine[S, E]) Has(state S) bool {
	_, ok := m.table[state]
	return ok
}

// Reopening returns the machine with an event that starts terminal states over, such as a retry that a user asks for. A state whose only
// event it is counts as terminal.
func (m *Machine[S, E]) Reopening(event E) *Machine[S, E] {
	reopening := *m
	reopening.reopen = event
	return &reopening
}

// Terminal reports whether state has no events, except the one that starts it over.
func (m *Machine[S, E]) Terminal(state S) bool {
	row, ok := m.table[state]
	if _, reopens := row[m.reopen]; reopens {
		return len(row) == 1
	}
	return ok && len(row) == 0
}

// States returns all states: the initial one, and the others in breadth-first order of their events' names.
func (m *Machine[S, E]) States() []S {
	order, _ := m.reach()
	return order
}

// After returns the states that may follow state, in the order of their events' names, each once.
func (m *Machine[S, E]) After(state S) []S {
	var after []S
	for _, e := range sortedEvents(m.table[state]) {
		if to := m.table[state][e]; !slices.Contains(after, to) {
			after = append(after, to)
		}
	}
	return after
}

// Events returns every event of the table, sorted.
func (m *Machine[S, E]) Events() []E {
	seen := map[E]bool{}
	var events []E
	for _, row := range m.table {
		for e := range row {
			if !seen[e] {
				seen[e] = true
				events = append(events, e)
			}
		}
	}
	sort.Slice(events, func(i, j int) bool { return events[i] < events[j] })
	return events
}

// Mermaid returns a Mermaid state diagram. Equal tables have equal diagrams.
func (m *Machine[S, E]) Mermaid() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	fmt.Fprintf(&b, "    [*] --> %s\n", m.initial)
	for _, s := range m.States() {
		for _, e := range sortedEvents(m.table[s]) {
			fmt.Fprintf(&b, "    %s --> %s: %s\n", s, m.table[s][e], e)
		}
		if m.Terminal(s) {
			fmt.Fprintf(&b, "    %s --> [*]\n", s)
		}
	}
	return b.String()
}

func (m *Machine[S, E]) check() error {
	if m.name == "" || m.initial == "" {
		return fmt.Errorf("machine %q: a machine needs a name and an initial state", m.name)
	}
	order, missing := m.reach()
	if missing != "" {
		return fmt.Errorf("machine %q: state %q has no row", m.name, missing)
	}
	if len(order) == len(m.table) {
		return nil
	}
	reached := map[S]bool{}
	for _, s := range order {
		reached[s] = true
	}
	for s := range m.table {
		if !reached[s] {
			return fmt.Errorf("machine %q: state %q can't be reached from %q", m.name, s, m.initial)
		}
	}
	return nil
}

// reach walks the table from the initial state. missing is the first state without a row, or "".
func (m *Machine[S, E]) reach() (order []S, missing S) {
	seen := map[S]bool{m.initial: true}
	queue := []S{m.initial}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		row, ok := m.table[s]
		if !ok {
			return order, s
		}
		order = append(order, s)
		for _, e := range sortedEvents(row) {
			if to := row[e]; !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return order, missing
}

func sortedEvents[S, E ~string](row map[E]S) []E {
	events := make([]E, 0, len(row))
	for e := range row {
		events = append(events, e)
	}
	sort.Slice(events, func(i, j int) bool { return events[i] < events[j] })
	return events
}
