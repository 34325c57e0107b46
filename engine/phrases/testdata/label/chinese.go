package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-ego/gse"
)

// trailing are short words that belong to the word before them, leading those that belong to the word after them.
const (
	trailing = " 的 了 着 过 吗 呢 吧 啊 呀 嘛 们 地 得 里 上 下 中 内 外 后 前 时 等 来 去 到 起来 以后 以前 之后 之前 之间 的话 时候 一样 一下 个 位 种 次 年 月 日 天 点 分 岁 块 元 人 家 "
	leading  = " 在 把 被 从 对 向 给 跟 和 与 用 为 比 让 叫 请 很 太 最 更 不 没 别 都 也 还 就 才 再 又 已 是 有 要 会 能 想 该 这 那 每 各 某 几 两 一 二 三 四 五 六 七 八 九 十 第 多 将 并 而 或 以 因 由 我 你 他 她 它 "
)

// frequent is how many frequent words of the dictionary are learned.
const frequent = 5000

// frequentWords returns the words of two to four characters that the dictionary has as most frequent, one per line.
func frequentWords(seg *gse.Segmenter) string {
	var tokens []gse.Token
	for _, t := range seg.Dict.Tokens {
		if n := utf8.RuneCountInString(t.Text()); n >= 2 && n <= 4 && strings.IndexFunc(t.Text(), func(r rune) bool { return !unicode.Is(unicode.Han, r) }) < 0 {
			tokens = append(tokens, t)
		}
	}
	slices.SortFunc(tokens, func(a, b gse.Token) int {
		return cmp.Or(cmp.Compare(b.Freq(), a.Freq()), cmp.Compare(a.Text(), b.Text()))
	})
	var b strings.Builder
	for _, t := range tokens[:frequent] {
		b.WriteString(t.Text() + "\n")
	}
	return b.String()
}

// least is how frequent the words of the lexicon are, by length. Longer words are mostly compounds, which shorter words would split.
var least = [...]float64{1: 200, 2: 300, 3: 50, 4: 8}

// lexicon returns the words of one to four characters that are frequent enough: per line those of a frequency and length.
func lexicon(seg *gse.Segmenter) string {
	words := map[[2]int][]string{}
	for _, t := range seg.Dict.Tokens {
		n := utf8.RuneCountInString(t.Text())
		if n >= len(least) || t.Freq() < least[n] || strings.IndexFunc(t.Text(), func(r rune) bool { return !unicode.Is(unicode.Han, r) }) >= 0 {
			continue
		}
		row := [2]int{int(math.Round(math.Log2(t.Freq()))), n}
		words[row] = append(words[row], t.Text())
	}
	var b strings.Builder
	for _, row := range slices.SortedFunc(maps.Keys(words), func(a, b [2]int) int { return cmp.Or(b[0]-a[0], a[1]-b[1]) }) {
		slices.Sort(words[row])
		fmt.Fprintf(&b, "%d %d %s\n", row[0], row[1], strings.Join(words[row], ""))
	}
	return b.String()
}

// chinese returns a function that splits text into words. A phrase begins between two words of which neither is bound to the other.
func chinese(seg *gse.Segmenter) func(string) []word {
	return func(text string) (words []word) {
		before := ""
		for _, w := range seg.Cut(text, false) {
			words = append(words, word{text: w, starts: before != "" && !in(trailing, w) && !in(leading, before) && !isMark(w) && !opens(before)})
			before = w
		}
		return words
	}
}

func in(list, w string) bool { return strings.Contains(list, " "+w+" ") }

func isMark(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return strings.ContainsRune("。，、！？：；”’）》」…,.!?:;)%", r)
}

func opens(w string) bool {
	r, _ := utf8.DecodeLastRuneInString(w)
	return strings.ContainsRune("“‘（《「(", r)
}
