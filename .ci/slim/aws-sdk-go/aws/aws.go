// Package aws has the one type of the SDK's that ffmpeg-go names.
package aws

// Config is never read.
type Config struct{}
