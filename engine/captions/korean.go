package captions

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// koreanParticles follow nouns without a space.
var koreanParticles = strings.Fields("은 는 이 가 을 를 의 에 에서 에게 께 께서 께서는 와 과 도 만 로 으로 부터 까지 보다 처럼 라고 이라고 이나 나 밖에 조차 마저 이며 인 입니다 이다 이었다 였다 이고 이지만 인가요 이에요 예요")

// koreanNouns end with 의, but not with the particle of that form.
const koreanNouns = " 회의 주의 동의 합의 정의 강의 논의 문의 편의 창의 항의 예의 결의 협의 심의 건의 고의 성의 호의 악의 의의 유의 임의 민주주의 자본주의 사회주의 "

// setKorean sets the facts of a Korean word from its noun, without particles: the titles and dependent nouns (것, 때) that belong to the word
// before them. A noun with 의 belongs to the word after it. A number with one of the units
// of dates may have another number after it (4월 9일).
func (f *wordFacts) setKorean(p *vocabulary, head, tail string) {
	for _, particle := range koreanParticles {
		noun, ok := strings.CutSuffix(tail, particle)
		if ok && (utf8.RuneCountInString(noun) > 1 || noun == "씨" || noun == "님") && p.roleOf(noun)&roleTrailing != 0 {
			f.trailing = true // shorter ones are the ends of other words: 바로, 지도
		}
	}
	if strings.HasPrefix(tail, "때문") || strings.HasPrefix(tail, "것") {
		f.trailing = true
	}
	if noun := strings.TrimSuffix(head, "의"); noun != head && utf8.RuneCountInString(noun) > 0 && !strings.Contains(koreanNouns, " "+head+" ") {
		f.bound = true
	}
	f.ending = endingOf(head)
	f.possible = strings.Contains(" 수 수가 수는 수도 수밖에 줄 적이 적은 적도 ", " "+head+" ")
	f.auxiliary = strings.HasPrefix(tail, "있") || strings.HasPrefix(tail, "없") || strings.HasPrefix(tail, "않")
	f.dated = f.digits && slices.ContainsFunc(koreanDates, func(unit string) bool { return strings.HasSuffix(head, unit) })
}

// koreanDates are the units that another number may follow: 2024년 4월 9일 3시 30분.
var koreanDates = []string{"년", "월", "시", "분", "미터", "m"}

// koreanEnds are the endings of words that show how well a caption ends after them. The first that fits counts.
var koreanEnds = []struct {
	cost     int
	particle bool // follows a noun
	endings  []string
}{
	{costPhrase, true, strings.Fields("에서는 에서 에게서 으로서 으로써")},
	{costClause * 3, false, strings.Fields("지만 면서 니까 려고 도록 는데 은데 운데 한데 인데 다가 거나 더니 으면 하면 되면 라면 다면 지면 리면 나면 오면 가면 보면 고 며 서 때 뒤 후")},
	{costApart, false, strings.Fields("하는 되는 드는 쓰는 오는 가는 보는 주는 사는 아는 모르는 다니는 부르는 흐르는 지나는 떠나는 만나는 걸리는 열리는 보이는 던 만큼 같은 좋은 많은 높은 낮은 작은 넓은 깊은 짧은 젊은 늦은 먹은 읽은 찾은 받은 남은 얻은 앉은 입은 잡은 넣은 놓은 잃은 죽은")},
	{costPhrase, true, strings.Fields("에게 으로 에는 까지 부터 마다 보다 에 로 은 는 도 와 과")},
	{costWord + 10, true, strings.Fields("이 가 을 를")},
}

// endingOf returns the cost of a break after a Korean word that has no punctuation. Clauses end well; the verbs and adjectives before a noun
// (들어오는, 긴, 할) don't.
func endingOf(word string) int {
	last, n := utf8.DecodeLastRuneInString(word)
	before, _ := utf8.DecodeLastRuneInString(word[:len(word)-n])
	if last == '는' && finalOf(before) > 0 {
		return costApart // after consonants, it is no particle: 찾는
	}
	for _, row := range koreanEnds {
		for _, ending := range row.endings {
			if strings.HasSuffix(word, ending) && (!row.particle || word != ending) {
				return row.cost
			}
		}
	}
	if final := finalOf(last); final == finalN || final == finalL {
		return costApart
	}
	return costWord
}

// The final consonants of verbs and adjectives before a noun.
const (
	finalN = 4 // ㄴ
	finalL = 8 // ㄹ
)

// finalOf returns the number of the final consonant of a Korean syllable, or 0 if it has none (Unicode, 3.12).
func finalOf(r rune) rune {
	if r < '가' || r > '힣' {
		return 0
	}
	return (r - '가') % 28
}
