package render

import (
	"os"
	"slices"
	"sync"
)

const (
	mostKnown = 256      // files; most take 1 KB
	mostTags  = 16 << 10 // bytes of a file's tags and chapters; ffprobe is asked each time about files with more
)

// KnownMedia keeps what ffprobe said about local files: until a file gets another size or time, nobody asks again. A clip needs that twice,
// its poster twice, and the next clip of the recording too. It keeps 256 files, in at most 5 MB. The zero value is ready, and may be used
// concurrently.
type KnownMedia struct {
	mu    sync.Mutex
	files map[mediaVersion]MediaFacts
}

// mediaVersion is a version of a file, as one ffprobe sees it.
type mediaVersion struct {
	program, path string
	size          int64
	changed       int64 // nanoseconds
}

// version returns the version of a file, or false if it isn't worth knowing: our own copies are deleted after one use.
func (k *KnownMedia) version(program string, file localFile) (mediaVersion, bool) {
	if k == nil || file.temporary {
		return mediaVersion{}, false
	}
	info, err := os.Stat(file.path)
	if err != nil {
		return mediaVersion{}, false
	}
	return mediaVersion{program, file.path, info.Size(), info.ModTime().UnixNano()}, true
}

// get returns the facts of a version.
func (k *KnownMedia) get(v mediaVersion) (MediaFacts, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	facts, ok := k.files[v]
	return facts.clone(), ok
}

// put keeps the facts of a version. If there are too many, it forgets any other.
func (k *KnownMedia) put(v mediaVersion, facts MediaFacts) {
	tags := len(facts.Title) + len(facts.Language)
	for _, c := range facts.Chapters {
		tags += len(c.Title) + 24 // bytes of the rest
	}
	if tags > mostTags {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil {
		k.files = map[mediaVersion]MediaFacts{}
	}
	for other := range k.files {
		if len(k.files) < mostKnown {
			break
		}
		delete(k.files, other)
	}
	k.files[v] = facts.clone()
}

// clone returns a copy that shares nothing with m.
func (m MediaFacts) clone() MediaFacts {
	m.Audio, m.Video, m.Picture, m.Sound = copied(m.Audio), copied(m.Video), copied(m.Picture), copied(m.Sound)
	m.Chapters = slices.Clone(m.Chapters)
	return m
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
