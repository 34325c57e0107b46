package captions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The ending of a Korean word says how well a caption ends after it.
func TestKoreanEndings(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]int{
		"갔지만": 3 * costClause, "먹고": 3 * costClause, "고": 3 * costClause, "뒤": 3 * costClause, "먹는": costApart, "들어오는": costApart, "좋은": costApart, "시원한": costApart, "할": costApart,
		"사람은": costPhrase, "우리는": costPhrase, "학교에서": costPhrase, "는": costApart, "에": costWord, "빵을": costWord + 10, "나무": costWord, "": costWord, "ABC는": costPhrase,
	} {
		require.Equal(t, want, endingOf(word), word)
	}
	for r, want := range map[rune]rune{'가': 0, '간': finalN, '갈': finalL, '힣': 27, '가' - 1: 0, '힣' + 1: 0, 'a': 0} {
		require.Equal(t, want, finalOf(r), string(r))
	}
}

// Titles and dependent nouns are found with particles, but not in words that only end like them.
func TestKoreanRoles(t *testing.T) {
	t.Parallel()
	p := vocabularyOf("ko")
	for word, want := range map[string]bool{"교수님은": true, "씨가": true, "것으로": true, "때문에": true, "수도": true, "바로": false, "지도": false, "교수법": false, "님의": true} {
		require.Equal(t, want, p.facts(word).trailing, word)
	}
	for word, want := range map[string]bool{"빵의": true, "의": false, "회의": false, "나의": true, "이": true, "빵": false} {
		require.Equal(t, want, p.facts(word).bound, word)
	}
	for word, want := range map[string]bool{"4월": true, "2024년": true, "월": false, "3명": false, "2미터": true} {
		require.Equal(t, want, p.facts(word).dated, word)
	}
	require.True(t, p.facts("수").possible)
	require.False(t, p.facts("수업").possible)
	require.True(t, p.facts("없습니다").auxiliary)
	require.False(t, p.facts("가").auxiliary)
}
