package answer

import "github.com/soundstage-dev/soundstage/engine/transcript"

// Notices are the fixed sentences of chats, in one language.
type Notices struct {
	Unsupported string // below an answer without citations
	Failed      string // instead of an answer; followed by the reason
	Silent      string // instead of an answer when nobody speaks in the recordings
}

// NoticesFor returns the notices of a language, or the English ones.
func NoticesFor(l transcript.Language) Notices {
	if n, ok := notices[l]; ok {
		return n
	}
	return notices[transcript.DefaultLanguage]
}

var notices = map[transcript.Language]Notices{
	"en": {"Nothing in the recordings supports this answer.", "The question could not be answered.", "Nobody speaks in these recordings, so the question cannot be answered."},
	"de": {"Nichts in den Aufnahmen belegt diese Antwort.", "Die Frage konnte nicht beantwortet werden.", "In diesen Aufnahmen spricht niemand, daher lässt sich die Frage nicht beantworten."},
	"es": {"Nada en las grabaciones respalda esta respuesta.", "No se ha podido responder a la pregunta.", "En estas grabaciones no habla nadie, así que no se puede responder a la pregunta."},
	"fr": {"Rien dans les enregistrements n’appuie cette réponse.", "Il n’a pas été possible de répondre à la question.", "Personne ne parle dans ces enregistrements : il n’est pas possible de répondre à la question."},
	"hi": {"रिकॉर्डिंग में ऐसा कुछ नहीं है जो इस उत्तर की पुष्टि करे।", "प्रश्न का उत्तर नहीं दिया जा सका।", "इन रिकॉर्डिंग में कोई नहीं बोलता, इसलिए प्रश्न का उत्तर नहीं दिया जा सकता।"},
	"id": {"Tidak ada bagian rekaman yang mendukung jawaban ini.", "Pertanyaan ini tidak dapat dijawab.", "Tidak ada yang berbicara dalam rekaman ini, jadi pertanyaan ini tidak dapat dijawab."},
	"it": {"Nulla nelle registrazioni conferma questa risposta.", "Non è stato possibile rispondere alla domanda.", "In queste registrazioni non parla nessuno, quindi non si può rispondere alla domanda."},
	"ja": {"録音の中に、この回答を裏付ける発言はありません。", "この質問には回答できませんでした。", "これらの録音には発話がないため、質問に回答できません。"},
	"ko": {"녹음에는 이 답변을 뒷받침하는 내용이 없습니다.", "질문에 답하지 못했습니다.", "이 녹음에는 말소리가 없어서 질문에 답할 수 없습니다."},
	"nl": {"Niets in de opnamen ondersteunt dit antwoord.", "De vraag kon niet worden beantwoord.", "Niemand spreekt in deze opnamen, dus de vraag kan niet worden beantwoord."},
	"no": {"Ingenting i opptakene støtter dette svaret.", "Spørsmålet kunne ikke besvares.", "Ingen snakker i disse opptakene, så spørsmålet kan ikke besvares."},
	"pl": {"Nic w nagraniach nie potwierdza tej odpowiedzi.", "Nie udało się odpowiedzieć na pytanie.", "W tych nagraniach nikt nie mówi, więc nie można odpowiedzieć na pytanie."},
	"pt": {"Nada nas gravações sustenta esta resposta.", "Não foi possível responder à pergunta.", "Ninguém fala nestas gravações, por isso não é possível responder à pergunta."},
	"ru": {"Ничто в записях не подтверждает этот ответ.", "На вопрос не удалось ответить.", "В этих записях никто не говорит, поэтому ответить на вопрос нельзя."},
	"sv": {"Inget i inspelningarna stöder det här svaret.", "Frågan kunde inte besvaras.", "Ingen talar i de här inspelningarna, så frågan kan inte besvaras."},
	"tr": {"Kayıtlarda bu yanıtı destekleyen bir şey yok.", "Soru yanıtlanamadı.", "Bu kayıtlarda kimse konuşmuyor, bu yüzden soru yanıtlanamıyor."},
	"uk": {"Ніщо в записах не підтверджує цю відповідь.", "На запитання не вдалося відповісти.", "У цих записах ніхто не говорить, тому відповісти на запитання неможливо."},
	"zh": {"录音中没有内容支持这个回答。", "未能回答这个问题。", "这些录音中没有人说话，因此无法回答这个问题。"},
}
