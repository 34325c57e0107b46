package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/phrases"
)

// inside marks the tokens that don't begin a phrase of Chinese or Japanese, and those that don't begin a word.
func (b *breaker) inside() {
	if b.phrases == nil {
		b.phrases = phrases.NewText(b.language)
	}
	b.phrases.Reset()
	b.starts = b.starts[:0]
	for i := range b.tokens {
		t := &b.tokens[i]
		if t.gap != "" {
			b.phrases.Append(t.gap)
		}
		b.starts = append(b.starts, b.phrases.Len())
		if t.piece == nil {
			p := b.phrases.Piece(t.Text)
			t.piece = &p
		}
		b.phrases.AppendPiece(*t.piece)
	}
	for i := 1; i < len(b.tokens); i++ {
		t := &b.tokens[i]
		if t.gap != "" || t.glued || t.amount {
			continue
		}
		score := b.phrases.Score(b.starts[i])
		t.torn, t.inside = score == 0, score <= phrases.ScoreWord
	}
}

// counted marks the tokens of Chinese and Japanese quantities: a number and the unit or the word after it, and the number after 第.
func counted(tokens []token) {
	for i := 1; i < len(tokens); i++ {
		word, next := &tokens[i-1], &tokens[i]
		switch {
		case next.gap != "":
			next.amount = next.digitFirst && unicode.Is(unicode.Latin, word.last) // Windows 11
		case next.digitFirst && (word.last == '第' || word.last == '约' || word.last == '約'), word.numeralLast && isNumeral(next.first),
			i > 1 && next.digitFirst && word.amount && strings.ContainsRune("年月时時点分", word.last), // 4月9日
			word.last == '分' && next.first == '之', i > 1 && word.last == '之' && tokens[i-2].last == '分',
			i > 1 && word.last == '期' && strings.ContainsRune(weekdays, next.first) && tokens[i-2].Text+word.Text == "星期":
			next.amount = true
		case word.digitLast || word.numeralLast:
			markUnit(tokens[i:], word.digitLast)
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

// isNumeral reports whether r is a Chinese character of a number.
func isNumeral(r rune) bool {
	switch r {
	case '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千', '万', '萬', '億', '亿', '兆', '零', '〇', '两':
		return true
	}
	return false
}

// titled marks the tokens of Chinese and Japanese titles after a name, and those of surnames with two characters.
func titled(tokens []token) {
	for i := 1; i < len(tokens); i++ {
		if tokens[i].titles == nil || tokens[i].gap != "" || !followsName(tokens[i-1].last) {
			continue
		}
		for _, title := range tokens[i].titles {
			if n := length(tokens[i:], title); n > 0 {
				for k := range n {
					tokens[i+k].glued = true
				}
				if i > 1 && strings.Contains(surnames, " "+tokens[i-2].Text+tokens[i-1].Text+" ") {
					tokens[i-1].glued = true
				}
				break
			}
		}
	}
}

// followsName reports whether a title may follow r.
func followsName(r rune) bool { return unicode.In(r, unicode.Han, unicode.Katakana) || r == 'ー' }

// length returns how many tokens a text is, or 0.
func length(tokens []token, text string) int {
	for i := 0; i < len(tokens) && (i == 0 || tokens[i].gap == ""); i++ {
		rest, ok := strings.CutPrefix(text, tokens[i].Text)
		if !ok {
			return 0
		}
		if text = rest; text == "" {
			return i + 1
		}
	}
	return 0
}

const (
	titles = "先生 女士 小姐 太太 老师 教授 医生 大夫 经理 总经理 导演 律师 总统 主席 主任 院长 校长 部长 市长 省长 博士 院士 同学 师傅 将军 上校 法官 警官 记者 编辑 书记 局长 处长 科长 董事长 总裁 " +
		"さん さま ちゃん 君 様 殿 氏 社長 部長 課長 監督 選手 首相 大統領 大臣 議員 知事 会長 校長 警部 容疑者 被告 夫人 女史 アナ"
	surnames = " 欧阳 司马 慕容 上官 诸葛 司徒 东方 夏侯 皇甫 尉迟 公孙 令狐 宇文 长孙 端木 独孤 "
	maxUnit  = 18 // bytes
	weekdays = "一二三四五六日天"
	notUnits = "はがをにでともへのやか和或但在从对把被跟与的了"
	units    = "个小时 个星期 个月 公里 公斤 公分 公尺 厘米 毫米 小时 分钟 美元 日元 欧元 英镑 人民币 块钱 星期 年代 世纪 平方米 元 年 月 日 天 人 个 次 岁 点 分 秒 米 克 吨 度 倍 章 页 " +
		"勺 杯 碗 张 只 条 件 座 位 台 辆 层 楼 号 篇 首 遍 趟 块 片 颗 粒 瓶 盒 包 袋 套 群 队 盘 句 段 集 幅 枚 架 艘 栋 亩 升 毫升 千克 " +
		"円 ドル ユーロ ポンド ウォン キロ キロメートル メートル センチ ミリ グラム キログラム トン リットル パーセント 時間 分間 秒間 年間 日間 週間 か月 ヶ月 カ月 か月間 年代 世紀 回 歳 時 名 本 枚 台 番 番目 つ"
)

var (
	eastAsianUnits  = strings.Fields(units)
	eastAsianTitles = byFirst(strings.Fields(titles)) // by their first character
)

func byFirst(words []string) map[rune][]string {
	all := map[rune][]string{}
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		all[r] = append(all[r], w)
	}
	return all
}
