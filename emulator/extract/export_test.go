package extract

// Limit sets the length of the longest fixture.
func (e *Extractor) Limit(most int) { e.most = most }
