// Package phrases finds where lines of Chinese and Japanese may break. These languages have no spaces between words, and Unicode's line
// breaking (UAX #14) allows a break between any two of their characters. Start with [Boundaries]:
//
//	for _, b := range phrases.Boundaries("今日はコンピューターの話をします。", "ja") {
//		fmt.Println(b.Offset, b.Score)
//	}
//
// The scores are sums of weights of the characters around a place, as in BudouX. The weights are learned from sentences written for this
// package (testdata/train), which testdata/label marks with the dictionaries of kagome and gse. The program needs no dictionary.
package phrases
