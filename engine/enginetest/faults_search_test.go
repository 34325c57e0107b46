package enginetest_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// faultySearch is a transaction with a fault in the search index.
type faultySearch struct {
	engine.Tx
	fault string
	wrote bool
}

func searchFault(fault string) faultyStore {
	return faultyStore{wrap: func(tx engine.Tx) engine.Tx { return &faultySearch{Tx: tx, fault: fault} }}
}

// searchFaults maps a claim to a fault in the search index that the claim must detect.
var searchFaults = map[string]faultyStore{
	"a term finds the documents with exactly that term, sorted by id": searchFault("case"),
	"a term can have any script and any length":                       searchFault("long"),
	"a document is found only by its space and kind":                  searchFault("kinds"),
	"postings return the document and the parts as put, with repeats": searchFault("once"),
	"a term without parts is not indexed":                             searchFault("empty"),
	"putting a document again replaces its terms, space, and kind":    searchFault("keeps"),
	"a document without terms is never found":                         searchFault("none"),
	"a failed update leaves the index unchanged":                      {update: leakyUpdate},
	"a transaction finds the documents that it indexed":               searchFault("late"),
}

func (tx *faultySearch) Postings(q search.PostingQuery) ([]search.Posting, error) {
	if tx.fault == "late" && tx.wrote {
		return nil, nil
	}
	q.Term = tx.term(q.Term)
	found, err := tx.Tx.Postings(q)
	if tx.fault == "kinds" && q.Kind != search.DocumentTranscript {
		q.Kind = search.DocumentTranscript
		more, _ := tx.Tx.Postings(q)
		found = append(found, more...)
	}
	return found, err
}

// PutDocument stores the document's terms in a user's name, because the index can't list them.
func (tx *faultySearch) PutDocument(d search.Document, parts map[string][]int) error {
	changed := map[string][]int{}
	for term, numbers := range parts {
		changed[tx.term(term)] = tx.numbers(numbers)
	}
	memo, err := tx.User(engine.UserID(d.ID))
	if err == nil && (tx.fault == "keeps" || tx.fault == "none" && len(parts) == 0) {
		for term := range strings.SplitSeq(memo.Name, "\n") {
			changed[term] = []int{0}
		}
	}
	if err := tx.PutUser(engine.User{ID: engine.UserID(d.ID), Name: strings.Join(slices.Collect(maps.Keys(changed)), "\n")}); err != nil {
		return err
	}
	tx.wrote = true
	return tx.Tx.PutDocument(d, changed)
}

// term returns a term as the fault changes it.
func (tx *faultySearch) term(term string) string {
	switch tx.fault {
	case "case":
		return strings.ToLower(term)
	case "long":
		return term[:min(len(term), 1000)]
	}
	return term
}

// numbers returns the parts of a term as the fault changes them.
func (tx *faultySearch) numbers(numbers []int) []int {
	switch {
	case tx.fault == "once":
		return slices.Compact(slices.Clone(numbers))
	case tx.fault == "empty" && len(numbers) == 0:
		return []int{0}
	}
	return numbers
}

// leakyTx records some of its writes.
type leakyTx struct {
	engine.Tx
	written *[]func(engine.Tx) error
}

// leakyUpdate is an Update that keeps changed documents and deleted webhooks even if it fails.
func leakyUpdate(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) error {
	var written []func(engine.Tx) error
	err := s.Update(ctx, func(tx engine.Tx) error { return fn(leakyTx{tx, &written}) })
	if err == nil {
		return nil
	}
	_ = s.Update(context.WithoutCancel(ctx), func(tx engine.Tx) error {
		for _, write := range written {
			_ = write(tx)
		}
		return nil
	})
	return err
}

func (tx leakyTx) PutDocument(d search.Document, parts map[string][]int) error {
	*tx.written = append(*tx.written, func(tx engine.Tx) error { return tx.PutDocument(d, parts) })
	return tx.Tx.PutDocument(d, parts)
}

func (tx leakyTx) DeleteWebhook(id engine.WebhookID) error {
	*tx.written = append(*tx.written, func(tx engine.Tx) error { return tx.DeleteWebhook(id) })
	return tx.Tx.DeleteWebhook(id)
}
