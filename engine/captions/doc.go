// Package captions breaks transcripts into captions, for caption files and for captions that are burnt into videos. Start with [Build].
package captions
