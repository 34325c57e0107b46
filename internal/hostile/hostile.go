// Package hostile makes input that attacks programs for media, and listeners that nobody may connect to. Tests and campaigns use it:
//
//	canary := hostile.Listen(t)
//	seeds := hostile.Seeds(t, "talk.mp4")
//	for _, f := range hostile.Files(seeds, canary.URLs(), 2000, 1) {
//		… // treat f.Bytes as an upload
//	}
//	canary.RequireSilent(t)
package hostile

import (
	"fmt"
	"math/rand/v2"
)

// Kind is how a file attacks.
type Kind string

// Kinds of files.
const (
	Playlist Kind = "playlist" // names other files and addresses
	Bomb     Kind = "bomb"     // is small, and claims or contains much
	Mutation Kind = "mutation" // was media, and is damaged at random
)

// File is a hostile file.
type File struct {
	Name  string // unique, with the extension of the format that it claims to be
	Kind  Kind
	Bytes []byte
}

// Files returns n files: every playlist and bomb, and then mutations of seeds. The same arguments give the same files. Playlists name the
// targets, URLs or paths.
func Files(seeds []File, targets []string, n int, seed uint64) []File {
	files := append(playlists(targets), bombs(seeds)...)
	for i := len(files); i < n; i++ {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		from, other := seeds[i%len(seeds)], seeds[rng.IntN(len(seeds))]
		files = append(files, File{fmt.Sprintf("mutation-%d-%s", i, from.Name), Mutation, mutate(rng, from.Bytes, other.Bytes)})
	}
	return files[:min(n, len(files))]
}
