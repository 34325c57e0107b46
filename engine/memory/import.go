package memory

import (
	"maps"

	"github.com/soundstage-dev/soundstage/engine"
)

// feedItem identifies a feed item in a space.
type feedItem struct {
	space engine.SpaceID
	item  string
}

func (tx *readTx) Import(id engine.ImportID) (engine.Import, error) { return get(tx, tx.imports, id) }

func (tx *readTx) ImportsOfItem(space engine.SpaceID, item string) ([]engine.Import, error) {
	return list(tx, tx.imports, tx.importsByItem, feedItem{space, item})
}

func (tx *readTx) ImportsOfExternalID(space engine.SpaceID, id string) ([]engine.Import, error) {
	return list(tx, tx.imports, tx.importsByExternalID, externalID{space, id})
}

func (tx *writeTx) PutImport(i engine.Import) error { return put(tx, tx.imports, i.ID, i) }

func feedItemName(i feedItem) string { return pair(i.space, i.item) }

func importItem(i *engine.Import) (feedItem, bool) {
	return feedItem{i.SpaceID, i.FeedItem}, i.FeedItem != ""
}

func importExternalID(i *engine.Import) (externalID, bool) {
	return externalID{i.SpaceID, i.ExternalID}, i.ExternalID != ""
}

func byImportAge(a, b *engine.Import) int { return byAge(a.CreatedAt, a.ID, b.CreatedAt, b.ID) }

func cloneImport(i engine.Import) engine.Import {
	if i.RSS = clonePointer(i.RSS); i.RSS != nil {
		i.RSS.PublishedAt, i.RSS.EpisodeNumber = utc(i.RSS.PublishedAt), clonePointer(i.RSS.EpisodeNumber)
	}
	i.EpisodeNumber, i.SeasonNumber = clonePointer(i.EpisodeNumber), clonePointer(i.SeasonNumber)
	if i.PublishedAt = clonePointer(i.PublishedAt); i.PublishedAt != nil {
		*i.PublishedAt = utc(*i.PublishedAt)
	}
	i.Metadata = maps.Clone(i.Metadata)
	i.CreatedAt, i.UpdatedAt = utc(i.CreatedAt), utc(i.UpdatedAt)
	return i
}
