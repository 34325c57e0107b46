package captions

import (
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// bondWords lists words that a caption keeps together with a neighbour. A word matches in lower case, unless
// it is listed with a capital. "dr" also matches "dr."; "no."
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
	{"", "",
		"% ‰ ° °c °f km m cm mm µm nm kg g mg t l ml cl dl h min s ms km/h m/s km² m² cm² m³ hz khz mhz ghz kb mb gb tb kbit/s " +
			"mbit/s kw mw gw kwh mwh gwh kv mah ph db px fps rpm bpm psi hpa mph ft lb lbs oz gal € $ £ ¥ ₹ ₽ ₴ ₺ ₩ zł kr kč usd eur " +
			"gbp chf jpy inr rub uah try krw cny rmb pln sek nok dkk idr brl mxn btc",
		"",
		"",
		"§ §§ № n° nº #",
		"",
		""},
	{"en", "mr mrs ms dr prof sir dame lord lady rev hon sgt capt lt col gen maj cpl cmdr adm gov sen rep st pres president senator " +
		"professor doctor captain judge justice king queen prince princess pope saint uncle aunt mount mt",
		"percent per cent dollar dollars cent cents pound pounds euro euros yen yuan rupees kilometre kilometres kilometer " +
			"kilometers metre metres meter meters centimetres centimeters millimetres mile miles foot feet inch inches yard yards " +
			"kilo kilos kilogram kilograms gram grams tonne tonnes ton tons ounce ounces litre litres liter liters gallon gallons " +
			"degree degrees second seconds minute minutes hour hours day days week weeks month months year years decade decades " +
			"century centuries times people am pm a.m p.m gigabytes megabytes terabytes megahertz hertz watts kilowatts volts " +
			"decibels points bc ad bce ce",
		"hundred thousand million billion trillion dozen",
		"two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty " +
			"ninety thirteen fourteen sixteen seventeen eighteen nineteen",
		"no. nos. p. pp. page pages chapter figure fig. vol. volume room number section article episode season part book act " +
			"scene paragraph verse line track gate platform channel level version phase stage step group class grade form unit " +
			"module lesson exercise appendix annex clause bus flight highway route apartment apt suite floor table page. fig vol ch " +
			"chap eq para sec",
		"january february march april may june july august september october november december jan feb mar apr jun jul aug sep " +
			"sept oct nov dec",
		"of"},
	{"de", "herr herrn frau dr prof hr. fr. ing dipl st sankt präsident präsidentin kanzler kanzlerin bundeskanzler bundeskanzlerin " +
		"minister ministerin professor professorin doktor könig königin kaiser papst",
		"prozent euro cent dollar pfund franken kilometer kilometern meter metern zentimeter millimeter kilo kilogramm gramm " +
			"tonnen tonne liter grad sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten " +
			"jahr jahre jahren jahrhundert uhr mal menschen personen stück kilowatt watt volt gigabyte megabyte",
		"hundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert tausend " +
			"zweitausend dreitausend million millionen milliarde milliarden billion billionen dutzend mio mrd",
		"zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig " +
			"neunzig dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
		"nr s. seite kapitel abb. bd. band nummer abschnitt artikel art. abs. zimmer teil folge staffel heft szene akt absatz " +
			"paragraf paragraph vers zeile gleis kanal stufe version phase schritt gruppe klasse lektion übung anhang bus flug linie " +
			"tisch abs bd abb kap tab anlage aufgabe tor halle block strophe",
		"januar jänner februar märz april mai juni juli august september oktober november dezember",
		""},
	{"es", "sr sra srta dr dra don doña d. dña prof ing lic san santa santo presidente presidenta rey reina papa señor señora " +
		"doctor doctora profesor profesora",
		"por ciento euro euros céntimos dólar dólares peso pesos libras yenes kilómetro kilómetros metro metros centímetros " +
			"milímetros kilo kilos gramos toneladas litro litros grado grados segundo segundos minuto minutos hora horas día días " +
			"semana semanas mes meses año años siglo siglos veces personas",
		"cien ciento cientos doscientos doscientas trescientos quinientos mil millón millones billón billones docena",
		"dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta sesenta setenta " +
			"ochenta noventa trece catorce dieciséis diecisiete dieciocho diecinueve",
		"n.º núm p. pág página capítulo número artículo art. sección figura fig. tomo sala n.° volumen vol libro acto escena " +
			"párrafo párr verso línea pista puerta andén canal nivel versión fase paso grupo clase lección ejercicio anexo vuelo " +
			"ruta piso mesa cap episodio temporada parte",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"de"},
	{"fr", "m. mm. mme mmes mlle dr pr me mgr st ste saint sainte monsieur madame mademoiselle docteur professeur président " +
		"présidente roi reine pape maître",
		"pour cent euro euros centimes dollar dollars livres francs kilomètre kilomètres mètre mètres centimètres millimètres " +
			"kilo kilos grammes tonnes litre litres degré degrés seconde secondes minute minutes heure heures jour jours semaine " +
			"semaines mois an ans année années siècle siècles fois personnes",
		"cent cents mille million millions milliard milliards douzaine",
		"deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante treize " +
			"quatorze seize soixante-dix quatre-vingts quatre-vingt quatre-vingt-dix septante huitante nonante",
		"p. page chapitre numéro article art. section figure fig. tome salle volume vol livre acte scène paragraphe vers ligne " +
			"piste porte quai chaîne niveau version phase étape groupe classe leçon exercice annexe bus route étage table chap " +
			"épisode saison partie chambre alinéa",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"de d'"},
	{"hi", "श्री श्रीमती सुश्री डॉ डॉक्टर प्रो प्रोफेसर पंडित राष्ट्रपति प्रधानमंत्री",
		"प्रतिशत रुपये रुपए रुपया डॉलर पैसे किलोमीटर मीटर सेंटीमीटर किलो किलोग्राम ग्राम टन लीटर डिग्री सेकंड मिनट घंटे घंटा दिन " +
			"हफ्ते सप्ताह महीने महीना साल वर्ष बार लोग लोगों बजे",
		"सौ हज़ार हजार लाख करोड़ अरब",
		"दो तीन चार पाँच पांच छह सात आठ नौ दस बीस तीस चालीस पचास ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस साठ सत्तर " +
			"अस्सी नब्बे",
		"पृष्ठ अध्याय संख्या नंबर भाग खंड कमरा अनुच्छेद चित्र धारा पाठ कक्षा मंच",
		"जनवरी फ़रवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
		""},
	{"id", "bapak pak ibu bu tuan nyonya nona dr prof ir h. hj. kh. sultan presiden",
		"persen rupiah dolar euro kilometer meter sentimeter kilo kilogram gram ton liter derajat detik menit jam hari minggu " +
			"bulan tahun abad kali orang sen dollar pound mil inci kaki watt volt",
		"ratus ribu juta miliar triliun puluh belas",
		"dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
		"no. hal. halaman bab nomor pasal jalan rp jilid volume episode gambar bagian tabel ayat kelas lampiran versi fase " +
			"langkah babak adegan kamar lantai gerbang jalur butir edisi seri",
		"januari februari maret april mei juni juli agustus september oktober november desember",
		""},
	{"it", "sig sig.ra sig.na dott dott.ssa prof prof.ssa ing avv on. san santa santo don signor signora dottor dottore dottoressa " +
		"professor presidente re regina papa",
		"per cento euro centesimi dollaro dollari sterline chilometro chilometri metro metri centimetri millimetri chilo chili " +
			"grammi tonnellate litro litri grado gradi secondo secondi minuto minuti ora ore giorno giorni settimana settimane mese " +
			"mesi anno anni secolo secoli volte persone",
		"cento mila mille milione milioni miliardo miliardi dozzina",
		"due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta quaranta cinquanta sessanta tredici " +
			"quattordici quindici sedici diciassette diciotto diciannove settanta ottanta novanta",
		"n. pag p. pagina capitolo numero articolo art. figura fig. vol. sala volume vol libro tomo canto atto scena paragrafo " +
			"par verso riga traccia porta binario canale livello versione fase passo gruppo classe lezione esercizio allegato volo " +
			"piano tavola cap episodio stagione parte comma camera stanza",
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"di"},
	{"ja", "", "", "", "", "", "", ""},
	{"ko", "",
		"퍼센트 프로 원 달러 유로 엔 위안 킬로미터 미터 센티미터 킬로 킬로그램 그램 톤 리터 도 초 분 시 시간 일 주 개월 월 달 년 세기 번 명 개 살 세 대 권 잔 마리 장 층 위 배 회 호 호실 쪽 조 항 편 화 부 절 차 곡 채 켤레 그루 송이 자루 벌 통 병 상자 평 곳 가지 종 점 줄 칸 급 단계 학년 반 기 인",
		"백 천 만 억 조 백만 천만",
		"하나 둘 셋 넷 한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 스무 일 삼 오 육 칠 팔 구 십 열한 열두 서른 마흔 쉰",
		"제 약 총 그림 표 예",
		"",
		""},
	{"nl", "dhr mevr mw dr prof ir ing mr ds st sint meneer mevrouw president koning koningin minister dokter professor",
		"procent euro cent dollar pond kilometer meter centimeter millimeter kilo kilogram gram ton liter graden graad seconde " +
			"seconden minuut minuten uur dag dagen week weken maand maanden jaar eeuw keer mensen",
		"honderd tweehonderd driehonderd vierhonderd vijfhonderd duizend tweeduizend miljoen miljard biljoen dozijn",
		"twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig veertig vijftig zestig dertien veertien " +
			"vijftien zestien zeventien achttien negentien zeventig tachtig negentig",
		"nr p. blz pagina hoofdstuk nummer artikel art. figuur fig. deel zaal volume boek akte scène paragraaf vers regel spoor " +
			"poort perron kanaal niveau versie fase stap groep klas les oefening bijlage bus vlucht route verdieping tafel " +
			"aflevering seizoen kamer lid punt band",
		"januari februari maart april mei juni juli augustus september oktober november december",
		""},
	{"no", "hr fr. dr prof st herr fru frøken kong dronning statsminister professor doktor sankt",
		"prosent krone kroner øre euro dollar pund kilometer meter centimeter millimeter kilo kilogram gram tonn liter grader " +
			"grad sekund sekunder minutt minutter time timer dag dager døgn uke uker måned måneder år århundre århundrer ganger mennesker " +
			"personer",
		"hundre tusen million millioner milliard milliarder dusin",
		"to tre fire fem seks sju syv åtte ni ti elleve tolv tjue tretti førti femti tretten fjorten femten seksten sytten atten " +
			"nitten seksti sytti åtti nitti",
		"nr s. side kapittel nummer artikkel figur fig. bind rom kl bok akt scene avsnitt paragraf vers linje spor port kanal " +
			"nivå versjon fase trinn gruppe klasse leksjon oppgave vedlegg buss rute etasje bord episode sesong del punkt",
		"januar februar mars april mai juni juli august september oktober november desember",
		""},
	{"pl", "pan pani pana panu panem panią dr prof inż mgr ks św hab gen płk por prezydent premier król królowa papież profesor " +
		"doktor",
		"procent procenta złoty złote złotych zł gr groszy euro dolar dolary dolarów funtów kilometr kilometry kilometrów metr " +
			"metry metrów centymetrów milimetrów kilo kilogram kilogramów gramów ton tony litr litry litrów stopni stopień sekunda " +
			"sekundy sekund minuta minuty minut godzina godziny godzin dzień dni tydzień tygodnie tygodni miesiąc miesiące miesięcy " +
			"rok roku lata lat wiek wieku razy osób ludzi",
		"sto tysiąc tysiąca tysiące tysięcy tys milion miliona miliony milionów mln miliard miliarda miliardy miliardów mld " +
			"tuzin dwieście trzysta czterysta pięćset",
		"dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście dwadzieścia trzydzieści trzynaście " +
			"czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście czterdzieści pięćdziesiąt sześćdziesiąt " +
			"siedemdziesiąt osiemdziesiąt dziewięćdziesiąt dwóch trzech czterech pięciu dwiema",
		"nr s. str strona rozdział numer artykuł art. rys. ul al pl. godz tom księga akt scena paragraf par. wers linia peron " +
			"tor kanał poziom wersja faza krok grupa klasa lekcja ćwiczenie załącznik autobus lot trasa piętro stół odcinek sezon " +
			"część pokój sala punkt ust. pkt",
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia styczeń luty marzec " +
			"kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
		""},
	{"pt", "sr sra srta dr dra dona d. prof profa eng São santa santo senhor senhora doutor doutora professor professora presidente " +
		"rei rainha papa",
		"por cento euro euros cêntimos real reais dólar dólares libras quilômetro quilômetros quilómetro quilómetros metro " +
			"metros centímetros milímetros quilo quilos gramas toneladas litro litros grau graus segundo segundos minuto minutos " +
			"hora horas dia dias semana semanas mês meses ano anos século séculos vezes pessoas",
		"cem mil milhão milhões bilhão bilhões trilhão trilhões dúzia",
		"dois duas três quatro cinco seis sete oito nove dez onze doze quinze vinte trinta quarenta cinquenta treze catorze " +
			"quatorze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove sessenta setenta oitenta noventa",
		"n.º p. pág página capítulo número artigo art. figura fig. seção sala volume vol livro tomo ato cena parágrafo verso " +
			"linha faixa porta plataforma canal nível versão fase passo grupo classe lição exercício anexo voo rota andar mesa cap " +
			"episódio temporada parte quarto item",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"de"},
	{"ru", "г-н г-жа д-р проф акад господин госпожа доктор профессор президент царь король королева святой им. г. ул. гр. тов ген " +
		"полк",
		"процент процента процентов рубль рубля рублей руб копеек доллар доллара долларов евро километр километра километров " +
			"метр метра метров сантиметров миллиметров кило килограмм килограмма килограммов грамм граммов тонн тонны тонна литр " +
			"литра литров градус градуса градусов секунда секунды секунд минута минуты минут час часа часов день дня дней неделя " +
			"недели недель месяц месяца месяцев год года лет век века веков раз раза человек людей км кг см мм л мин сек гг. шт",
		"сто тысяча тысячи тысяч тыс миллион миллиона миллионов млн миллиард миллиарда миллиардов млрд триллион триллионов " +
			"дюжина",
		"два две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать двадцать тридцать сорок пятьдесят " +
			"тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать шестьдесят семьдесят восемьдесят " +
			"девяносто двух трёх четырёх пяти двести триста четыреста пятьсот",
		"с. стр страница глава номер статья ст. рис. том дом д. кв. п. серия параграф часть книга акт сцена абзац стих строка " +
			"путь платформа канал уровень версия фаза этап шаг группа класс урок упражнение приложение автобус рейс маршрут этаж " +
			"стол эпизод сезон зал комната палата пункт статьи части главы странице главе томе",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря январь февраль март апрель май июнь " +
			"июль август сентябрь октябрь ноябрь декабрь",
		""},
	{"sv", "herr fru fröken dr prof st sankt kung drottning statsminister professor doktor hr",
		"procent krona kronor öre euro dollar pund kilometer meter centimeter millimeter kilo kilogram gram ton liter grader " +
			"grad sekund sekunder minut minuter timme timmar dag dagar dygn vecka veckor månad månader år århundrade århundraden sekel sekler gånger " +
			"människor personer",
		"hundra tusen miljon miljoner miljard miljarder dussin",
		"två tre fyra fem sex sju åtta nio tio elva tolv tjugo trettio fyrtio femtio tretton fjorton femton sexton sjutton arton " +
			"nitton sextio sjuttio åttio nittio",
		"nr s. sid sidan kapitel nummer artikel figur fig. del rum kl bok akt scen stycke paragraf vers rad spår port plattform " +
			"kanal nivå version fas steg grupp klass lektion övning bilaga buss flyg väg våning bord avsnitt säsong punkt band " +
			"sidorna",
		"januari februari mars april maj juni juli augusti september oktober november december",
		""},
	{"tr", "sayın sn dr prof doç av bay bayan cumhurbaşkanı başbakan sultan kral kraliçe doktor profesör",
		"yüzde lira liraya kuruş tl avro euro dolar sterlin kilometre metre santimetre milimetre kilo kilogram gram ton litre " +
			"derece saniye dakika saat gün hafta ay yıl yaş asır yüzyıl kez kere defa kişi tane adet",
		"yüz bin milyon milyar trilyon düzine",
		"iki üç dört beş altı yedi sekiz dokuz on onbir yirmi otuz kırk elli altmış yetmiş seksen doksan",
		"yüzde no. s. sayfa bölüm numara madde şekil cilt saat % kısım oda perde fıkra ek dize satır hat kapı kanal seviye sürüm " +
			"aşama adım grup sınıf ders alıştırma otobüs uçuş kat masa sezon salon",
		"ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
		""},
	{"uk", "пан пані пане д-р проф акад професор доктор президент король королева святий ім. м. вул. ген полк",
		"відсоток відсотка відсотків гривня гривні гривень грн копійок долар долара доларів євро кілометр кілометра кілометри " +
			"кілометрів метр метра метри метрів сантиметрів міліметрів кіло кілограм кілограма кілограмів грам грамів тонн тонни " +
			"тонна літр літра літри літрів градус градуса градусів секунда секунди секунд хвилина хвилини хвилин година години годин " +
			"день дня дні днів тиждень тижні тижнів місяць місяця місяці місяців рік року роки років століття раз рази разів осіб " +
			"людей км кг см мм л хв сек рр. шт",
		"сто тисяча тисячі тисяч тис мільйон мільйона мільйони мільйонів млн мільярд мільярда мільярди мільярдів млрд трильйон " +
			"трильйонів дюжина",
		"два дві три чотири п'ять п’ять шість сім вісім дев'ять дев’ять десять одинадцять дванадцять двадцять тридцять " +
			"тринадцять чотирнадцять п'ятнадцять шістнадцять сімнадцять вісімнадцять дев'ятнадцять сорок п'ятдесят шістдесят " +
			"сімдесят вісімдесят дев'яносто двох трьох чотирьох п'яти двісті триста чотириста п'ятсот",
		"с. стор сторінка розділ номер стаття ст. рис. том буд. кв. п. серія параграф частина книга акт сцена абзац вірш рядок " +
			"колія платформа канал рівень версія фаза етап крок група клас урок вправа додаток автобус рейс маршрут поверх стіл " +
			"епізод сезон зал кімната палата пункт статті частини розділі сторінці",
		"січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня січень лютий березень квітень " +
			"травень червень липень серпень вересень жовтень листопад грудень",
		""},
	{"zh", "", "", "", "", "", "", ""},
	// Ranks and offices; measures of recipes, sport, and science; further currencies.
	{
		language: "en",
		titles: "sergeant lieutenant major colonel general admiral commander corporal private inspector constable sheriff " +
			"bishop archbishop cardinal father sister brother pastor rabbi imam reverend chancellor minister ambassador " +
			"governor mayor congressman congresswoman baron baroness count countess duke duchess emperor empress nurse " +
			"coach fr br sr jr det insp cllr ambass",
		units: "tablespoon tablespoons teaspoon teaspoons tbsp tsp cup cups pinch slice slices clove cloves pint pints " +
			"millilitre millilitres milliliters megawatts gigawatts joules newtons pixels bytes bits goals wins sets laps " +
			"knots acres hectares rubles roubles pesos francs krona kronor kroner zloty hryvnia lira liras rupee won " +
			"bitcoin o'clock p.m. a.m. percentage",
		labels: "pier dock quay berth exit chapters sections articles figures rooms ch. ch sec. appendix resolution act nos pages rule psalm windows " +
			"apollo",
	},
	{
		language: "de",
		titles: "oberst general major hauptmann leutnant feldwebel admiral bischof erzbischof kardinal pater pastor pfarrer " +
			"schwester bruder richter richterin kommissar kommissarin graf gräfin fürst fürstin prinz prinzessin herzog " +
			"herzogin senator senatorin bürgermeister trainer",
		units: "esslöffel esslöffeln teelöffel teelöffeln el tl prise tasse tassen zehe zehen scheibe scheiben milliliter " +
			"zentiliter hektar kilowattstunden megawatt joule byte pixel tore punkte rubel yen kronen zloty lira rupien " +
			"dollars jahrhunderte sekundenkilometer",
		labels:   "steg kai ausgang §§ kapiteln ziffer ziff psalm",
		numerals: "halbe halben halber halbes anderthalb eineinhalb",
	},
	{
		language: "es",
		titles: "coronel general mayor capitán teniente sargento almirante obispo arzobispo cardenal padre madre fray sor " +
			"hermano hermana juez jueza ministro ministra alcalde alcaldesa príncipe princesa duque duquesa conde condesa " +
			"gobernador senador senadora",
		units: "cucharada cucharadas cucharadita cucharaditas taza tazas pizca diente dientes rebanadas mililitros hectáreas " +
			"vatios kilovatios megavatios puntos goles dólares francos rublos libra yen bits bytes grados",
		numerals: "medio media",
		labels:   "muelle salida dársena",
	},
	{
		language: "fr",
		titles: "colonel général commandant capitaine lieutenant sergent amiral évêque archevêque cardinal père mère sœur frère " +
			"abbé l'abbé juge ministre maire prince princesse duc duchesse comte comtesse sénateur gouverneur pasteur " +
			"rabbin maréchal",
		units: "cuillère cuillères cuillerée cuillerées tasse tasses pincée gousse gousses tranche tranches millilitres " +
			"centilitres hectares watts kilowatts mégawatts octets points buts roubles yens roupies livre franc couronnes",
		numerals: "demi demie",
		labels:   "ponton sortie",
	},
	{
		language: "hi",
		titles:   "कर्नल जनरल मेजर कैप्टन न्यायमूर्ति स्वामी मंत्री मुख्यमंत्री राज्यपाल इंस्पेक्टर आचार्य",
		units: "चम्मच कप चुटकी किमी सेमी मिमी मिलीलीटर हेक्टेयर एकड़ वाट यूरो पाउंड येन फुट फीट इंच मील अंक रन विकेट गोल " +
			"शताब्दी मिनटों घंटों दिनों सालों",
		labels:   "सुबह शाम दोपहर रात",
		numerals: "आधा आधे आधी डेढ़ ढाई",
	},
	{
		language: "id",
		titles: "kolonel jenderal mayor kapten letnan sersan laksamana uskup kardinal pastor romo ustaz ustad kiai hakim " +
			"menteri gubernur wali raja ratu pangeran putri suster",
		units: "sendok cangkir siung lembar butir potong mililiter hektare hektar kilowatt megawatt yen rupee euro gol poin " +
			"persen",
		labels:   "pukul jam",
		numerals: "setengah",
	},
	{
		language: "it",
		titles: "colonnello generale maggiore capitano tenente sergente ammiraglio vescovo arcivescovo cardinale padre madre " +
			"suor suora fra fratello giudice ministro ministra sindaco sindaca principe principessa duca duchessa conte " +
			"contessa senatore governatore maresciallo",
		units: "cucchiaio cucchiai cucchiaino cucchiaini tazza tazze pizzico spicchio spicchi fetta fette millilitri ettari " +
			"watt kilowatt megawatt punti gol franchi rubli yen corone sterlina",
		numerals: "mezzo mezza mezz'ora",
		labels:   "molo uscita",
	},
	{
		language: "ko",
		units:    "큰술 작은술 컵 스푼 밀리리터 헥타르 와트 킬로와트 파운드 센트 골 점 승 패 밀리미터",
		labels:   "오전 오후 새벽 저녁 밤 아침",
	},
	{
		language: "nl",
		titles: "kolonel generaal majoor kapitein luitenant sergeant admiraal bisschop aartsbisschop kardinaal pater pastoor " +
			"zuster broeder rechter burgemeester prins prinses hertog graaf baron senator commissaris rabbijn",
		units: "eetlepel eetlepels theelepel theelepels kopje snufje teen tenen milliliter hectare watt kilowatt megawatt " +
			"punten doelpunten roebel yen kronen frank dollars o'clock mille",
		numerals: "half halve anderhalf",
		labels:   "steiger kade uitgang",
	},
	{
		language: "no",
		titles: "oberst general major kaptein løytnant sersjant admiral biskop kardinal pater prest søster bror dommer minister " +
			"prins prinsesse hertug baron ordfører pastor",
		units: "spiseskje spiseskjeer teskje teskjeer ss ts klype fedd skiver desiliter milliliter hektar mål watt kilowatt " +
			"megawatt poeng rubler yen franc pund",
		labels:   "kai brygge utgang klokka klokken",
		numerals: "halv halve halvannen",
	},
	{
		language: "pl",
		titles: "pułkownik generał major kapitan porucznik sierżant admirał biskup arcybiskup kardynał ojciec siostra brat " +
			"sędzia minister burmistrz książę księżna hrabia hrabina senator wojewoda trener rabin pastor",
		units: "łyżka łyżki łyżek łyżeczka łyżeczki łyżeczek szklanka szklanki szklanek szczypta ząbki ząbków mililitrów " +
			"hektarów watów kilowatów megawatów punktów punkty goli gole rubli jenów franków koron hrywien kilometra metra " +
			"kilograma",
		labels:   "nabrzeże nabrzeża nabrzeżu wyjście godzinie godzina godziny",
		numerals: "pół półtora",
	},
	{
		language: "pt",
		titles: "coronel general major capitão tenente sargento almirante bispo arcebispo cardeal padre madre frei irmã irmão " +
			"sóror juiz juíza ministro ministra prefeito prefeita príncipe princesa duque duquesa conde condessa senador " +
			"senadora governador governadora",
		units: "colher colheres xícara xícaras pitada dente dentes fatias mililitros hectares watts quilowatts megawatts " +
			"pontos gols golos francos rublos ienes libra",
		numerals: "meio meia",
		labels:   "cais saída",
	},
	{
		language: "ru",
		titles: "полковник генерал майор капитан лейтенант сержант адмирал епископ архиепископ кардинал патриарх отец сестра " +
			"брат судья министр мэр князь княгиня граф графиня принц принцесса губернатор сенатор тренер раввин пастор",
		units: "ложка ложки ложек стакан стакана стаканов щепотка зубчика миллилитров гектаров гектара ватт киловатт мегаватт " +
			"мл мм кв гектар очков очка гола голов иен фунтов франков крон гривен лир юаней километрах часам",
		labels:   "причал причала причалу причале выход статья статьи статье глава главе номер страница странице том часть пункт раздел параграф ст стр рис гл",
		numerals: "пол полтора полторы",
	},
	{
		language: "sv",
		titles: "överste general major kapten löjtnant sergeant amiral biskop ärkebiskop kardinal pater präst syster bror " +
			"domare minister prins prinsessa hertig greve grevinna baron borgmästare pastor",
		units: "matsked matskedar tesked teskedar msk tsk krm nypa klyfta klyftor skivor deciliter milliliter hektar watt " +
			"kilowatt megawatt poäng mål rubel yen franc dl",
		labels:   "kaj brygga utgång klockan kl",
		numerals: "halv halva",
	},
	{
		language: "tr",
		titles: "albay general yüzbaşı binbaşı teğmen çavuş amiral piskopos kardinal rahip yargıç hâkim bakan başbakan " +
			"cumhurbaşkanı vali prens prenses kral kraliçe imam hoca",
		units: "kaşık kaşığı bardak bardağı tutam diş dilim mililitre hektar dönüm watt kilovat megavat puan gol ruble yen " +
			"frank lira liraya liralık dakika saat",
		labels:   "madde bölüm saat yüzde sayfa",
		numerals: "yarım buçuk",
	},
	{
		language: "uk",
		titles: "полковник генерал майор капітан лейтенант сержант адмірал єпископ архієпископ кардинал патріарх отець сестра " +
			"брат суддя міністр мер князь княгиня граф графиня принц принцеса губернатор сенатор тренер рабин пастор",
		units: "ложка ложки ложок склянка склянки склянок дрібка зубчики мілілітрів гектарів ват кіловат мегават мл мм очок " +
			"очки голів голи єн фунтів франків крон рублів лір юанів годині відсотка відсотків гривень гривні",
		labels:   "причал причалу причалі вихід стаття статті глава розділ розділі номер сторінка сторінці том частина пункт параграф ст стор рис",
		numerals: "пів півтора",
	},
}
