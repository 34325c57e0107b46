package s3

// PartSize is partSize, for tests.
var PartSize = partSize

// The limits of parts, for tests.
const (
	MaxParts = maxParts
	MinPart  = minPartSize
	EvenSize = evenSize
)
