import type { Lexicon } from "./concept.ts";

export const arabic: Lexicon = {
  override:
    "تجاهل, انس, انسى, تغاضى, اهمل, اغفل, لا تتبع, لا تلتزم, تخلى عن, الغ, تجاوز عن, اترك, لا تهتم, تناسى, دعك من",
  bypass: "تجاوز, تخطى, تخط, عطل, اكسر, تحايل, التف على, ايقاف",
  stop: "توقف, اوقف, كف عن, لا مزيد",
  prior: "السابقه, السابق, سابقه, سبق, اعلاه, الماضيه, قبل ذلك, المذكوره, الاصليه, الاوليه, ما قبل",
  all: "جميع, كل, كافه, اي, كامل, بالكامل",
  rules:
    "التعليمات, تعليمات, تعليماتك, الاوامر, اوامر, القواعد, قواعد, قواعدك, التوجيهات, توجيهات, الارشادات, ارشادات, القيود, قيود, السياسات, اوامري, المطالبات",
  safety: "الفلاتر, الرقابه, الاخلاق, الامان, السلامه",
  system:
    "موجه النظام, مطالبه النظام, رساله النظام, تعليمات النظام, تعليماتك الاوليه, تعليماتك الاصليه, برومبت النظام, التعليمات الاوليه, توجيهات النظام, اعدادات النظام",
  reveal: "اعرض, اكشف, اظهر, اخبرني, اطبع, كرر, شارك, افصح, اعطني, قل لي, سرب, اذكر لي, ارني, ابرز, عرض",
  say: "اجب, اكتب, قل, رد, انشئ نص, تذكر, اذكر, ابلغ, صرح, اعد كتابه, الاجابه",
  secret:
    "كلمه المرور, كلمه السر, كلمات المرور, سري, سريه, السريه, السر, مفتاح, مفاتيح, المفتاح السري, بيانات الاعتماد, المعلومات الشخصيه, البيانات الشخصيه, الحساسه, رمز الدخول, رمز",
  ai: "المساعد, مساعد, الذكاء الاصطناعي, ذكاء اصطناعي, النموذج, نموذج, نموذج لغوي, الوكيل, روبوت",
  persona: "تصرف ك, تصرف كما, تظاهر, انت الان, الان انت, انت نموذج, العب دور, تقمص, تخيل انك, دورك, مثل دور, ستكون",
  unbound:
    "بلا قيود, بدون قيود, دون قيود, بلا حدود, بدون حدود, غير مقيد, بدون رقابه, بلا رقابه, وضع المطور, بدون فلاتر",
  covert:
    "سرا, خفيه, بصمت, لا تذكر, لا تخبر, لا تبلغ, لا تكشف, دون علم, دون اخبار, دون ابلاغ, بدون علم, لا تشر, دون ان يعلم, دون سؤال",
  user: "المستخدم, مستخدم, للمستخدم, القارئ, العميل",
  urgent: "هام, مهم, عاجل, عاجلا, انتباه, فورا, على الفور, تحذير, تنبيه, اولويه, حالا, فوري",
  must: "يجب, عليك ان, لا بد, ضروري, تاكد, دائما, من الضروري",
  act: "ارسل, اعد توجيه, حول, تحويل, احذف, امسح, حمل, نزل, ارفع, انشر, انشئ, غير, اضف, اشتر, ادفع, افتح, ثبت, احجز, انسخ, امنح, عدل, حدث",
  exec: "نفذ, اتبع, تتبع, التزم, اطع, قم ب, قم, شغل, استخدم, تابع, اكمل, افعل, تنفيذ, طبق",
  task: "المهمه, مهمه, المهام, السؤال, سؤال, الطلب, الهدف",
  fresh:
    "تعليمات جديده, اوامر جديده, مهمه جديده, قواعد جديده, التعليمات التاليه, الاوامر التاليه, هذه التعليمات, السؤال التالي, المهمه التاليه, هذا التعليمات, هذه الاوامر",
  following: "التالي, التاليه, ادناه, الاتي, فيما يلي",
  instead: "بدلا من, عوضا عن, بدلا",
  only: "فقط, لا غير, حصريا, مجرد, لا شيء اخر",
  before: "قبل ان, اولا, قبل",
  after: "بعد ذلك, ثم, بعد ان, عندما تنتهي, اخيرا",
  you: "انت, انتم, لك",
  me: "لي, انا, اوامري فقط",
  please: "الرجاء, من فضلك, يرجى, رجاء",
  not: "لا, لن, ليس, بدون, دون",
  now: "الان, من الان, من الان فصاعدا, اعتبارا من الان, منذ الان",
  response: "ردك, اجابتك, الرد, ملخص, الملخص",
  mail: "البريد, رساله, الرساله, بريد, العنوان, عنوان",
  content: "النص, نص, المحادثه, المستند, المحتوى, الجمله, السياق",
  authority: "المسؤول, المطور, صلاحيه, تصريح, اذن",
  transform: "ترجم, لخص, شفر, فك تشفير",
  ask: "ما هو, ما هي, من هو, ما اسم, كم",
};

export const persian: Lexicon = {
  override: "نادیده بگیر, نادیده, فراموش کن, فراموش, توجه نکن, پیروی نکن",
  bypass: "دور بزن, غیرفعال کن, عبور کن از",
  prior: "قبلی, پیشین, بالا, قبل, اولیه, پیش از این",
  all: "تمام, همه, هر گونه, کلیه",
  rules: "دستورات, دستور, دستورالعمل, قوانین, محدودیت, راهنما",
  system: "پرامپت سیستم, پیام سیستم, دستورات سیستم, دستور سیستم",
  reveal: "نشان بده, فاش کن, نمایش بده, چاپ کن, تکرار کن, بگو به من, آشکار کن",
  say: "بنویس, پاسخ بده, بگو, جواب بده",
  secret: "رمز عبور, رمز, محرمانه, کلید, گذرواژه",
  ai: "دستیار, هوش مصنوعی, مدل زبانی",
  persona: "وانمود کن, نقش, تو اکنون, تو یک, شما اکنون",
  unbound: "بدون محدودیت, بی قید و شرط, نامحدود",
  covert: "مخفیانه, به کاربر نگو, ذکر نکن, بدون اطلاع",
  user: "کاربر",
  urgent: "مهم, فوری, فورا, هشدار, توجه",
  act: "ارسال کن, بفرست, حذف کن, منتقل کن, دانلود کن",
  exec: "اجرا کن, انجام بده, پیروی کن, اطاعت کن",
  only: "فقط, تنها",
  now: "اکنون, از این پس, از حالا, از این به بعد",
};

export const hebrew: Lexicon = {
  override: "התעלם, התעלמי, התעלמו, להתעלם, שכח, תשכח, שכחי, אל תציית, בטל את, אל תשים לב, זנח",
  bypass: "עקוף, השבת, נטרל, כבה את",
  prior: "הקודמות, הקודם, הקודמים, קודם, לעיל, הראשוני, המקוריות, לפני כן, עד כה, מקודם",
  all: "כל, הכל, כולן, לחלוטין",
  rules: "ההוראות, הוראות, ההנחיות, הנחיות, הכללים, כללים, הפקודות, פקודות, ההגבלות, הנחיה",
  system: "הנחיית המערכת, פרומפט המערכת, הודעת המערכת, הוראות המערכת, ההוראות שלך, הפרומפט שלך",
  reveal: "הצג, חשוף, גלה, הראה, הדפס, ספר לי, תן לי, חזור על, שתף",
  say: "ענה, כתוב, אמור, השב, הזכר, תגיד",
  secret: "סיסמה, הסיסמה, סוד, סודי, מפתח, סודות, מידע אישי, חסוי",
  ai: "עוזר, העוזר, בינה מלאכותית, מודל, סוכן",
  persona: "התנהג כ, העמד פנים, אתה עכשיו, עכשיו אתה, אתה מודל, שחק את, דמיין שאתה",
  unbound: "ללא הגבלות, בלי הגבלות, ללא מגבלות, לא מוגבל, ללא צנזורה",
  covert: "בחשאי, בסתר, אל תזכיר, אל תספר, אל תגלה, מבלי להודיע, בלי לספר, אל תודיע",
  user: "המשתמש, משתמש, למשתמש, הקורא",
  urgent: "חשוב, דחוף, שים לב, מיד, אזהרה, עכשיו ומיד",
  act: "שלח, העבר, מחק, הורד, העלה, פרסם, צור, שנה, הוסף, קנה, שלם, פתח",
  exec: "בצע, ציית, עשה, הפעל, מלא אחר, השתמש",
  task: "משימה, המשימה, שאלה, בקשה",
  fresh: "הוראות חדשות, משימה חדשה, הנחיות חדשות, ההוראות הבאות, הוראה זו, השאלה הבאה",
  following: "הבא, הבאה, הבאות, להלן, למטה",
  only: "רק, בלבד, אך ורק",
  please: "בבקשה, אנא",
  not: "אל, לא, בלי, ללא",
  now: "עכשיו, מעכשיו, מעתה, כעת",
};

export const turkish: Lexicon = {
  override:
    "gormezden gel*, goz ardi et*, yok say*, yoksay*, unut, unutun, unutmalisin, dikkate alma*, onemseme*, bosver, gecersiz kil*, uyma, iptal et*, hice say*, kulak asma, dikkate almayin, bir kenara birak*",
  bypass: "atla, asmak, devre disi birak*, kaldir, kapat, es gec*, baypas*, ihlal et*",
  stop: "dur, durdur*, birak, kes",
  prior:
    "onceki, daha once*, yukaridaki, evvelki, gecmis, bundan onceki, ilk, orijinal, su ana kadar*, asil, onceden, simdiye kadar*",
  all: "tum, butun, hepsini, herhangi, tamamen, tumunu",
  rules:
    "talimat*, yonerge*, komut*, kural*, emir, emirler*, emri, direktif*, kisitlama*, sinirlama*, yonlendirme*, istemleri",
  system:
    "sistem istemi*, sistem mesaj*, sistem talimat*, sistem komut*, sistem promptu*, ilk talimatlar*, baslangic istemi*, sistem yonerge*, kendi talimatlar*",
  reveal:
    "goster*, acikla, aciga cikar*, ifsa et*, yazdir*, soyle bana, bana soyle, bana ver, tekrarla*, paylas*, listele*, sizdir*, bildir bana",
  say: "yaz, yazin, soyle*, cevapla*, yanitla*, yanit ver*, cevap ver*, uret*, bahset*, belirt*, bilgi ver*, de ki",
  secret:
    "sifre*, parola*, gizli*, anahtar*, api anahtari*, kimlik bilgileri*, kisisel veri*, kisisel bilgi*, gizli bilgi*",
  ai: "asistan*, yapay zeka*, model, modelsin, modeli, dil modeli*, ajan*, robot*, sohbet robotu*, yz",
  persona:
    "gibi davran*, rolunu, rol yap*, artik bir, sen artik, simdi sen, sen bir, sensin, oyna, taklit et*, oldugunu hayal et*, farz et*, olarak hareket et*, modelsin, gorevin",
  unbound:
    "kisitlamasi olmayan, kisitlama olmadan, sinirsiz*, kisitlamasiz*, filtresiz*, sansursuz*, kurali olmayan, sinirlamasiz*, gelistirici modu*, hicbir kisitlama*",
  covert:
    "gizlice, sessizce, bahsetme, bahsetmeyin, soyleme, soylemeyin, bildirme, haber verme*, belli etmeden, sormadan, fark ettirmeden, aciklama yapma*, bilgisi olmadan, bahsetmeden",
  user: "kullanici*, okuyucu*, musteri*, insan*",
  urgent: "onemli*, acil*, dikkat, hemen, derhal, uyari, oncelik*, kritik",
  must: "zorunda*, gerekir, gerekiyor, mutlaka, her zaman, lazim, sart",
  act: "gonder*, ilet, iletin, yonlendir*, transfer et*, aktar*, sil, silin, kaldir*, indir*, yukle*, yayinla*, olustur*, degistir*, ekle, ekleyin, satin al*, ode, odeyin, acin, kopyala*, havale et*, guncelle*",
  exec: "uygula*, yerine getir*, yap, yapin, itaat et*, uy, uyarsin, uyun, calistir*, takip et*, izle, kullan*, devam et*, dinle, emirlerime",
  task: "gorev*, soru, sorular*, soruyu, istek*, amac",
  fresh:
    "yeni talimat*, yeni gorev*, yeni komut*, yeni kural*, yeni emir*, asagidaki talimat*, su talimat*, bu talimat*, bu komut*, asagidaki soru*, benim emirler*, emirlerime, talimatlarima",
  following: "asagidaki*, sonraki, su sekilde, takip eden",
  instead: "bunun yerine, yerine, onun yerine",
  only: "sadece, yalnizca, yalniz, baska hicbir, tam olarak, tek",
  before: "once, oncelikle, ilk olarak",
  after: "sonra, daha sonra, ardindan, bitirince",
  you: "sen, siz, sana, seni",
  your: "senin, sizin",
  me: "bana, benim, beni",
  please: "lutfen, rica ederim",
  not: "degil, asla, hicbir, yok",
  now: "simdi, artik, bundan sonra, su andan itibaren, bundan boyle, bu andan itibaren",
  mail: "e posta*, mesaj*, eposta*, adres*",
  content: "metin*, metni, icerik*, konusma*, belge*, cumle*, soylenenleri, soylenenler, her seyi",
};

export const greek: Lexicon = {
  override:
    "αγνοησ*, αγνοειστε, αγνοησε, ξεχασ*, ξεχνα, παραβλεψ*, παρακαμψε τις, μην ακολουθ*, αψηφησ*, διεγραψε, μη λαβεις υποψη",
  bypass: "παρακαμψ*, απενεργοποιησ*, παραβιασ*, προσπερασ*",
  prior: "προηγουμεν*, παραπανω, προγενεστερ*, αρχικ*, πριν, ως τωρα, μεχρι τωρα",
  all: "ολες, ολα, ολους, καθε, οποιαδηποτε, ολων, πληρως",
  rules: "οδηγι*, εντολ*, κανον*, κατευθυνσ*, περιορισμ*, διαταγ*",
  system:
    "προτροπη συστηματος, προτροπη του συστηματος, μηνυμα συστηματος, οδηγιες συστηματος, οδηγιες του συστηματος, αρχικες οδηγιες, οδηγιες σου",
  reveal: "δειξε*, δειξτε, αποκαλυψ*, εμφανισ*, πες μου, δωσε μου, τυπωσ*, επαναλαβ*, μοιρασου, φανερωσε",
  say: "πες, γραψε, γραψτε, απαντησ*, απαντα, αναφερ*, ενημερω*, δημιουργησε κειμενο",
  secret: "κωδικ*, μυστικ*, κλειδι, κλειδια, εμπιστευτικ*, προσωπικα δεδομενα, διαπιστευτηρι*",
  ai: "βοηθο*, τεχνητη νοημοσυνη, τεχνητης νοημοσυνης, μοντελο, πρακτορα*, γλωσσικο μοντελο",
  persona:
    "συμπεριφερσου, προσποιησου, υποδυσου, εισαι τωρα, τωρα εισαι, εισαι ενα, εισαι ενας, παιξε τον ρολο, φαντασου οτι εισαι, ενεργησε ως",
  unbound: "χωρις περιορισμους, χωρις ορια, χωρις φιλτρα, χωρις λογοκρισια, χωρις κανονες, απεριοριστ*",
  covert:
    "κρυφα, μυστικα απο, διακριτικα, μην αναφερ*, μην πεις, μην πειτε, μην ενημερω*, μην αποκαλυψ*, χωρις να ενημερω*, εν αγνοια",
  user: "χρηστη*, αναγνωστη*, πελατη*",
  urgent: "σημαντικ*, επειγον*, προσοχη, αμεσως, προειδοποιηση, προτεραιοτητα",
  must: "πρεπει, υποχρεωτικ*, παντα, βεβαιωσου",
  act: "στειλ*, προωθησ*, μεταφερ*, διαγραψ*, κατεβασ*, ανεβασ*, δημοσιευσ*, δημιουργησ*, αλλαξ*, προσθεσ*, αγορασ*, πληρωσ*, ανοιξ*",
  exec: "εκτελεσ*, ακολουθησ*, υπακου*, κανε, κανετε, χρησιμοποιησ*, συνεχισ*, τηρησε",
  task: "εργασια, εργασιες, ερωτηση, αιτημα, καθηκον",
  fresh:
    "νεες οδηγιες, νεα οδηγια, νεα εντολη, νεες εντολες, νεα εργασια, ακολουθες οδηγιες, αυτη την οδηγια, αυτες τις οδηγιες, εντολες μου, επομενη ερωτηση",
  following: "ακολουθ*, παρακατω, επομεν*",
  only: "μονο, αποκλειστικα, τιποτα αλλο, ακριβως",
  you: "εσυ, εσεις, σου, σας",
  me: "μου, εγω, με",
  please: "παρακαλω",
  not: "μην, μη, δεν, ποτε, χωρις",
  now: "τωρα, απο εδω και περα, απο τωρα, στο εξης, απο εδω και στο εξης",
  mail: "μηνυμα, μηνυματα, διευθυνση",
  content: "κειμενο, εγγραφο, συνομιλια, προταση, περιεχομενο",
};

export const hungarian: Lexicon = {
  override: "hagyd figyelmen kivul, felejtsd el, felejts el, ne torodj, mellozd, ird felul, hagyja figyelmen kivul",
  prior: "korabbi, elozo, fenti, eddigi, eredeti",
  all: "osszes, minden, mindent, barmely",
  rules: "utasitas*, szabaly*, parancs*, iranyelv*, korlatozas*",
  system: "rendszerprompt*, rendszeruzenet*, rendszerutasitas*",
  reveal: "mutasd, fedd fel, ird ki, aruld el, ismeteld meg, mondd el",
  say: "valaszolj, irj, mondd",
  secret: "jelszo*, titk*, kulcs*, bizalmas*",
  ai: "asszisztens*, mesterseges intelligencia, nyelvi modell*, modell",
  persona: "viselkedj, tegyel ugy, mostantol te, te most",
  unbound: "korlatozas nelkul*, korlatlan*, szuro nelkul",
  covert: "titokban, ne emlitsd, ne mondd, ne szolj",
  user: "felhasznalo*",
  urgent: "fontos, surgos, figyelem, azonnal",
  act: "kuldd, tovabbitsd, torold, utald, toltsd, hozz letre",
  exec: "hajtsd vegre, kovesd, engedelmeskedj, tedd",
  only: "csak, kizarolag",
  now: "mostantol, ezentul",
};

export const finnish: Lexicon = {
  override: "jata huomiotta, unohda, ala noudata, sivuuta, ohita",
  prior: "aiemmat, aiemmin, edelliset, edellinen, ylla, aikaisemmat, alkuperaiset",
  all: "kaikki, kaikkia, jokainen",
  rules: "ohjeet, ohjeita, saannot, kaskyt, ohje, maaraykset",
  system: "jarjestelmakehote*, jarjestelmaviesti*, jarjestelmaohje*",
  reveal: "nayta, paljasta, tulosta, kerro minulle, toista",
  say: "vastaa, kirjoita, sano, mainitse",
  secret: "salasana*, salainen, salaisuus, avain, luottamuksel*",
  ai: "avustaja*, tekoaly*, kielimalli*, malli",
  persona: "toimi kuin, esita, olet nyt, nyt olet",
  unbound: "ilman rajoituksia, rajoittamaton*, ilman suodattimia",
  covert: "salaa, ala mainitse, ala kerro, huomaamatta",
  user: "kayttaja*",
  urgent: "tarkeaa, kiireellinen, huomio, heti, valittomasti",
  act: "laheta, valita, poista, siirra, lataa, luo",
  exec: "suorita, noudata, tottele, tee",
  only: "vain, ainoastaan",
  now: "nyt, tasta lahtien, tastedes",
};
