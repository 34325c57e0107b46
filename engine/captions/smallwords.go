package captions

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// smallWords lists the most frequent function words by language.
var smallWords = []struct {
	language transcript.Language
	joining  string // conjunctions: they begin a phrase, and may be followed by one
	bound    string // articles and prepositions: they belong to the word after them
	subjects string // pronouns that are always subjects: their verb follows
	trailing string // postpositions and particles: they belong to the word before them
}{
	{"en", "and or but so because that which who when where while if then than as", "of in on at to for from by with about into over " +
		"after before until without through between under the a an my your his her our their its", "i he she we they", "o'clock"},
	{"de", "und oder aber denn dass weil wenn als ob wie", "der die das den dem des ein eine einen einem einer eines in im an am auf aus " +
		"bei beim bis mit nach seit von vom zu zum zur für durch gegen ohne um über unter vor zwischen", "ich er wir", ""},
	{"es", "y e o u pero porque que si cuando como donde", "el la los las un una unos unas de del a al en con por para sin sobre entre " +
		"desde hasta hacia su sus mi mis", "yo tú", ""},
	{"fr", "et ou mais donc car que qui si quand comme où parce", "le la les un une des du de à au aux en dans avec pour par sans sur sous " +
		"entre chez vers depuis mon ma mes son sa ses", "je tu il on ils", ""},
	{"hi", "और या लेकिन मगर कि क्योंकि अगर तो जब जो जैसे इसलिए ताकि", "", "", "का की के में से को ने पर तक है हैं था थी थे भी ही जी"},
	{"id", "dan atau tetapi tapi karena bahwa jika kalau ketika yang", "di ke dari pada untuk dengan oleh dalam tentang sampai seperti para si sang", "saya", ""},
	{"it", "e ed o ma perché che se quando come dove", "il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai " +
		"agli alle da dal dalla in nel nella con su sul sulla per tra fra senza", "io", ""},
	{"ja", "", "", "", "は が を に で と も の へ や か ね よ から まで より ので です ます"},
	{"ko", "그리고 그러나 하지만 그래서 또는 그런데 왜냐하면", "이 그 저 한 두 세 네", "", "씨 님 것 것이 것은 것을 수 때 때문 때문에 중 후 전 동안 등"},
	{"nl", "en of maar want omdat dat die als wanneer toen", "de het een van in op aan met voor door bij naar uit over onder tussen zonder " +
		"tot om te mijn zijn haar", "ik hij wij we", ""},
	{"no", "og eller men for fordi at som hvis når da", "en ei et i på av til med fra om ved under over mellom uten etter før å", "jeg han hun vi", ""},
	{"pl", "i a lub albo ale bo że który która które gdy kiedy jeśli jak", "w we na z ze do od o po za przez dla przy pod nad między bez u ku nie", "ja", ""},
	{"pt", "e ou mas porque que se quando como onde", "o a os as um uma de do da dos das em no na nos nas ao à aos às com por para pelo " +
		"pela sem sobre entre até", "eu", ""},
	{"ru", "и а но или что чтобы если когда как где потому который которая которые", "в во на с со к ко от до из за по о об для при над под " +
		"между без через у не ни", "я ты он она мы они", ""},
	{"sv", "och eller men för att som om när då", "en ett i på av till om med från vid under över mellan utan efter innan den det de", "jag han hon vi", ""},
	{"tr", "ve veya ama fakat çünkü ki eğer", "bir bu şu her", "", "için ile gibi kadar de da mi mı mu mü bey hanım"},
	{"uk", "і й та а але або що щоб якщо коли як де бо який яка які", "в у на з із зі до від за по про для при над під між без через о об не ні", "я ти він вона ми вони", ""},
	{"zh", "和 或 但 但是 因为 所以 如果 而", "在 从 对 把 被 跟 与", "", "的 了 吗 呢 吧 着 过"},
}
