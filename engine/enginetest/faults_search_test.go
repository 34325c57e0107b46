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

// searchFaults is, by the claim that must notice it, what can be wrong with a search index.
var searchFaults = map[string]faultyStore{
	"a term finds the documents that have exactly it, by document id":                      searchFault("case"),
	"a term may be of any script and of any length":                                        searchFault("long"),
	"a document is found in its space and as its kind only, and no spaces find nothing":    searchFault("kinds"),
	"postings tell the document and the parts as they were put, however often they repeat": searchFault("once"),
	"a term that no part has is no term of the document":                                   searchFault("empty"),
	"a document that is put again has its new terms, space and kind only":                  searchFault("keeps"),
	"a document without terms is found by none":                                            searchFault("none"),
	"an update that fails leaves the index as it was":                                      {update: leaky},
	"a transaction finds what it has indexed":                                              searchFault("late"),
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

// PutDocument remembers terms, which can't be listed, in the name of a user.
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

// term is what becomes of a term.
func (tx *faultySearch) term(term string) string {
	switch tx.fault {
	case "case":
		return strings.ToLower(term)
	case "long":
		return term[:min(len(term), 1000)]
	}
	return term
}

// numbers is what becomes of the parts that have a term.
func (tx *faultySearch) numbers(numbers []int) []int {
	switch {
	case tx.fault == "once":
		return slices.Compact(slices.Clone(numbers))
	case tx.fault == "empty" && len(numbers) == 0:
		return []int{0}
	}
	return numbers
}

// leakyTx remembers some of what it writes.
type leakyTx struct {
	engine.Tx
	written *[]func(engine.Tx) error
}

// leaky is an Update that leaves documents and deleted webhooks as a failed one had them.
func leaky(s *memory.Store, ctx context.Context, fn func(engine.Tx) error) error {
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
