package s3

// For tests.
var (
	PartSize = partSize
	Idle     = copyIdle
)

const (
	MaxParts = maxParts
	MaxSize  = maxSize
	MinPart  = minPartSize
	EvenSize = evenSize
)
