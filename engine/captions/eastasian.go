package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/phrases"
)

// inside marks the tokens that don't begin a phrase of Chinese or Japanese.
func (b *breaker) inside() {
	var text strings.Builder
	for i := range b.tokens {
		text.WriteString(b.tokens[i].gap)
		text.WriteString(b.tokens[i].Text)
	}
	ends := phrases.Boundaries(text.String(), b.language)
	at := 0
	for i := range b.tokens {
		t := &b.tokens[i]
		at += len(t.gap)
		for len(ends) > 0 && ends[0].Offset < at {
			ends = ends[1:]
		}
		t.inside = i > 0 && t.gap == "" && (len(ends) == 0 || ends[0].Offset != at)
		at += len(t.Text)
	}
}

// counted marks the tokens of Chinese and Japanese quantities: a number and the unit or the word after it, and the number after 第.
func counted(tokens []token) {
	for i := 1; i < len(tokens); i++ {
		if tokens[i].gap != "" {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(tokens[i-1].Text)
		first, _ := utf8.DecodeRuneInString(tokens[i].Text)
		switch {
		case unicode.IsDigit(first) && strings.ContainsRune("第约約", last), strings.ContainsRune(numerals, last) && strings.ContainsRune(numerals, first):
			tokens[i].amount = true
		case unicode.IsDigit(last), strings.ContainsRune(numerals, last):
			markUnit(tokens[i:], unicode.IsDigit(last))
		}
	}
}

// markUnit marks the first tokens if they are a unit, or any character that can be one after digits.
func markUnit(tokens []token, digits bool) {
	text, n := "", 0
	for n < len(tokens) && len(text) < maxUnit && (n == 0 || tokens[n].gap == "") {
		text += tokens[n].Text
		n++
	}
	unit := 0
	for _, u := range eastAsianUnits {
		if strings.HasPrefix(text, u) {
			unit = max(unit, len(u))
		}
	}
	first, _ := utf8.DecodeRuneInString(text)
	if unit == 0 && digits && IsIdeographic(first) && unicode.IsLetter(first) && !strings.ContainsRune(notUnits, first) {
		unit = 1
	}
	for i := 0; unit > 0 && i < n; i++ {
		tokens[i].amount = true
		unit -= len(tokens[i].Text)
	}
}

const (
	numerals = "一二三四五六七八九十百千万萬億亿兆零〇两"
	maxUnit  = 18 // bytes
	notUnits = "はがをにでともへのやか和或但在从对把被跟与的了"
	units    = "公里 公斤 公分 公尺 厘米 毫米 小时 分钟 美元 日元 欧元 英镑 人民币 块钱 个月 星期 年代 世纪 平方米 元 年 月 日 天 人 个 次 岁 点 分 秒 米 克 吨 度 倍 章 页 " +
		"円 ドル ユーロ ポンド ウォン キロ キロメートル メートル センチ ミリ グラム キログラム トン リットル パーセント 時間 分間 秒間 年間 日間 週間 か月 ヶ月 カ月 年代 世紀 回 歳 時 名 本 枚 台 番 番目 つ"
)

var eastAsianUnits = strings.Fields(units)
