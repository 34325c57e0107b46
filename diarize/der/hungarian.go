package der

import "math"

// maxPairing pairs rows with columns of weight so that the sum of the weights is maximal. It returns the column of each row, or
// -1; no column is used twice, and pairs with a weight of 0 or less are left out. It uses the Hungarian method with shortest
// augmenting paths, O(n³): Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2
// (1955), in the form of Jonker & Volgenant, Computing 38 (1987).
func maxPairing(weight [][]float64) []int {
	rows := len(weight)
	if rows == 0 {
		return nil
	}
	columns := len(weight[0])
	n := max(rows, columns)
	cost := func(i, j int) float64 { // 1-based, padded to a square
		if i > rows || j > columns {
			return 0
		}
		return -max(weight[i-1][j-1], 0)
	}
	u, v := make([]float64, n+1), make([]float64, n+1) // dual prices of rows and columns
	rowOf, way := make([]int, n+1), make([]int, n+1)   // column → its row; column → the previous column on the path
	for i := 1; i <= n; i++ {
		rowOf[0] = i
		slack, used := make([]float64, n+1), make([]bool, n+1)
		for j := range slack {
			slack[j] = math.Inf(1)
		}
		j := 0
		for rowOf[j] != 0 {
			used[j] = true
			row, next, delta := rowOf[j], 0, math.Inf(1)
			for k := 1; k <= n; k++ {
				if used[k] {
					continue
				}
				if c := cost(row, k) - u[row] - v[k]; c < slack[k] {
					slack[k], way[k] = c, j
				}
				if slack[k] < delta {
					delta, next = slack[k], k
				}
			}
			for k := 0; k <= n; k++ {
				if used[k] {
					u[rowOf[k]] += delta
					v[k] -= delta
				} else {
					slack[k] -= delta
				}
			}
			j = next
		}
		for j != 0 {
			rowOf[j] = rowOf[way[j]]
			j = way[j]
		}
	}
	pairs := make([]int, rows)
	for i := range pairs {
		pairs[i] = -1
	}
	for j := 1; j <= columns; j++ {
		if i := rowOf[j]; i >= 1 && i <= rows && weight[i-1][j-1] > 0 {
			pairs[i-1] = j - 1
		}
	}
	return pairs
}
