import type { Lexicon } from "./concept.ts";

export const russian: Lexicon = {
  override:
    "игнорир*, проигнорир*, забудь*, забуд*, отбрось*, отбрас*, не обращай внимания, не обращайте внимания, не следуй*, пренебре*, отмени*, отменя*, не учитывай*, не слушай*, перестань следовать, пропусти*, перезапиши*, не соблюдай*, выкинь, аннулируй*, сбрось",
  bypass: "обойди*, обходи*, отключи*, отключай*, деактивир*, нарушь*, взломай*, сними ограничения",
  stop: "прекрати*, останови*, перестань*, хватит, больше не",
  prior:
    "предыдущ*, прежн*, предшеств*, вышеуказан*, вышеизложен*, выше, ранее, раньше, до этого, прошл*, первоначальн*, исходн*, изначальн*, начальн*, старые, все что было",
  all: "все, всех, всем, всю, весь, вся, любые, любых, любую, каждый, каждую, полностью",
  rules:
    "инструкци*, указани*, правил*, команд*, приказ*, распоряжени*, директив*, ограничени*, настройк*, установк*, предписани*, инструктаж",
  safety: "фильтр*, безопасност*, цензур*, этик*, этическ*, морал*",
  system:
    "системный промпт, системного промпта, системном промпте, системную инструкцию, системные инструкции, системных инструкций, системное сообщение, системный запрос, системную подсказку, системная подсказка, твой промпт, свой промпт, твои инструкции, свои инструкции, ваши инструкции, начальный промпт, исходный промпт, свои правила, твои правила, скрытые инструкции, внутренние инструкции",
  reveal:
    "покажи*, раскро*, выведи*, выдай*, расскажи*, сообщи мне, скажи мне, дай мне, напечатай*, повтори*, перечисли*, опубликуй*, разгласи*, поделись, назови*, отобрази*, распечатай*, продемонстрируй",
  say: "скажи*, ответь*, отвечай*, напиши*, пиши*, произнеси, верни, сгенерируй*, сообщи*, сообщай*, упомин*, упомяни*, информируй*, объяви*, говори*, рекомендуй",
  secret:
    "пароль, пароли, пароля, паролей, секрет*, ключ, ключи, ключа, ключей, конфиденциальн*, учетные данные, учетных данных, персональные данные, личные данные, личных данных, токен*, код доступа",
  ai: "ассистент*, помощник*, ии, ии ассистент*, искусственн* интеллект*, искусственный интеллект, нейросет*, языков* модел*, языковая модель, модель, модели, моделью, агент*, бот, чат бот, чатбот*, робот*",
  persona:
    "действуй как, действуйте как, веди себя как, ведите себя, притворись*, представь что ты, ты теперь, теперь ты, ты больше не, ты будешь, сыграй роль, играй роль, возьми на себя роль, выступи в роли, отныне ты, ты являешься, ты злой, твоя роль, твоя задача, твое имя, тебя зовут, вы теперь",
  unbound:
    "без ограничен*, без фильтр*, без цензур*, без правил, неограниченн*, режим разработчика, режим бога, без каких либо ограничений, ничем не ограничен*",
  covert:
    "тайно, скрытно, незаметно, втайне, не упомина*, не сообща*, не говори*, не рассказыва*, не раскрыва*, без ведома, не спрашива*, не уведомля*, не информируй*, молча, не сказав",
  user: "пользовател*, читател*, клиент*, человек*, юзер*",
  urgent:
    "важно, важное, срочно, срочное, внимание, немедленно, сейчас же, предупреждение, приоритет*, критическ*, незамедлительно, уведомление",
  must: "должен, должна, должны, обязан*, необходимо, нужно, обязательно, всегда, убедись, требуется, я хочу чтобы",
  act: "отправь*, отправить, перешли*, переслать, переведи*, перевести, удали*, удалить, сотри*, скачай*, загрузи*, загрузить, опубликовать, создай*, создать, измени*, изменить, добавь*, добавить, купи*, купить, оплати*, заплати*, открой*, открыть, получи доступ, установи*, забронируй*, скопируй*, предоставь*, обнови*, запиши*, сохрани*, вышли, позвони",
  exec: "выполни*, выполня*, исполни*, следуй*, следуеш*, подчиняйся, подчиняеш*, повинуйся, слушайся, сделай*, делай*, запусти*, используй*, продолжай*, соблюдай*, действуй*, приступай*",
  task: "задач*, задани*, вопрос*, запрос*, просьб*, цель, цели",
  fresh:
    "новая инструкция, новые инструкции, новую инструкцию, новых инструкций, новая задача, новое задание, новую задачу, новые правила, новые указания, мои команды, мои инструкции, мои приказы, моим приказам, мои указания",
  pointed:
    "следующие инструкции, следующую инструкцию, следующую задачу, следующие указания, следующий вопрос, эту инструкцию, этой инструкции, эти инструкции, этих инструкций",
  following: "следующ*, ниже, нижеследующ*, указанн*, далее",
  instead: "вместо этого, вместо, а теперь, но теперь, также, кроме того",
  only: "только, лишь, исключительно, ничего больше, ничего другого, точно, ровно, одну фразу, фразой, слово, просто",
  before: "перед тем как, прежде чем, прежде, сначала, перед, сперва",
  after: "после, после того как, затем, потом, когда закончишь, наконец",
  you: "ты, вы, тебя, тебе, вас, вам, тобой",
  your: "твой, твоя, твоих, твою, ваш, ваши, ваших, свой, свою, своих",
  me: "мне, меня, мой, моя, моих, моим, я, мной",
  please: "пожалуйста, прошу, будь добр, не мог бы ты, можешь",
  not: "не, нет, никогда, никак*, ничего, ни, без",
  now: "теперь, сейчас, отныне, с этого момента, с настоящего момента, впредь, с сегодняшнего дня",
  response: "ответ, ответе, ответа, ответы, резюме, результат, вывод, сводк*",
  attach: "включи*, вставь*, начни с, закончи*, начинай, добавь в",
  tool: "инструмент, инструменты, функци*",
  fiction:
    "представь*, гипотетическ*, вымышлен*, рассказ*, роман, игра, игру, давай сыграем, допустим, история, историю",
  money: "деньги, денег, платеж*, счет, рублей, долларов, сумму",
  link: "ссылк*, сайт*, страниц*",
  mail: "письмо, письма, сообщение, сообщения, почт*, адрес*",
  content:
    "текст*, документ*, содержани*, разговор*, беседа, контекст*, предложени*, фраз*, сказанн*, сказано, говорилось, говорили",
  authority: "администратор*, разработчик*, разрешени*, уполномочен*, доступ разрешен",
  transform: "переведи на, перевод, кратко изложи, закодируй*, декодируй*, расшифруй*",
  this: "это, этот, эта, эти, этой, этого, этом",
  to: "в, на, к, о, об, по, для, от, из, с, как",
  and: "и, или, а",
  ask: "какой, какая, какое, какие, кто, что такое, как называется, сколько, где",
};

export const ukrainian: Lexicon = {
  override: "ігноруй*, проігноруй*, забудь*, не звертай уваги, відкинь*, скасуй*, знехтуй*",
  bypass: "обійди*, вимкни*, порушуй",
  prior: "попередн*, раніше, вище, минул*, початков*, перед цим",
  all: "всі, усі, всіх, усіх, все, будь які",
  rules: "інструкц*, вказівк*, правил*, команд*, наказ*, обмежен*",
  system: "системний промпт, системну підказку, системні інструкції, твої інструкції, свої інструкції",
  reveal: "покажи*, розкрий*, виведи*, розкажи*, повтори*, надрукуй*",
  say: "скажи*, відповідай*, відповідь*, напиши*, повідом*, згадуй*",
  secret: "пароль, паролі, секрет*, ключ, ключі, конфіденційн*",
  ai: "асистент*, помічник*, ші, штучний інтелект, модель, агент*",
  persona: "дій як, поводься як, ти тепер, тепер ти, уяви що ти, прикинься*",
  unbound: "без обмежен*, без фільтр*, без цензур*, необмежен*",
  covert: "таємно, непомітно, не згадуй*, не кажи*, не повідомляй*",
  user: "користувач*, читач*",
  urgent: "важливо, терміново, увага, негайно",
  must: "повинен, повинна, мусиш, обов'язково, завжди",
  act: "надішли*, перешли*, перекажи*, видали*, завантаж*, створи*, зміни*, додай*",
  exec: "виконай*, виконуй*, дотримуйся, слухайся, зроби*, використ*",
  task: "завдан*, питанн*, запит*",
  fresh: "нові інструкції, нова інструкція, нове завдання, мої накази, мої команди",
  pointed: "наступні інструкції, ці інструкції, цю інструкцію",
  following: "наступн*, нижче",
  only: "тільки, лише, виключно",
  you: "ти, ви, тебе, тобі, вам",
  your: "твій, твої, ваші, свої",
  me: "мені, мене, мої, мій",
  please: "будь ласка, прошу",
  not: "не, ніколи, нічого, без",
  now: "тепер, зараз, відтепер, з цього моменту",
};

export const polish: Lexicon = {
  override:
    "zignoruj*, ignoruj*, zapomnij*, pomin, pominac, nie zwracaj uwagi, odrzuc, nie przestrzegaj, lekcewaz*, zlekcewaz*, nadpisz, anuluj, nie stosuj sie, uniewaznij",
  bypass: "obejdz, omin, ominac, wylacz, dezaktywuj*, zlam",
  stop: "przestan, zatrzymaj*, przerwij",
  prior:
    "poprzedni*, wczesniej*, powyzsz*, dotychczasow*, wczesniejsz*, pierwotn*, poczatkow*, wyzej, przedtem, bylo wczesniej, uprzedni*",
  all: "wszystkie, wszystkich, wszystko, wszelkie, kazdy, kazda, calkowicie, jakiekolwiek",
  rules:
    "instrukcj*, polecen*, polecenia, zasad*, wytyczn*, rozkaz*, nakaz*, dyrektyw*, ograniczen*, wskazow*, komend*",
  safety: "filtr*, bezpieczen*, cenzur*, etyk*, etyczn*",
  system:
    "prompt systemowy, promptu systemowego, komunikat systemowy, instrukcje systemowe, instrukcji systemowych, twoje instrukcje, swoje instrukcje, swoj prompt, twoj prompt, poczatkowy prompt, swoje zasady, monit systemowy",
  reveal:
    "pokaz*, ujawnij*, wyswietl*, wypisz*, podaj*, powiedz mi, daj mi, powtorz*, wydrukuj*, zdradz*, udostepnij*, wymien",
  say: "powiedz*, napisz*, odpowiedz*, odpowiadaj*, odpisz, zwroc, wygeneruj*, wspomn*, wspominaj*, poinformuj*, informuj*, mow",
  secret:
    "haslo, hasla, hasel, sekret*, tajn*, klucz, klucze, klucza, klucz api, poufn*, dane osobowe, dane logowania, poswiadczen*",
  ai: "asystent*, si, sztuczna inteligencja, model, modelem, modelu, model jezykowy, agent*, chatbot*, bot",
  persona:
    "dzialaj jako, dzialaj jak, zachowuj sie, udawaj*, jestes teraz, jestes, teraz jestes, bedziesz, wciel sie, odgrywaj*, graj role, wyobraz sobie ze jestes, twoim zadaniem, twoja rola",
  unbound:
    "bez ograniczen, bez filtrow, bez cenzury, bez zasad, nieograniczon*, tryb dewelopera, tryb programisty, bez zadnych ograniczen",
  covert:
    "potajemnie, w tajemnicy, dyskretnie, po cichu, nie wspominaj*, nie mow*, nie informuj*, nie ujawniaj*, bez wiedzy, bez pytania, bez informowania, nie powiadamiaj",
  user: "uzytkownik*, czytelnik*, klient*, czlowiek*",
  urgent: "wazne, pilne, pilnie, uwaga, natychmiast*, ostrzezenie, priorytet*, niezwlocznie, krytyczn*",
  must: "musisz, musi, nalezy, powinienes, koniecznie, zawsze, upewnij sie, obowiazkowo, masz",
  act: "wyslij*, przeslij*, przekaz*, przelej*, usun*, skasuj*, pobierz*, opublikuj*, utworz*, stworz*, zmien*, dodaj*, kup*, zaplac*, otworz*, zainstaluj*, zarezerwuj*, skopiuj*, przyznaj*, zaktualizuj*, przeslanie, przekieruj",
  exec: "wykonaj*, wykonuj*, zastosuj*, przestrzegaj*, sluchaj*, postepuj*, zrob*, uruchom*, uzyj*, kontynuuj*, realizuj*, sluchasz, wykonujesz",
  task: "zadani*, zadan, pytani*, prosb*, cel",
  fresh:
    "nowa instrukcja, nowe instrukcje, nowe polecenie, nowe polecenia, nowe zadanie, nowe zasady, moje polecenia, moich polecen",
  pointed:
    "nastepujace instrukcje, nastepujace polecenia, nastepne zadanie, ta instrukcja, te instrukcje, tej instrukcji, tym poleceniu, tego polecenia, nastepujace pytanie",
  following: "nastepuj*, ponizej, ponizsz*, nastepn*",
  instead: "zamiast tego, zamiast, ale teraz, ponadto",
  only: "tylko, jedynie, wylacznie, nic wiecej, dokladnie, nic innego",
  before: "zanim, najpierw, przed",
  after: "nastepnie, potem, gdy skonczysz, na koniec",
  you: "ty, cie, ciebie, tobie",
  your: "twoj, twoja, twoje, twoich, swoj, swoje, swoich",
  me: "mi, mnie, moj, moja, moje, moich, ja",
  please: "prosze, czy mozesz, czy moglbys",
  not: "nie, nigdy, zaden, zadnych, nic, bez",
  now: "teraz, od teraz, odtad, od tej pory, od tego momentu",
  response: "odpowiedzi, twoja odpowiedz, podsumowanie, wynik",
  attach: "dolacz, wstaw*, zacznij od, zakoncz",
  fiction: "wyobraz sobie, hipotetyczn*, opowiadani*, gra, zagrajmy",
  mail: "wiadomosc, wiadomosci, e mail, mail, adres",
  content: "tekst*, dokument*, tresc, rozmow*, kontekst*, zdani*",
  this: "te, tej, tego",
  to: "dla, jako",
  and: "oraz, lub",
};

export const czech: Lexicon = {
  override: "ignoruj*, zapomen*, nevsimej si, nedbej*, preskoc*, zrus*, odhod*, prepis, neridi*",
  bypass: "obejdi*, vypni*, poru*",
  prior: "predchoz*, predesl*, vyse, puvodn*, minul*, dosavadn*",
  all: "vsechny, vsechna, vsechno, vse, vsech, veskere, jakekoli, kazdy",
  rules: "instrukc*, pokyn*, pravid*, prikaz*, narizen*, smernic*, omezen*",
  system:
    "systemovy prompt, systemoveho promptu, systemovou zpravu, systemove instrukce, systemove pokyny, sve instrukce, svuj prompt, tve instrukce, svoje pokyny",
  reveal: "ukaz*, zobraz*, odhal*, prozrad*, vypis*, rekni mi, dej mi, zopakuj*, vytiskni*, sdel*",
  say: "rekni*, napis*, odpovez*, odpovidej*, vrat*, vygeneruj*, zmin*, informuj*",
  secret: "heslo, hesla, tajn*, klic, klice, duvern*, prihlasovaci udaje, osobni udaje",
  ai: "asistent*, umela inteligence, jazykovy model, model, agent*",
  persona:
    "chovej se jako, jednej jako, predstirej*, nyni jsi, ted jsi, jsi ted, jsi nyni, hraj roli, budes, predstav si ze jsi, odted jsi",
  unbound: "bez omezeni, bez filtru, bez cenzury, bez pravidel, neomezen*",
  covert: "tajne, potaji, nenapadne, nezminuj*, nerikej*, neinformuj*, neprozrazuj*, bez vedomi",
  user: "uzivatel*, ctenar*",
  urgent: "dulezite, nalehave, pozor, okamzite, ihned, varovani, priorita",
  must: "musis, musi, povinne, vzdy",
  act: "odesli*, posli*, preposli*, prevede*, preved*, smaz*, odstran*, stahni*, zverejni*, vytvor*, zmen*, pridej*, kup*, zaplat*, otevri*",
  exec: "proved*, spust*, poslouchej*, udelej*, pouzij*, pokracuj*, splni*, dodrzuj*",
  task: "ukol*, otazk*, pozadav*",
  fresh: "nove instrukce, nove pokyny, novy ukol, me prikazy",
  pointed: "nasledujici instrukce, nasledujici pokyny, tyto instrukce, tento pokyn",
  following: "nasleduj*, nize",
  only: "pouze, jen, jenom, vyhradne, presne, nic jineho",
  you: "ty, tobe, vam, vy",
  your: "tvuj, tve, tvoje, svuj, sve",
  me: "mi, mne, muj, moje",
  please: "prosim",
  not: "nikdy, zadny, nic",
  now: "nyni, ted, odted, od teto chvile, od ted",
};
