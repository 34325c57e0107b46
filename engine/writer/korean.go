package writer

import (
	"strings"
	"unicode/utf8"
)

// koreanParticles are the particles at the end of Korean nouns, the longest first.
var koreanParticles = strings.Fields("에서는 에게서 으로는 이라는 에서 에게 한테 까지 부터 처럼 보다 으로 이나 이랑 마다 조차 밖에 이라 " +
	"은 는 이 가 을 를 의 에 도 만 과 와 로 랑")

// koreanEndings are the endings of Korean verbs and adjectives.
var koreanEndings = strings.Fields("다 요 고 서 면 니 죠 데 지 게 던 는 은 을 며 려 네 러 기 한 된 할 될 해 돼 까 든")

// withoutParticle returns a Korean word without its particle, and reports whether the word is probably a noun.
func (t *lexicon) withoutParticle(word string) (bare string, noun bool) {
	for _, p := range koreanParticles {
		bare, ok := strings.CutSuffix(word, p)
		if ok && utf8.RuneCountInString(bare) > 1 {
			verb := (p == "는" || p == "은" || p == "을" || p == "도" || p == "만") && endsIn(bare, koreanEndings)
			return bare, !verb && !endsIn(bare, []string{"하", "되", "했", "있", "없", "였", "었", "았", "지", "어", "아"})
		}
	}
	return word, false
}

func endsIn(s string, endings []string) bool {
	for _, e := range endings {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}
