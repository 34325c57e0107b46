package phrases

// wordTable maps words to logarithms of their frequency. It is a hash table with open addressing: Chinese asks it once or twice per
// character, and a map of Go took a fifth of the time of building captions.
type wordTable struct {
	words      [1 << tableBits]word // 0 for none
	logarithms [1 << tableBits]int8
}

const (
	tableBits = 17 // twice as many places as words

	unknown   int8 = -1 // a text that is not in the table
	beginning int8 = -2 // a text that is no word, but longer words begin with it
)

// place returns where a word is, or where it would be added.
func (t *wordTable) place(w word) int {
	i := int(uint64(w) * 0x9e3779b97f4a7c15 >> (64 - tableBits))
	for t.words[i] != w && t.words[i] != 0 {
		i = (i + 1) % len(t.words)
	}
	return i
}

// add adds a word. A beginning doesn't replace a word.
func (t *wordTable) add(w word, logarithm int8) {
	i := t.place(w)
	if t.words[i] == 0 || logarithm != beginning {
		t.words[i], t.logarithms[i] = w, logarithm
	}
}

// find returns the logarithm of a word, or beginning, or unknown.
func (t *wordTable) find(w word) int8 {
	if i := t.place(w); t.words[i] == w {
		return t.logarithms[i]
	}
	return unknown
}
