package clips

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// dependent are words that refer to what was said before: connectives and pronouns. A clip should not begin with one.
var dependent = wordLists(map[transcript.Language]string{
	"en": "and but so because or then also it he she they this that these those which him her them yeah yes no right",
	"de": "und aber oder denn weil also dann auch er sie es das dies diese dieser dieses deshalb trotzdem doch ja nein genau",
	"es": "y pero o porque entonces también él ella ellos ellas esto eso esa ese esas esos sí no claro",
	"fr": "et mais ou car parce donc alors aussi il elle ils elles ce cela ça c'est c’est cette ces oui non voilà",
	"hi": "और लेकिन या क्योंकि तो फिर वह वे यह ये भी हाँ नहीं इसलिए",
	"id": "dan tapi tetapi atau karena jadi lalu juga dia mereka itu ini ya tidak",
	"it": "e ma o perché quindi allora anche lui lei loro questo questa quello quella sì no ecco",
	"ja": "そして しかし でも だから それ これ あれ その この また 彼 じゃあ はい いいえ うん",
	"ko": "그리고 그러나 하지만 그래서 그런데 또 그는 그녀는 그것은 이것은 그건 이건 네 아니요",
	"nl": "en maar of want omdat dus dan ook hij zij ze het dit dat deze die ja nee precies",
	"no": "og men eller fordi så da også han hun de det dette denne disse ja nei",
	"pl": "i a ale lub bo więc wtedy też on ona oni one to ten ta te tak nie",
	"pt": "e mas ou porque então também ele ela eles elas isto isso este essa sim não pois",
	"ru": "и а но или потому поэтому тогда также он она они оно это этот эта эти да нет",
	"sv": "och men eller för så då också han hon de det detta denna dessa ja nej",
	"tr": "ve ama fakat veya çünkü yani sonra da o onlar bu şu bunlar evet hayır",
	"uk": "і й та а але або бо тому тоді також він вона вони воно це цей ця ці так ні",
	"zh": "而且 但是 所以 因为 然后 也 他 她 它 这 那 还有 不过 对 是的",
})

// counting are words that begin one of several points.
var counting = wordLists(map[transcript.Language]string{
	"en": "first second third firstly secondly thirdly next finally lastly one two three",
	"de": "erstens zweitens drittens zuerst danach schließlich eins zwei drei",
	"es": "primero segundo tercero luego finalmente uno dos tres",
	"fr": "premièrement deuxièmement troisièmement d'abord d’abord ensuite enfin un deux trois",
	"hi": "पहला दूसरा तीसरा पहले दूसरे अंत एक दो तीन",
	"id": "pertama kedua ketiga kemudian akhirnya satu dua tiga",
	"it": "primo secondo terzo prima poi infine uno due tre",
	"ja": "まず 第一 第二 第三 次に 最後に 一つ 二つ 三つ",
	"ko": "첫째 둘째 셋째 먼저 다음으로 마지막으로 하나 둘 셋",
	"nl": "eerste tweede derde eerst daarna tenslotte ten een twee drie",
	"no": "først første andre tredje deretter til en to tre",
	"pl": "pierwszy drugi trzeci najpierw potem wreszcie po jeden dwa trzy",
	"pt": "primeiro segundo terceiro depois finalmente um dois três",
	"ru": "первое второе третье во-первых во-вторых в-третьих сначала затем наконец",
	"sv": "först första andra tredje sedan till slutligen ett två tre",
	"tr": "birinci ikinci üçüncü önce sonra ilk son bir iki üç",
	"uk": "перше друге третє по-перше по-друге по-третє спочатку потім нарешті",
	"zh": "首先 第一 第二 第三 其次 最后 一 二 三",
})

// wordLists splits and folds the words of each language.
func wordLists(lists map[transcript.Language]string) map[transcript.Language][]string {
	m := make(map[transcript.Language][]string, len(lists))
	for l, words := range lists {
		m[l] = strings.Fields(transcript.Fold(words))
	}
	return m
}

// beginsWith reports whether a text begins with one of the folded words: as whole words, except in Chinese and Japanese.
func beginsWith(text string, words []string, l transcript.Language) bool {
	if !l.Spaced() {
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(text, w) })
	}
	first, _, _ := strings.Cut(text, " ")
	first = transcript.Fold(strings.Trim(first, ",.;:…¿¡\"'“”„«»—-"))
	return slices.Contains(words, first)
}
