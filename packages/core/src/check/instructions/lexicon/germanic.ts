import type { Lexicon } from "./concept.ts";

export const german: Lexicon = {
  override:
    "ignoriere, ignorieren, ignorier, ignoriert, ignorierst, vergiss, vergesse, vergessen, vergesst, missacht*, misachte*, beachte nicht, beachten sie nicht, nicht beachten, befolge nicht, ausser acht, uberschreib*, uberspring*, verwirf, verwerfen, setze dich hinweg, hor auf, streiche, losche alles, lass alles, lassen sie alles, uber bord, ungeachtet, setze ausser kraft",
  bypass: "umgehe, umgehen, deaktiviere, deaktivieren, hebel* aus, schalte aus, aushebeln, brich",
  stop: "stopp, stoppe, halt, aufhoren, hore auf, horen sie auf, unterbrich*, nicht mehr, beende",
  prior:
    "vorherig*, vorig*, bisherig*, vorangegangen*, vorangehend*, vorhergehend*, obig*, fruher*, vorher, zuvor, bisher, oben, davor, ursprunglich*, anfanglich*, letzten, letzte, vorgaben von",
  all: "alle, alles, allen, aller, jede, jeden, jegliche*, samtliche*, ganze, vollstandig, komplett, saemtliche*",
  rules:
    "anweisung*, instruktion*, befehl*, regel, regeln, vorgabe*, richtlinie*, anordnung*, auftrag*, auftrage*, vorschrift*, einschrankung*, beschrankung*, hinweise, anleitung*, systemvorgaben",
  safety:
    "filter, filtern, sicherheitsrichtlinie*, sicherheitsvorgabe*, sicherheit*, ethik*, moral*, zensur, schutzmechanism*",
  system:
    "systemprompt*, system prompt, systemnachricht*, systemanweisung*, systeminstruktion*, deine anweisungen, ihre anweisungen, deinen prompt, dein prompt, ursprunglichen prompt, ursprungliche prompt, anfangliche anweisungen, deine instruktionen, deine regeln, internen anweisungen, interne anweisungen, ursprunglichen anweisungen, deinen anweisungen, text oben, obigen text, obenstehenden text, promptvorlage, prompt vorlage, prompt text*, prompttext*, oben steht, oben stehenden",
  reveal:
    "zeige, zeig, zeigen sie, verrate, verrat, verraten, enthull*, offenbar*, gib mir, geben sie mir, nenne, nennen sie, sag mir, sage mir, sagen sie mir, wiederhole, wiederholen, drucke, ausgeben, gib den, gib die, gib das, gib deine, geben sie, gib aus, preisgeben, liste, auflisten, teile mit, stelle mir, stell mir, lege offen",
  say: "sag, sage, sagen sie, schreib, schreibe, schreiben sie, antworte, antworten, antwortest, erwidere, generiere, erzeuge, verfasse, erwahn*, informier*, verkunde, formuliere, mitteilen, empfiehl",
  secret:
    "passwort*, passworter, kennwort*, geheim*, schlussel, api schlussel, apischlussel, zugangsdaten, vertraulich*, zugangscode*, personliche daten, personenbezogene daten, anmeldedaten, geheimnis*, schlusselwort*",
  ai: "assistent*, ki, ki assistent*, ki modell*, ki agent*, sprachmodell*, kunstliche intelligenz, modell, modelle, agent, agenten, chatbot, roboter",
  persona:
    "agiere als, handle als, verhalte dich, tu so, tue so, tun sie so, spiele die rolle, spiel die rolle, ubernimm die rolle, du bist, sie sind jetzt, du bist jetzt, du bist nun, du bist ab, stell dir vor du, simuliere, schlupfe in, gib dich als, gib vor, deine rolle, deine aufgabe, ihre aufgabe, dein name ist, rollenspiel, nimm an du, du wirst, benimm dich, sei ein, sei eine",
  unbound:
    "ohne einschrankung*, ohne beschrankung*, ohne regeln, ohne filter, ohne grenzen, ohne zensur, unbeschrankt*, uneingeschrankt*, unzensiert*, entwicklermodus, grenzenlos*, ohne ethische, ohne moralische, keine regeln, keine grenzen",
  covert:
    "heimlich, unauffallig, im geheimen, verschweig*, erwahne nicht, erwahne diese, nicht erwahnen, sag nicht, sage nicht, sagen sie nicht, informiere nicht, ohne zu fragen, ohne zu erwahnen, ohne nachzufragen, ohne den nutzer, ohne den benutzer, ohne dass der, ohne ruckfrage, verrate nicht, ohne hinweis, stillschweigend",
  user: "nutzer*, benutzer*, anwender*, leser*, kunden, mensch, menschen, personen",
  urgent:
    "wichtig*, dringend*, achtung, sofort*, umgehend*, unverzuglich*, hinweis, warnung, prioritat, kritisch*, vorrang*, hochste",
  must: "musst, mussen, muss, sollst, sollen, soll, unbedingt, zwingend, stelle sicher, stellen sie sicher, immer, erforderlich, mochte dass",
  act: "sende, senden, send, schick, schicke, schicken, leite, weiterleiten, leite weiter, uberweise, uberweisen, losche, loschen, entferne, entfernen, lade, hochladen, herunterladen, veroffentlich*, erstelle, erstellen, andere, andern, hinzufugen, fuge, kaufe, kaufen, bezahle, bezahlen, offne, offnen, greife, installiere, buche, buchen, storniere, kopiere, kopieren, gewahre, aktualisiere, ruf, rufe",
  exec: "fuhre, ausfuhren, fuhren sie, befolge, befolgen, befolgst, folge, folgen, folgst, gehorche, gehorchen, tu, mach, mache, erledige, erfulle, nutze, verwende, benutze, fahre fort, wende an, halte dich, bearbeite",
  task: "aufgabe, aufgaben, frage, fragen, bitte um, anfrage, anfragen, ziel, mission, anliegen",
  fresh:
    "neue anweisung*, neue aufgabe*, neuer auftrag, neuen auftrag, neuer befehl, neue befehle, neue regeln, neue instruktion*, meine anweisung*, meinen anweisung*, meine befehle, meinen befehlen, zusatzliche anweisung*, eigentliche aufgabe, neuen aufgabe*, neuen anweisung*",
  pointed:
    "folgende anweisung*, folgenden anweisung*, folgende aufgabe*, folgende frage, folgenden befehl, diese anweisung*, dieser anweisung*, diesen anweisung*, nachste aufgabe",
  following: "folgend*, nachfolgend*, unten, untenstehend*, nachste*, hier sind",
  instead: "stattdessen, anstatt, statt, anstelle, sondern, konzentrier*, ausserdem, zusatzlich",
  only: "nur, nur noch, ausschliesslich, lediglich, nichts anderes, sonst nichts, nichts weiter, genau, exakt, den satz, das wort, einfach",
  before: "bevor, bevor du, vor dem, zuerst, zunachst, erst",
  after: "nachdem, danach, anschliessend, dann, sobald, schliesslich, zum schluss",
  you: "du, dich, sie, ihr, ihnen",
  your: "dein, deine, deinen, deiner, deinem, ihre, ihren, ihrer",
  me: "mir, mich, mein, meine, meinen, meiner, meinem, ich, uns",
  please: "bitte, konntest du, konnten sie, kannst du, konnen sie",
  not: "nicht, nie, niemals, kein, keine, keinen, nichts, ohne",
  now: "jetzt, nun, ab jetzt, ab sofort, von jetzt an, von nun an, ab nun, kunftig, ab hier, neuer fokus",
  response: "antwort, antworten auf, deine antwort, ihre antwort, ausgabe, ergebnis, zusammenfassung",
  attach:
    "fuge hinzu, fug hinzu, beginne mit, beginne deine, beende deine, ende mit, einfugen, einbauen, binde ein, baue ein",
  tool: "werkzeug*, funktion, funktionen",
  fiction: "stell dir vor, hypothetisch*, fiktion, geschichte, spiel, lass uns spielen, angenommen, rollen",
  money: "geld, zahlung, bankkonto, konto, uberweisung, betrag, euro",
  link: "webseite, seite, verknupfung, internetseite",
  mail: "nachricht, nachrichten, e mail, mail, adresse, postfach",
  content:
    "text, texte, dokument, inhalt, gesprach, unterhaltung, kontext, satz, satze, worte, gesagt wurde, gesagte, gesagten",
  authority: "administrator*, entwickler*, berechtigt, berechtigung*, genehmigt, zugriff, vorgesetzte*, chef",
  transform: "ubersetze, ubersetzen, ubersetz, fasse zusammen, zusammenfassen, kodiere, dekodiere, entschlussle",
  the: "der, das, dem, ein, eine, einen, einem",
  this: "dies, diese, dieser, dieses, diesen, diesem, es",
  to: "zu, zum, zur, in, im, von, vom, auf, fur, aus, bei, als",
  and: "und, oder",
  ask: "was ist, wer, wie, welche, welcher, welches, wo, warum, was",
};

export const dutch: Lexicon = {
  override:
    "negeer, negeren, negeert, vergeet, vergeten, sla over, overschrijf, veronachtzaam, houd geen rekening, hou geen rekening, volg niet, laat varen, verwerp, schrap, wis",
  bypass: "omzeil, omzeilen, schakel uit, uitschakelen, deactiveer, doorbreek",
  stop: "stop met, hou op, houd op, onderbreek, niet langer",
  prior:
    "vorige, voorgaande, eerdere, bovenstaande, voorafgaande, eerder, hierboven, oorspronkelijke, tot nu toe, daarvoor, voorheen, initiele",
  all: "alle, alles, elke, elk, ieder, iedere, volledig, helemaal",
  rules:
    "instructie, instructies, opdracht, opdrachten, regel, regels, richtlijn, richtlijnen, bevel, bevelen, voorschrift*, aanwijzing*, beperking*, commando*",
  safety: "veiligheid*, ethiek, censuur, filters",
  system:
    "systeemprompt*, systeem prompt, systeembericht*, systeeminstructie*, je instructies, jouw instructies, uw instructies, je prompt, oorspronkelijke prompt, interne instructies, je regels",
  reveal:
    "toon, tonen, laat zien, laat me, onthul, onthullen, geef mij, geef me, vertel me, vertel mij, herhaal, herhalen, druk af, deel, lek, noem, print, geef je",
  say: "zeg, schrijf, antwoord, antwoorden, beantwoord, genereer, vermeld, vermelden, vertel, meld, informeer",
  secret:
    "wachtwoord*, geheim*, sleutel, api sleutel*, vertrouwelijk*, inloggegevens, persoonsgegevens, persoonlijke gegevens, toegangscode*",
  ai: "assistent, ai assistent*, kunstmatige intelligentie, taalmodel*, agent, chatbot",
  persona:
    "gedraag je als, doe alsof, je bent nu, je bent een, jij bent, u bent, speel de rol, neem de rol, handel als, stel je voor dat je, je rol, je taak is, je heet",
  unbound:
    "zonder beperking*, zonder regels, zonder filter*, zonder grenzen, zonder censuur, onbeperkt*, ongecensureerd*, ontwikkelaarsmodus",
  covert:
    "stiekem, in het geheim, heimelijk, onopvallend, zonder te melden, zonder te vragen, zonder te vermelden, vermeld niet, niet vermelden, zeg niet, vertel niet, vertel de gebruiker niets, vertel de gebruiker niet, informeer niet, onthul niet, zonder dat de",
  user: "gebruiker*, lezer*, klant*, mens",
  urgent: "belangrijk*, dringend*, opgelet, let op, onmiddellijk, meteen, waarschuwing, prioriteit, kritiek, spoed",
  must: "moet, moeten, dient, verplicht, zorg ervoor, altijd, noodzakelijk",
  act: "stuur, sturen, verstuur, verzend, doorsturen, maak over, overmaken, verwijder, verwijderen, wis alle, download, upload, publiceer, maak een, wijzig, verander, voeg, koop, betaal, open de, boek, annuleer, kopieer, verleen, installeer",
  exec: "voer, uitvoeren, voer uit, volg, volgen, gehoorzaam, gehoorzamen, gebruik, voltooi, ga verder, luister",
  task: "taak, vraag, vragen, verzoek, doel",
  fresh:
    "nieuwe instructie, nieuwe instructies, nieuwe opdracht*, nieuwe taak, nieuwe taken, nieuwe regels, mijn instructies, mijn bevelen, mijn opdrachten",
  pointed: "volgende instructie*, volgende opdracht, volgende taak, deze instructie*, deze opdracht*, volgende vraag",
  following: "volgende, hieronder, onderstaande, als volgt",
  instead: "in plaats daarvan, in plaats van, maar nu, bovendien",
  only: "alleen, alleen maar, uitsluitend, slechts, enkel, niets anders, precies, exact",
  before: "voordat, voordat je, eerst, alvorens",
  after: "daarna, nadat, vervolgens, zodra, tenslotte",
  you: "je, jij, jou, u",
  your: "jouw, uw",
  me: "mij, mijn, ik",
  please: "alsjeblieft, alstublieft, graag, gelieve, kun je",
  not: "niet, nooit, geen, niets, zonder",
  now: "nu, vanaf nu, voortaan, van nu af aan",
  response: "antwoord op, je antwoord, uitvoer, resultaat, samenvatting",
  mail: "bericht, e mail, adres",
  content: "tekst, gesprek, inhoud, zin, context, document",
  authority: "beheerder, ontwikkelaar, gemachtigd, toestemming",
  transform: "vertaal, vertalen, vat samen, samenvatten",
  the: "het, een, der",
  this: "dit, deze, dat",
  to: "aan, naar, voor, op",
  and: "of",
  ask: "wat is, wie, welke, hoe",
};

export const nordic: Lexicon = {
  override:
    "ignorera, ignorer, glom, glem, bortse fran, strunta i, se bort fra, se bort fran, tilsidesaet*, tilsidesett, asidosatt*, ignorere",
  bypass: "kringga, omga, inaktivera, deaktiver, stang av",
  prior:
    "tidigare, foregaende, ovanstaende, tidligere, forrige, ovenstaende, foregaaende, ursprunglig*, opprinnelig*, oprindelig*, innan, hidtidige",
  all: "alla, allt, alle, varje, hver, samtliga",
  rules:
    "instruktion, instruktioner, instruktionerna, instruks, instrukser, instruksjon*, regler, reglerna, regel, riktlinjer, retningslinjer, order, ordrer, anvisningar, kommando*, begransning*",
  system:
    "systemprompt*, systemmeddelande*, systemmelding*, systeminstruktion*, dina instruktioner, dine instruktioner, dine instruksjoner, systembesked",
  reveal:
    "vis, avsloja, avslor, afslor, skriv ut, beratta, fortell, fortael, upprepa, gjenta, gentag, ge mig, giv mig, gi meg",
  say: "svara, svar, skriv, saga, sag, sig, namn, namna, nevn, naevn, informera, informer",
  secret: "losenord*, passord*, adgangskode*, hemlig*, hemmelig*, nyckel, nokkel, nogle, konfidentiell*, fortrolig*",
  ai: "assistent, assistenten, ai assistent*, ai modell*, sprakmodell*, sprogmodel*, modell, modellen",
  persona:
    "agera som, oppfor deg som, opfor dig som, du ar nu, du er na, du er nu, du ar en, du er en, lat som, lad som, spela rollen, spill rollen, spil rollen",
  unbound:
    "utan begransning*, uten begrensning*, uden begraensning*, obegransad*, ubegrenset, ubegraenset, utan regler, uten regler, uden regler, utan filter, utan restriktioner, uden restriktioner, uten restriksjoner",
  covert:
    "i hemlighet, i hemmelighet, i al hemmelighed, utan att namna, uten a nevne, uden at naevne, namn inte, nevn ikke, naevn ikke, beratta inte, fortell ikke, fortael ikke, utan att fraga",
  user: "anvandare*, bruker*, bruger*, lasare, leser*, laeser*",
  urgent:
    "viktigt, viktig, vigtigt, bradskande, haster, omedelbart, umiddelbart, straks, genast, varning, advarsel, obs",
  must: "maste, skal, ska, bor, alltid, altid",
  act: "skicka, send, vidarebefordra, videresend, radera, slet, slett, overfor, overfora, ta bort, fjern, ladda, oppna, apne, abn, kop, kjop, betala, betal, skapa, opprett, opret",
  exec: "utfor, kor, kjor, folj, folg, lyd, gor, gjor, anvand, bruk, brug",
  task: "uppgift*, oppgave*, opgave*, fraga, sporsmal, sporgsmal",
  fresh: "nya instruktioner, ny instruktion, nye instruktioner, nye instruksjoner, ny uppgift, ny oppgave, ny opgave",
  pointed:
    "foljande instruktion*, folgende instruks*, denna instruktion, denne instruktion, dessa instruktioner, disse instruksjonene",
  following: "foljande, folgende, nedan, nedenfor",
  only: "endast, bara, bare, kun, enbart, exakt, noyaktig, praecis, inget annat",
  before: "innan du, for du, inden du, forst",
  after: "efter, etter, sedan, derefter, deretter",
  you: "du, deg",
  your: "din, ditt, dina, dine, dit",
  me: "mig, meg, mina, mine, jag, jeg",
  please: "vanligen, var snall, vennligst, venligst, tack",
  not: "inte, ikke, aldrig, aldri, ingen, inga",
  now: "nu, fran och med nu, fra na av, fra nu af, hadanefter",
  response: "svaret, ditt svar, dit svar",
  mail: "meddelande, melding, besked, e post",
  the: "ett, et, den, det, de",
  this: "denna, detta, denne, dette",
  to: "til, af, som, for att",
  and: "och, og, eller",
};
