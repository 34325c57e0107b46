package captions

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// smallWords lists function words by language. Articles, determiners, and prepositions are complete but for rare ones, because a caption
// must not end with one.
var smallWords = []struct {
	language transcript.Language
	joining  string // conjunctions and relative pronouns: they begin a phrase, and may be followed by one
	bound    string // articles, determiners, and prepositions: they belong to the word after them
	loose    string // adverbs that belong to one of the words above after them, or to a number: "near | the", "roughly | 40"
	subjects string // pronouns that are always subjects: their verb follows
	trailing string // postpositions, particles, and titles after names: they belong to the word before them
}{
	{"en", "and or but nor so yet because that which who whom whose what when where while if then than as though although unless whether " +
		"why how whereas",
		"of in on at to for from by with about into onto over after before until till without within through throughout between among " +
			"against upon under underneath during despite toward towards per via versus vs since beneath beside besides concerning " +
			"regarding the a an this these every each no my your his her our their its another any some such both half",
		"up down off out around along across near past inside outside behind below above beyond round like except because instead ahead " +
			"according due thanks prior more less fewer rather roughly approximately nearly almost exactly", "i he she we they",
		"o'clock"},
	{"de", "und oder aber sondern denn dass weil wenn als ob wie obwohl damit bevor nachdem während sobald solange wer was wo wann warum " +
		"weshalb",
		"der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines dieser diese dieses diesen " +
			"diesem jeder jede jedes jeden jedem mein meine meinen meinem meiner dein deine deinen sein seine seinen seinem seiner ihr ihre " +
			"ihren ihrem ihrer unser unsere unseren unserem euer eure in im ins an am ans auf aufs aus bei beim bis mit nach seit von vom " +
			"zu zum zur für fürs durch durchs gegen ohne um ums über unter vor zwischen hinter neben trotz wegen außer binnen gemäß laut " +
			"pro statt anstatt innerhalb außerhalb",
		"rund etwa ungefähr circa ca fast knapp mindestens höchstens genau", "ich er es man wir",
		""},
	{"es", "y e o u ni pero sino porque que si cuando como donde mientras aunque pues quien quienes cual cuales",
		"el la los las lo un una unos unas este esta estos estas ese esa esos esas aquel aquella cada algún alguna ningún ninguna otro " +
			"otra todo toda todos todas de del a al en con por para sin sobre entre desde hasta hacia bajo ante tras según durante mediante " +
			"contra su sus mi mis tu tus nuestro nuestra nuestros nuestras le les me te se nos",
		"antes después dentro fuera cerca lejos encima debajo detrás delante casi aproximadamente más menos alrededor", "yo tú",
		""},
	{"fr", "et ou mais donc ni car que qui si quand comme où parce lorsque puisque quoique dont",
		"le la les un une des du de ce cet cette ces chaque tout toute tous toutes quelque quelques plusieurs aucun aucune d'un d'une à " +
			"au aux en dans avec pour par sans sur sous entre chez vers depuis dès pendant durant contre parmi selon malgré sauf hors " +
			"jusque jusqu'à jusqu'au jusqu'aux mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs avant après devant derrière " +
			"voici voilà me te se ne",
		"près autour loin environ presque plus moins exactement", "je tu il on ils",
		""},
	{"hi", "और या लेकिन मगर कि क्योंकि अगर तो जब जो जैसे इसलिए ताकि परंतु किंतु जबकि",
		"",
		"लगभग करीब", "",
		"का की के में से को ने पर तक है हैं था थी थे भी ही जी"},
	{"id", "dan atau tetapi tapi namun karena sebab bahwa jika kalau ketika yang agar supaya sehingga sementara sedangkan meskipun " +
		"walaupun",
		"di ke dari pada kepada daripada untuk dengan oleh dalam tentang sampai hingga seperti bagi para si sang sebuah seorang seekor " +
			"suatu setiap tiap semua seluruh tanpa melalui menurut selama sejak antara terhadap demi sekitar atas akibat per",
		"setelah sebelum sesudah hampir lebih kurang", "saya",
		""},
	{"it", "e ed o ma né perché che se quando come dove mentre anche benché oppure",
		"il lo la i gli le un uno una un' di del dello della dei degli delle a ad al allo alla ai agli alle da dal dallo dalla dai " +
			"dagli dalle in nel nello nella nei negli nelle con col su sul sullo sulla sui sugli sulle per tra fra senza sotto sopra dopo " +
			"verso contro durante presso lungo oltre entro attraverso mediante secondo questo questa questi queste quel quello quella quei " +
			"quegli quelle ogni qualche alcuni alcune tutto tutta tutti tutte mio mia miei tuo tua suo sua suoi sue nostro nostra vostro " +
			"vostra loro",
		"prima fino intorno dentro fuori davanti dietro insieme circa quasi più meno", "io",
		""},
	{"ja", "",
		"",
		"", "",
		"は が を に で と も の へ や か ね よ から まで より ので です ます"},
	{"ko", "그리고 그러나 하지만 그래서 또는 그런데 왜냐하면 그러면 따라서 혹은 및",
		"이 그 저 한 두 세 네 다른 모든 어떤 어느 무슨 여러 새 헌 옛 온 각 매 첫 몇 이런 그런 저런 이러한 그러한 아무 온갖",
		"거의 대략", "",
		"씨 님 군 양 선생 선생님 작가 작가님 시인 교수 교수님 박사 박사님 대표 대표님 사장 사장님 회장 회장님 의원 의원님 장관 총리 대통령 감독 감독님 선수 기자 의사 변호사 판사 검사 부장 과장 팀장 원장 총장 목사 목사님 " +
			"신부 스님 여사 장군 거 건 게 걸 거야 거예요 거고 수 수가 수는 수도 수밖에 때 때는 때가 때를 때에 때에는 때도 때까지 때부터 때마다 때의 때만 뒤 뒤에 뒤에는 뒤로 전에 전에는 전부터 전까지 후 후에 후에는 후로 중 " +
			"중에 중에서 중인 동안 동안에 적 적이 적은 적도 줄 줄은 줄을 줄도 데 데에 데는 바 바가 바는 바를 바와 만큼 채 채로 듯 듯이 뿐 뿐만 대로 지 리가 등 등을 등이 등의 등은 등과 등에 이후 이후로 이전 경우 경우에 " +
			"경우에는 께 께서 께서는"},
	{"nl", "en of maar want omdat dat die als wanneer toen terwijl hoewel zodat voordat nadat wie wat waar waarom hoe",
		"de het een 't van in op aan met voor door bij naar uit over onder tussen zonder tot om te mijn jouw haar ons onze jullie hun " +
			"uw deze dit elk elke ieder iedere geen tegen langs vanaf rond rondom na sinds tijdens volgens behalve boven beneden naast " +
			"achter binnen buiten per via wegens ondanks jegens alle hele",
		"dan ongeveer circa bijna ruim precies", "ik hij wij we",
		""},
	{"no", "og eller men for fordi at som hvis når da mens selv hvor hvordan hvorfor",
		"en ei et i på av til med fra om ved under over mellom uten etter før å den det de denne dette disse hver hvert ingen noen mot " +
			"gjennom langs rundt hos blant innen utenfor innenfor bak foran bortsett per via siden min mitt mine din ditt dine sin sitt " +
			"sine vår vårt våre hele",
		"enn omtrent cirka nesten mer mindre nøyaktig omkring", "jeg han hun vi",
		""},
	{"pl", "i a lub albo ale bo że który która które którego której których gdy kiedy jeśli jak żeby aby ponieważ gdzie czy oraz ani więc",
		"w we na z ze do od ode o po za przez dla przy pod pode nad nade między bez beze u ku nie przed przeciw przeciwko według " +
			"podczas oprócz wobec zamiast poza ponad spod znad zza spoza wśród obok koło wokół wzdłuż mimo dzięki około blisko ten ta te " +
			"tego tej tych tym tę tą każdy każda każde każdego każdej każdą mój moja moje swój swoją swoje nasz nasza wasz",
		"prawie niemal więcej mniej dokładnie", "ja",
		""},
	{"pt", "e ou mas porque que se quando como onde enquanto nem pois embora quem qual quais",
		"o a os as um uma uns umas de do da dos das em no na nos nas num numa nuns numas dum duma ao à aos às com por para pra pelo " +
			"pela pelos pelas sem sobre sob entre até desde após perante contra durante há conforme segundo este esta estes estas esse essa " +
			"esses essas aquele aquela neste nesta nesse nessa naquele naquela deste desta desse dessa daquele daquela cada todo toda todos " +
			"todas algum alguma nenhum nenhuma outro outra meu minha seu sua seus suas nosso nossa teu tua",
		"antes depois dentro fora perto longe cerca quase mais menos aproximadamente", "eu",
		""},
	{"ru", "и а но или либо что чтобы если когда как где куда откуда потому поэтому хотя пока который которая которое которые которого " +
		"которой которых которую",
		"в во на с со к ко от ото до из изо за по о об обо для при над под подо между меж без безо через у не ни перед передо пред про " +
			"после против около возле среди вместо кроме ради вдоль вокруг мимо внутри благодаря согласно сквозь вне из-за из-под насчёт " +
			"помимо напротив близ этот эта эти этого этой этих этом эту этим тот та те того той тех том ту каждый каждая каждое каждую " +
			"каждого каждой мой моя моё мои моего моей свой своя своё свои своего своей свою наш наша наше наши нашего нашей ваш ваша ваше " +
			"ваши",
		"почти примерно больше более меньше свыше ровно", "я ты он она мы они",
		""},
	{"sv", "och eller men för att som om när då eftersom medan fast fastän hur varför var vad vem",
		"en ett i på för av till om med från vid under över mellan utan efter innan den det de denna detta dessa varje ingen inget " +
			"någon något några genom mot längs före hos inom utom utanför bland bakom framför runt kring sedan enligt trots per via min " +
			"mitt mina din ditt dina sin sitt sina vår vårt våra hela att",
		"än ungefär cirka nästan omkring mer mindre drygt exakt", "jag han hon vi",
		""},
	{"tr", "ve veya ya ama fakat çünkü ki eğer ancak oysa hem",
		"bir bu şu o her hiçbir bazı hangi tüm bütün birkaç",
		"yaklaşık", "",
		"için ile gibi kadar göre karşı doğru rağmen dolayı önce sonra beri itibaren de da mi mı mu mü bey hanım"},
	{"uk", "і й та а але або чи що щоб якщо коли як де куди бо хоча поки тому який яка яке які якого якої яких яку",
		"в у на з із зі зо до від од за по про для при над під між без через о об не ні перед після проти біля коло серед замість крім " +
			"окрім заради вздовж навколо довкола повз всередині завдяки згідно крізь поза поміж з-за з-під із-за щодо попри цей ця ці цього " +
			"цієї цих цю той ті того тієї тих ту кожен кожна кожне кожну кожного мій моя моє мої мого моєї свій своя своє свої свого своєї " +
			"свою наш наша наше наші нашого нашої ваш ваша",
		"майже приблизно понад більше менше близько рівно", "я ти він вона ми вони",
		""},
	{"zh", "和 或 但 但是 因为 所以 如果 而",
		"在 从 对 把 被 跟 与",
		"", "",
		"的 了 吗 呢 吧 着 过"},
	// Further determiners, prepositions, and the first words of prepositions in several words.
	{
		language: "en",
		bound: "both either neither another such whose every within throughout upon onto toward towards amid among amongst " +
			"despite beneath beside besides beyond concerning regarding versus via unlike underneath alongside inside " +
			"outside half",
		loose: "least just barely one none most many some neither either each half several because due according instead ahead out next close " +
			"prior roughly nearly almost approximately exactly",
		trailing: "ago o'clock",
	},
	{
		language: "de",
		bound: "jede jeder jedes jeden jedem dieser diese dieses diesen diesem jener jene jenes jenen jenem welche welcher " +
			"welches welchen welchem solche solcher manche mancher etliche sämtliche innerhalb " +
			"außerhalb während wegen trotz statt anstatt laut gemäß entlang gegenüber samt mitsamt mittels zufolge " +
			"angesichts anhand aufgrund hinsichtlich bezüglich unterhalb oberhalb diesseits jenseits binnen zweite zweiten " +
			"dritte dritten vierte vierten fünfte fünften sechste siebte achte neunte zehnte",
		loose: "rund etwa knapp fast circa ungefähr mindestens höchstens",
	},
	{
		language: "es",
		bound:    "ambos ambas cuántos cuántas cuánto cuánta varios varias dicho dicha dichos dichas mediante salvo excepto tras",
		loose:    "apenas uno una junto debido gracias respecto pesar través frente conforme a menos cuanto rumbo",
	},
	{
		language: "fr",
		bound: "quel quelle quels quelles certains certaines divers diverses différents différentes outre envers via lesdits " +
			"ladite durant moyennant nul nulle",
		loose: "auprès lors grâce quant face afin lieu cours long travers partir sein suite environ presque",
	},
	{
		language: "hi",
		trailing: "लिए अनुसार भीतर ऊपर नीचे पास बाद पहले साथ बारे सामने बीच दौरान द्वारा कारण बावजूद बिना अलावा अंदर बाहर आगे " +
			"पीछे तरफ ओर खिलाफ ख़िलाफ़ विरुद्ध प्रति तहत जरिए ज़रिए मुताबिक सहित",
		bound: "हर प्रत्येक कोई किसी ऐसा ऐसी ऐसे अपना अपनी अपने मेरा मेरी मेरे हमारा हमारी हमारे तुम्हारा तुम्हारी आपका आपकी आपके इस उस इन उन किस जिस एक",
	},
	{
		language: "id",
		bound:    "belum sudah tidak akan bersama menuju tanpa bawah tentang mengenai beberapa banyak berbagai",
		loose:    "antara hampir sekitar",
		trailing: "itu ini tersebut",
	},
	{
		language: "it",
		bound: "tale tali tutti nessun ognuno entrambi entrambe quale quali quanti quante quanto quanta alcuno alcuna nessun nessuno nessuna ciascun " +
			"ciascuno ciascuna certi certe diversi diverse parecchi parecchie tranne eccetto salvo quest' quell' dell' " +
			"nell' all' dall' sull'",
		loose: "almeno oltre appena accanto grazie rispetto oltre riguardo davanti causa base parte",
	},
	{
		language: "nl",
		bound: "haar mijn beide sommige enkele enige welke welk zulke iedere zo'n tegenover jegens ondanks gedurende omtrent betreffende " +
			"bovenop dankzij krachtens namens",
		loose: "minstens hoogstens samen",
	},
	{
		language: "no",
		bound:    "begge noen hvilken hvilket hvilke sånn slike slik ifølge angående omkring samt begges deres dens",
		loose:    "minst høyst bare inn ut opp ned fram sammen grunn siden stedet løpet hensyn forhold hjelp",
		trailing: "min mitt mine din ditt dine sin sitt sine vår vårt våre hans hennes deres",
	},
	{
		language: "pl",
		bound: "swoim swoimi swoich swojego swojej swojemu moim moimi moich mojego mojej naszym naszymi naszych naszego naszej waszym waszych takie taki taka takich takim żadnych żadnym co wszystkie wszyscy wszystkich oba obie obu żaden żadna żadne żadnego żadnej jaki jaka jakie jakiego jakiej ile " +
			"wiele kilka kilku ich jego jej wobec względem odnośnie skutkiem wskutek pomimo prócz naprzeciw",
		loose:    "wraz razem zgodnie niż około",
		trailing: "rano wieczorem temu",
	},
	{
		language: "pt",
		bound: "ambos ambas quantos quantas quanto quanta vários várias certos certas mediante salvo exceto àquele àquela " +
			"àqueles àquelas daqueles daquelas deles num numa pelo",
		loose: "diante debaixo atrás além meados junto devido graças respeito apesar através frente longo lado partir um uma menos",
	},
	{
		language: "ru",
		bound: "его её своим своими своих своему моим моими моих моему нашим нашими наших нашему вашим вашими ваших вашему всякого всякой весь вся всё все всех всем всей всю такой такая такое такие таких такую оба обе обоих их сам самый самая самое " +
			"самые наперекор вопреки касательно посредством ввиду вследствие вслед навстречу сверх сколько несколько какой " +
			"какая какое какие",
		loose:    "вместе наряду около",
		trailing: "утром вечером назад",
	},
	{
		language: "sv",
		bound: "båda alla vilken vilket vilka sådan sådana hans hennes deras dess vars ert era er ens var angående beträffande " +
			"ovanför nedanför bredvid",
		loose: "minst högst bara in ut upp ner ned fram tillsammans grund stället hjälp hänsyn fråga enlighet samband",
	},
	{
		language: "tr",
		bound:    "yarım beş üç dört iki ila birçok çoğu şöyle böyle bunca",
		trailing: "ortası ortasında ortasına başı başında sonu sonunda sonuna önünde içinde üzerinde altında arasında hakkında tarafından boyunca sularında sırasında ilişkin yönelik dair " +
			"üzere",
	},
	{
		language: "uk",
		bound: "його її своїм своїми своїх своєму моїм моїми моїх моєму нашим нашими наших нашому вашим вашими ваших вашому жодні жодних жодним всякого весь вся все всі всіх всім всією всю такий така таке такі таку такої обидва обидві їхній їхня їхнє їхні їхніх " +
			"їхніми їх скільки кілька декілька який внаслідок всупереч упродовж протягом щодо стосовно наперекір посеред " +
			"жоден жодна жодної жодного",
		loose:    "разом поряд",
		trailing: "вранці ввечері увечері тому",
	},
}
