package diarize

import (
	"cmp"
	"context"
	"slices"
)

// merge joins the clusters of windows a and b.
type merge struct {
	a, b       int32
	similarity float32
}

// averageLinkage returns the merges of agglomerative clustering by mean similarity, best first. It follows nearest-neighbour
// chains in O(n²) time: Murtagh, Computer Journal 26 (1983). It overwrites the matrix.
func averageLinkage(ctx context.Context, similarity [][]float32) ([]merge, error) {
	n := len(similarity)
	size := make([]float32, n)
	alive := make([]bool, n)
	for i := range size {
		size[i], alive[i] = 1, true
	}
	merges := make([]merge, 0, max(n-1, 0))
	var chain []int
	for len(merges) < n-1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(chain) == 0 {
			chain = append(chain, slices.Index(alive, true))
		}
		for {
			tip := chain[len(chain)-1]
			row, next := similarity[tip], -1
			if len(chain) > 1 {
				next = chain[len(chain)-2] // on a tie, prefer the one that ends the chain
			}
			for j := range row {
				if j != tip && alive[j] && (next < 0 || row[j] > row[next]) {
					next = j
				}
			}
			if len(chain) > 1 && next == chain[len(chain)-2] {
				break
			}
			chain = append(chain, next)
		}
		a, b := chain[len(chain)-2], chain[len(chain)-1]
		chain = chain[:len(chain)-2]
		merges = append(merges, merge{int32(a), int32(b), similarity[a][b]})
		for j := range similarity {
			if !alive[j] || j == a || j == b {
				continue
			}
			s := (float32(size[a]*similarity[a][j]) + float32(size[b]*similarity[b][j])) / (size[a] + size[b])
			similarity[a][j], similarity[j][a] = s, s
		}
		size[a] += size[b]
		alive[b] = false
	}
	slices.SortStableFunc(merges, func(x, y merge) int { return cmp.Compare(y.similarity, x.similarity) })
	return merges, nil
}

// cutTree returns the labels of n windows after all but the last k−1 merges.
func cutTree(merges []merge, n, k int) []int {
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, m := range merges[:max(n-k, 0)] {
		parent[find(m.b)] = find(m.a)
	}
	names, labels := map[int32]int{}, make([]int, n)
	for i := range labels {
		root := find(int32(i))
		if _, ok := names[root]; !ok {
			names[root] = len(names)
		}
		labels[i] = names[root]
	}
	return labels
}
