package hostile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// head is how many bytes at the beginning get half of the mutations: containers have their tables there.
const head = 4 << 10

// mutate returns a damaged copy of media. other is media in another format. Each file gets up to eight mutations.
func mutate(rng *rand.Rand, media, other []byte) []byte {
	b := slices.Clone(media)
	for range 1 + rng.IntN(8) {
		if len(b) < 64 {
			break
		}
		b = mutations[rng.IntN(len(mutations))](rng, b, other)
	}
	return b
}

// mutations are the ways to damage media of at least 64 bytes.
var mutations = []func(rng *rand.Rand, b, other []byte) []byte{flip, overwrite, extreme, truncate, remove, repeat, splice, crossTags}

// at returns a random offset that leaves room for n bytes.
func at(rng *rand.Rand, b []byte, n int) int {
	room := max(len(b)-n, 1)
	if rng.IntN(2) == 0 {
		room = min(room, head)
	}
	return rng.IntN(room)
}

// flip inverts single bits.
func flip(rng *rand.Rand, b, _ []byte) []byte {
	for range 1 + rng.IntN(16) {
		b[at(rng, b, 1)] ^= 1 << rng.IntN(8)
	}
	return b
}

// overwrite replaces a run by random bytes.
func overwrite(rng *rand.Rand, b, _ []byte) []byte {
	n := 1 + rng.IntN(32)
	for i := at(rng, b, n); n > 0; i, n = i+1, n-1 {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// extreme replaces a number by one that sizes, counts, and rates can't have.
func extreme(rng *rand.Rand, b, _ []byte) []byte {
	values := []uint32{0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff}
	v, i := values[rng.IntN(len(values))], at(rng, b, 4)
	if rng.IntN(2) == 0 {
		binary.BigEndian.PutUint32(b[i:], v)
	} else {
		binary.LittleEndian.PutUint32(b[i:], v)
	}
	return b
}

// truncate cuts the end off.
func truncate(rng *rand.Rand, b, _ []byte) []byte { return b[:32+rng.IntN(len(b)-32)] }

// remove deletes a run.
func remove(rng *rand.Rand, b, _ []byte) []byte {
	n := 1 + rng.IntN(len(b)/4)
	i := at(rng, b, n)
	return slices.Delete(b, i, i+n)
}

// repeat inserts copies of a run behind it.
func repeat(rng *rand.Rand, b, _ []byte) []byte {
	n := 1 + rng.IntN(min(len(b)/4, 256))
	i := at(rng, b, n)
	return slices.Insert(b, i+n, bytes.Repeat(slices.Clone(b[i:i+n]), 1+rng.IntN(64))...)
}

// splice replaces the end by media of another format.
func splice(rng *rand.Rand, b, other []byte) []byte {
	return append(b[:at(rng, b, 32)+32], other[rng.IntN(len(other)):]...)
}

// crossTags exchanges two groups of four bytes, such as the types of two boxes.
func crossTags(rng *rand.Rand, b, _ []byte) []byte {
	i, j := at(rng, b, 4)&^3, at(rng, b, 4)&^3
	var first [4]byte
	copy(first[:], b[i:i+4])
	copy(b[i:i+4], b[j:j+4])
	copy(b[j:j+4], first[:])
	return b
}
