package captions

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// smallWords lists, by language, words that begin phrases and words that end them: the most frequent conjunctions, prepositions,
// and articles, and the most frequent postpositions and particles.
var smallWords = []struct {
	language          transcript.Language
	leading, trailing string
}{
	{"en", "and or but so because that which who when where while if then than as of in on at to for from by with about into over " +
		"after before until without through between under the a an", ""},
	{"de", "und oder aber denn dass weil wenn als ob wie der die das den dem des ein eine einen einem einer eines in im an am auf aus " +
		"bei mit nach seit von vom zu zum zur für durch gegen ohne um über unter vor zwischen", ""},
	{"es", "y e o u pero porque que si cuando como donde el la los las un una unos unas de del a al en con por para sin sobre entre " +
		"desde hasta hacia", ""},
	{"fr", "et ou mais donc car que qui si quand comme où parce le la les un une des du de à au aux en dans avec pour par sans sur sous " +
		"entre chez vers depuis", ""},
	{"hi", "और या लेकिन मगर कि क्योंकि अगर तो जब जो जैसे इसलिए ताकि", "का की के में से को ने पर तक है हैं था थी थे भी ही"},
	{"id", "dan atau tetapi tapi karena bahwa jika kalau ketika yang di ke dari pada untuk dengan oleh dalam tentang sampai seperti", ""},
	{"it", "e ed o ma perché che se quando come dove il lo la i gli le un uno una di del della dei a al alla da dal in nel nella con su " +
		"sul per tra fra senza", ""},
	{"ja", "", "は が を に で と も の へ や か ね よ から まで より ので です ます"},
	{"ko", "그리고 그러나 하지만 그래서 또는 그런데 왜냐하면", ""},
	{"nl", "en of maar want omdat dat die als wanneer toen de het een van in op aan met voor door bij naar uit over onder tussen zonder " +
		"tot om te", ""},
	{"no", "og eller men for fordi at som hvis når da en ei et i på av til med fra om ved under over mellom uten etter før å", ""},
	{"pl", "i a lub albo ale bo że który która które gdy kiedy jeśli jak w we na z ze do od o po za przez dla przy pod nad między bez", ""},
	{"pt", "e ou mas porque que se quando como onde o a os as um uma de do da dos das em no na nos nas com por para pelo pela sem sobre " +
		"entre até", ""},
	{"ru", "и а но или что чтобы если когда как где потому который которая которые в во на с со к ко от до из за по о об для при над под " +
		"между без через не", ""},
	{"sv", "och eller men för att som om när då en ett i på av till med från vid under över mellan utan efter innan", ""},
	{"tr", "ve veya ama fakat çünkü ki eğer", "için ile gibi kadar de da mi mı mu mü"},
	{"uk", "і й та а але або що щоб якщо коли як де бо який яка які в у на з із зі до від за по про для при над під між без через не", ""},
	{"zh", "和 或 但 但是 因为 所以 如果 而 在 从 对 把 被 跟 与", "的 了 吗 呢 吧 着 过"},
}
