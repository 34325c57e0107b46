package captions

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// bondWords lists words that a caption keeps together with a neighbour. A word matches in lower case. "dr" also matches "dr."; "no."
// matches only with its full stop.
var bondWords = []struct {
	language transcript.Language
	titles   string // before a name
	units    string // after a number; currencies too
	scales   string // after a number, and numbers themselves
	numerals string
	labels   string // before a number
	months   string
	links    string // between a number and its unit or month: "3 de marzo"
}{
	{"", "", "% ‰ ° °c °f km m cm mm µm nm kg g mg t l ml cl dl h min s ms km/h m/s km² m² cm² m³ hz khz mhz ghz kb mb gb tb kbit/s mbit/s " +
		"kw mw gw kwh mwh gwh kv mah ph db px fps rpm bpm psi hpa mph ft lb lbs oz gal € $ £ ¥ ₹ ₽ ₴ ₺ ₩ zł kr kč usd eur gbp chf jpy " +
		"inr rub uah try krw cny rmb pln sek nok dkk idr brl mxn btc", "", "", "§ §§ № n° nº #", "", ""},
	{"en", "mr mrs ms dr prof sir dame lord lady rev hon sgt capt lt col gen maj cpl cmdr adm gov sen rep st pres president senator professor " +
		"doctor captain judge justice king queen prince princess pope saint uncle aunt mount mt", "percent per cent dollar dollars cent cents pound pounds euro euros yen yuan rupees kilometre " +
		"kilometres kilometer kilometers metre metres meter meters centimetres centimeters millimetres mile miles foot feet inch inches yard yards kilo kilos kilogram kilograms gram " +
		"grams tonne tonnes ton tons ounce ounces litre litres liter liters gallon gallons degree degrees second seconds minute minutes hour hours day days week weeks month " +
		"months year years decade decades century centuries times people am pm a.m p.m gigabytes megabytes terabytes megahertz hertz watts kilowatts volts decibels points bc ad bce ce",
		"hundred thousand million billion trillion dozen", "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety",
		"no. nos. p. pp. page pages chapter figure fig. vol. volume room number section article episode season part", "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec", "of"},
	{"de", "herr herrn frau dr prof hr. fr. ing dipl st sankt präsident präsidentin kanzler kanzlerin bundeskanzler bundeskanzlerin minister ministerin professor professorin doktor könig königin kaiser papst",
		"prozent euro cent dollar pfund franken kilometer kilometern meter metern zentimeter millimeter kilo kilogramm gramm tonnen tonne liter grad sekunde sekunden minute minuten stunde stunden tag tage tagen woche " +
			"wochen monat monate monaten jahr jahre jahren jahrhundert uhr mal menschen personen stück kilowatt watt volt gigabyte megabyte", "hundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert tausend zweitausend dreitausend million millionen milliarde milliarden billion billionen dutzend mio mrd",
		"zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", "nr s. seite kapitel abb. bd. band nummer abschnitt artikel art. abs. zimmer teil folge staffel",
		"januar jänner februar märz april mai juni juli august september oktober november dezember", ""},
	{"es", "sr sra srta dr dra don doña d. dña prof ing lic san santa santo presidente presidenta rey reina papa señor señora doctor doctora profesor profesora", "por ciento euro euros céntimos dólar dólares peso pesos libras yenes kilómetro kilómetros metro metros centímetros " +
		"milímetros kilo kilos gramos toneladas litro litros grado grados segundo segundos minuto minutos hora horas día días semana semanas mes meses año años siglo siglos veces personas", "cien ciento cientos doscientos doscientas trescientos quinientos mil millón millones billón billones docena",
		"dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa", "n.º núm p. pág página capítulo número artículo art. sección figura fig. tomo sala",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", "de"},
	{"fr", "m. mm. mme mmes mlle dr pr me mgr st ste saint sainte monsieur madame mademoiselle docteur professeur président présidente roi reine pape maître", "pour cent euro euros centimes dollar dollars livres francs kilomètre kilomètres mètre mètres centimètres " +
		"millimètres kilo kilos grammes tonnes litre litres degré degrés seconde secondes minute minutes heure heures jour jours semaine semaines mois an ans année années siècle siècles fois personnes", "cent cents mille million millions milliard milliards douzaine",
		"deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante", "p. page chapitre numéro article art. section figure fig. tome salle", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre", "de d'"},
	{"hi", "श्री श्रीमती सुश्री डॉ डॉक्टर प्रो प्रोफेसर पंडित राष्ट्रपति प्रधानमंत्री", "प्रतिशत रुपये रुपए रुपया डॉलर पैसे किलोमीटर मीटर सेंटीमीटर किलो किलोग्राम ग्राम टन लीटर डिग्री सेकंड मिनट घंटे घंटा दिन हफ्ते सप्ताह महीने महीना साल वर्ष बार लोग लोगों बजे",
		"सौ हज़ार हजार लाख करोड़ अरब", "दो तीन चार पाँच पांच छह सात आठ नौ दस बीस तीस चालीस पचास", "पृष्ठ अध्याय संख्या नंबर", "जनवरी फ़रवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर", ""},
	{"id", "bapak pak ibu bu tuan nyonya nona dr prof ir h. hj. kh. sultan presiden", "persen rupiah dolar euro kilometer meter sentimeter kilo kilogram gram ton liter derajat detik menit jam hari minggu bulan tahun abad kali orang", "ratus ribu juta miliar triliun",
		"dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas", "no. hal. halaman bab nomor pasal jalan rp", "januari februari maret april mei juni juli agustus september oktober november desember", ""},
	{"it", "sig sig.ra sig.na dott dott.ssa prof prof.ssa ing avv on. san santa santo don signor signora dottor dottore dottoressa professor presidente re regina papa", "per cento euro centesimi dollaro dollari sterline chilometro chilometri metro metri centimetri " +
		"millimetri chilo chili grammi tonnellate litro litri grado gradi secondo secondi minuto minuti ora ore giorno giorni settimana settimane mese mesi anno anni secolo secoli volte persone", "cento mila mille milione milioni miliardo miliardi dozzina",
		"due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta quaranta cinquanta sessanta", "n. pag p. pagina capitolo numero articolo art. figura fig. vol. sala", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", "di"},
	{"ja", "", "", "", "", "", "", ""},
	{"ko", "", "퍼센트 프로 원 달러 유로 엔 위안 킬로미터 미터 센티미터 킬로 킬로그램 그램 톤 리터 도 초 분 시 시간 일 주 개월 월 달 년 세기 번 명 개 살 세 대 권 잔 마리 장 층 위 배 회", "백 천 만 억 조 백만 천만", "하나 둘 셋 넷 한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 스무", "제 약 총", "", ""},
	{"nl", "dhr mevr mw dr prof ir ing mr ds st sint meneer mevrouw president koning koningin minister dokter professor", "procent euro cent dollar pond kilometer meter centimeter millimeter kilo kilogram gram ton liter graden graad seconde seconden minuut minuten uur dag dagen week weken maand maanden jaar eeuw keer mensen",
		"honderd tweehonderd driehonderd vierhonderd vijfhonderd duizend tweeduizend miljoen miljard biljoen dozijn", "twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig veertig vijftig zestig", "nr p. blz pagina hoofdstuk nummer artikel art. figuur fig. deel zaal", "januari februari maart april mei juni juli augustus september oktober november december", ""},
	{"no", "hr fr. dr prof st herr fru frøken kong dronning statsminister professor doktor sankt", "prosent krone kroner øre euro dollar pund kilometer meter centimeter millimeter kilo kilogram gram tonn liter grader grad sekund sekunder minutt minutter time timer dag dager døgn uke uker måned måneder år århundre ganger mennesker personer",
		"hundre tusen million millioner milliard milliarder dusin", "to tre fire fem seks sju syv åtte ni ti elleve tolv tjue tretti førti femti", "nr s. side kapittel nummer artikkel figur fig. bind rom kl", "januar februar mars april mai juni juli august september oktober november desember", ""},
	{"pl", "pan pani pana panu panem panią dr prof inż mgr ks św hab gen płk por prezydent premier król królowa papież profesor doktor", "procent procenta złoty złote złotych zł gr groszy euro dolar dolary dolarów funtów kilometr kilometry kilometrów metr metry metrów centymetrów milimetrów kilo kilogram kilogramów gramów ton tony litr litry litrów stopni stopień " +
		"sekunda sekundy sekund minuta minuty minut godzina godziny godzin dzień dni tydzień tygodnie tygodni miesiąc miesiące miesięcy rok roku lata lat wiek wieku razy osób ludzi", "sto tysiąc tysiąca tysiące tysięcy tys milion miliona miliony milionów mln miliard miliarda miliardy miliardów mld tuzin",
		"dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście dwadzieścia trzydzieści", "nr s. str strona rozdział numer artykuł art. rys. ul al pl. godz", "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień", ""},
	{"pt", "sr sra srta dr dra dona d. prof profa eng são santa santo senhor senhora doutor doutora professor professora presidente rei rainha papa", "por cento euro euros cêntimos real reais dólar dólares libras quilômetro quilômetros quilómetro quilómetros metro metros centímetros milímetros quilo quilos gramas toneladas litro litros grau graus segundo segundos " +
		"minuto minutos hora horas dia dias semana semanas mês meses ano anos século séculos vezes pessoas", "cem mil milhão milhões bilhão bilhões trilhão trilhões dúzia", "dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta quarenta cinquenta",
		"n.º p. pág página capítulo número artigo art. figura fig. seção sala", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro", "de"},
	{"ru", "г-н г-жа д-р проф акад господин госпожа доктор профессор президент царь король королева святой им. г. ул. гр. тов ген полк", "процент процента процентов рубль рубля рублей руб копеек доллар доллара долларов евро километр километра километров метр метра метров сантиметров миллиметров кило килограмм килограмма килограммов грамм граммов тонн тонны тонна литр литра литров градус градуса градусов " +
		"секунда секунды секунд минута минуты минут час часа часов день дня дней неделя недели недель месяц месяца месяцев год года лет век века веков раз раза человек людей км кг см мм л мин сек гг. шт", "сто тысяча тысячи тысяч тыс миллион миллиона миллионов млн миллиард миллиарда миллиардов млрд триллион триллионов дюжина",
		"два две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать двадцать тридцать сорок пятьдесят", "с. стр страница глава номер статья ст. рис. том дом д. кв. п.", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь", ""},
	{"sv", "herr fru fröken dr prof st sankt kung drottning statsminister professor doktor hr", "procent krona kronor öre euro dollar pund kilometer meter centimeter millimeter kilo kilogram gram ton liter grader grad sekund sekunder minut minuter timme timmar dag dagar dygn vecka veckor månad månader år århundrade gånger människor personer",
		"hundra tusen miljon miljoner miljard miljarder dussin", "två tre fyra fem sex sju åtta nio tio elva tolv tjugo trettio fyrtio femtio", "nr s. sid sidan kapitel nummer artikel figur fig. del rum kl", "januari februari mars april maj juni juli augusti september oktober november december", ""},
	{"tr", "sayın sn dr prof doç av bay bayan cumhurbaşkanı başbakan sultan kral kraliçe doktor profesör", "yüzde lira liraya kuruş tl avro euro dolar sterlin kilometre metre santimetre milimetre kilo kilogram gram ton litre derece saniye dakika saat gün hafta ay yıl yaş asır yüzyıl kez kere defa kişi tane adet", "yüz bin milyon milyar trilyon düzine",
		"iki üç dört beş altı yedi sekiz dokuz on onbir yirmi otuz kırk elli", "yüzde no. s. sayfa bölüm numara madde şekil cilt saat", "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık", ""},
	{"uk", "пан пані пане д-р проф акад професор доктор президент король королева святий ім. м. вул. ген полк", "відсоток відсотка відсотків гривня гривні гривень грн копійок долар долара доларів євро кілометр кілометра кілометри кілометрів метр метра метри метрів сантиметрів міліметрів кіло кілограм кілограма кілограмів грам грамів тонн тонни тонна літр літра літри літрів градус градуса градусів " +
		"секунда секунди секунд хвилина хвилини хвилин година години годин день дня дні днів тиждень тижні тижнів місяць місяця місяці місяців рік року роки років століття раз рази разів осіб людей км кг см мм л хв сек рр. шт", "сто тисяча тисячі тисяч тис мільйон мільйона мільйони мільйонів млн мільярд мільярда мільярди мільярдів млрд трильйон трильйонів дюжина",
		"два дві три чотири п'ять п’ять шість сім вісім дев'ять дев’ять десять одинадцять дванадцять двадцять тридцять", "с. стор сторінка розділ номер стаття ст. рис. том буд. кв. п.", "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень", ""},
	{"zh", "", "", "", "", "", "", ""},
}

// givenNames are frequent German given names. German capitalises every noun, so capitals alone don't show a name.
const givenNames = "alexander andrea andreas angela anna anne annalena anton barbara ben bernd birgit brigitte carl caspar christa christian christina " +
	"christine claudia clara daniel david dieter elisabeth emil emma erich ernst eva felix florian frank franz friedrich gabriele georg gerhard gisela günter günther " +
	"hans hannah heike heinrich heinz helga helmut herbert horst ida ingrid jan jana jens joachim johann johanna johannes jonas josef julia jürgen karin karl katharina " +
	"klaus konrad kurt lars laura lena leon lisa ludwig lukas manfred maria marie marion markus martin martina matthias max maximilian michael monika moritz nadine " +
	"nicole niklas olaf oliver otto paul paula peter petra philipp rainer ralf renate richard robert robin rolf sabine sandra sebastian silke simon sofie sophie stefan " +
	"stefanie stephan susanne sven tanja theodor thomas tim tobias ulrich ursula ute uwe walter werner wilhelm wolfgang"
