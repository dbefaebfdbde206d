import type { Lexicon } from "./concept.ts";

export const spanish: Lexicon = {
  override:
    "ignora, ignore, ignoren, ignorad, ignorar, ignorando, olvida, olvide, olviden, olvidar, olvidate, olvidese, desestima*, desestime*, descarta, descarte, descartar, omite, omitir, haz caso omiso, haga caso omiso, hagan caso omiso, no hagas caso, no sigas, no sigan, no obedezcas, deja de lado, desobedece*, anula, anule, anular, sobrescrib*, prescinde",
  bypass:
    "elude, eludir, evita tus, salta, saltate, saltarte, sortea, desactiva*, desactive, deshabilita*, burla, rompe, esquiva",
  stop: "deja de, detente, detenga, para de, cesa, ya no, interrump*",
  prior:
    "anterior, anteriores, previo, previos, previa, previas, precedente*, antes dicho, dicho antes, hasta ahora, arriba, lo anterior, original, originales, inicial, iniciales, de antes",
  all: "todo, todos, toda, todas, cualquier, cualquiera, completamente, totalmente, cada",
  rules:
    "instruccion, instrucciones, regla, reglas, norma, normas, orden, ordenes, directriz, directrices, directiva, directivas, indicacion, indicaciones, mandato, mandatos, comando, comandos, pautas, restriccion, restricciones, politica, politicas, consigna, consignas",
  safety: "filtro, filtros, limitacion, limitaciones, seguridad, censura, etica, moral, medidas de seguridad",
  system:
    "prompt de sistema, prompt del sistema, mensaje del sistema, mensaje de sistema, instrucciones del sistema, instrucciones iniciales, prompt inicial, tu prompt, tus instrucciones, instrucciones ocultas, configuracion interna, instrucciones internas, tus reglas, instrucciones originales",
  reveal:
    "revela*, revele, muestra, muestrame, muestre, mostrar, ensename, ensena, divulga*, imprime, imprimir, dime, dame, repite, repita, repetir, filtra, expon, exponer, comparte, comparta, entrega, enumera, lista",
  say: "di, diga, decir, responde, responda, responder, contesta, conteste, contestar, escribe, escriba, escribir, devuelve, devuelva, genera, genere, redacta, redacte, menciona, mencione, mencionar, menciones, informa, informe, anuncia, afirma, recomienda",
  secret:
    "contrasena, contrasenas, clave, claves, clave secreta, claves api, secreto, secretos, secreta, secretas, datos confidenciales, datos personales, informacion confidencial, confidencial*, credencial*, token de acceso, codigo de acceso, informacion personal",
  ai: "asistente, asistentes, ia, asistente de ia, asistente virtual, modelo, modelos, modelo de lenguaje, inteligencia artificial, agente, agente de ia, robot, chatbot",
  persona:
    "actua como, actue como, actuar como, finge, finja, simula, compor*tate como, comportate como, eres un, eres una, eres ahora, ahora eres, seras, interpreta, haz de, asume el papel, juega el papel, hazte pasar, tu nombre es, tu tarea es, imagina que eres",
  unbound:
    "sin restricciones, sin restriccion, sin limites, sin limitaciones, sin filtros, sin censura, sin reglas, ilimitado, modo desarrollador, modo dios, sin etica, sin normas, modo sin",
  covert:
    "en secreto, discretamente, silenciosamente, sin avisar, sin informar, sin mencionar, sin decir, sin preguntar, sin que el usuario, no menciones, no mencione, no le digas, no digas, no informes, no reveles, no avises, sin decirle, no lo menciones, no se lo digas",
  user: "usuario, usuarios, usuaria, el cliente, lector, lectores, persona, humano",
  urgent:
    "importante, urgente, urgentemente, atencion, de inmediato, inmediatamente, inmediato, aviso, advertencia, prioridad, prioritario, nota, critico, ya mismo, ahora mismo",
  must: "debes, debe, deben, debera, deberas, tienes que, tiene que, es necesario, obligatorio, asegurate, asegurese, siempre, necesito que, quiero que",
  act: "envia, envie, enviar, envialo, envia a, enviame, reenvia, reenvie, reenviar, transfiere, transfiera, transferir, transferencia, borra, borre, borrar, elimina, elimine, eliminar, descarga, descargue, descargar, publica, publique, publicar, crea, cree, crear, cambia, cambie, cambiar, agrega, agregue, anade, anada, sube, suba, compra, compre, comprar, paga, pague, pagar, abre, abra, accede, acceda, acceder, modifica, modifique, otorga, otorgue, concede, instala, instale, programa, programe, reserva, reserve, cancela, cancele, recupera, recupere, actualiza, actualice, copia, copie",
  exec: "ejecuta, ejecute, ejecutar, realiza, realice, realizar, cumple, cumpla, cumplir, obedece, obedezca, sigue, siga, seguir, sigues, haz, haga, hacer, procede, proceda, completa, utiliza, utilice, use, continua",
  task: "tarea, tareas, pregunta, preguntas, peticion, solicitud, objetivo, mision, accion",
  fresh:
    "nueva instruccion, nuevas instrucciones, nueva tarea, nuevas tareas, nueva orden, nuevas ordenes, nuevas reglas, mis instrucciones, mis ordenes, mis comandos, instrucciones adicionales",
  pointed:
    "siguiente tarea, siguiente instruccion, siguientes instrucciones, esta instruccion, estas instrucciones, siguiente pregunta",
  following: "siguiente, siguientes, a continuacion, abajo, debajo, lo siguiente, indicada, estas",
  instead: "en lugar de, en vez de, en su lugar, sino, pero ahora, en cambio, ademas, tambien",
  only: "solo, solamente, unicamente, exclusivamente, nada mas, exactamente, exacta, exacto, nada mas que, la frase, la palabra, simplemente",
  before: "antes de, antes, primero, en primer lugar",
  after: "despues de, despues, luego, una vez, cuando termines, al final, finalmente",
  you: "tu, usted, ustedes, te, ti, vos",
  your: "tus, su, sus",
  me: "mi, mis, yo",
  please: "por favor, podrias, puedes, podria, te pido",
  not: "no, nunca, jamas, ningun, ninguna, nada",
  now: "ahora, a partir de ahora, desde ahora, de ahora en adelante, en adelante, desde este momento, a partir de este momento",
  response: "respuesta, respuestas, tu respuesta, resultado, resumen, salida, mensaje",
  attach:
    "incluye, incluya, incluir, inserta, inserte, comienza con, termina con, empieza con, termina tu, comienza tu",
  tool: "herramienta, herramientas, funcion",
  fiction: "imagina, imaginate, hipotetico, ficcion, historia, cuento, novela, juego, juguemos, supongamos",
  money: "dinero, pago, cuenta bancaria, dolares, euros, importe",
  link: "enlace, sitio web, pagina web, pagina",
  mail: "correo, correos, correo electronico",
  content: "texto, documento, contenido, conversacion, frase, oracion, mensaje anterior",
  authority:
    "administrador, desarrollador, desarrolladores, autorizado, autorizacion, permiso, permisos, acceso concedido",
  transform: "traduce, traduzca, traducir, resume, resuma, resumir, codifica, decodifica, descodifica",
  the: "el, la, los, las, un, una, lo",
  this: "este, esta, esto, ese, esa, eso",
  to: "a, al, de, en, para, por, que",
  ask: "que es, cual es, cual, quien, como",
};

export const french: Lexicon = {
  override:
    "ignore, ignores, ignorez, ignorer, oublie, oublies, oubliez, oublier, neglige, negligez, ne tiens pas compte, ne tenez pas compte, ne tiens plus compte, ne suis pas, ne suivez pas, fais abstraction, faites abstraction, fais fi, faites fi, mets de cote, mettez de cote, laisse tomber, laissez tomber, ecarte, ecartez, annule, annulez, desobei*, passe outre, passez outre, ne respecte pas, remplace, remplacez",
  bypass:
    "contourne, contournez, contourner, desactive, desactivez, desactiver, outrepasse, outrepassez, enfreins, enfreignez, libere toi",
  stop: "arrete, arretez, cesse, cessez, ne plus, stoppe, stoppez, interromp*",
  prior:
    "precedent, precedents, precedente, precedentes, anterieur, anterieure, anterieurs, anterieures, ci dessus, avant, jusqu'ici, jusqu'a present, initial, initiale, initiaux, initiales, origine, plus haut, dit avant, qui precede, auparavant",
  all: "tout, toute, tous, toutes, chaque, n'importe, completement, totalement, entierement",
  rules:
    "instruction, instructions, consigne, consignes, regle, regles, directive, directives, ordre, ordres, commande, commandes, contrainte, contraintes, restriction, restrictions, indications",
  safety: "filtre, filtres, limitation, limites, securite, ethique, morale, censure",
  system:
    "prompt systeme, prompt du systeme, invite systeme, message systeme, instructions systeme, instructions du systeme, instructions initiales, prompt initial, invite initiale, ton prompt, votre prompt, tes instructions, vos instructions, instructions cachees, instructions internes, tes regles, vos regles, tes consignes, vos consignes, configuration interne",
  reveal:
    "revele, revelez, reveler, affiche, affichez, afficher, montre, montrez, montrer, montre moi, divulgue, divulguez, divulguer, imprime, imprimez, dis moi, dites moi, donne moi, donnez moi, repete, repetez, repeter, expose, exposez, partage, partagez, enumere, liste, fournis, fournissez",
  say: "dis, dites, dire, reponds, repondez, repondre, ecris, ecrivez, ecrire, renvoie, renvoyez, genere, generez, redige, redigez, mentionne, mentionnez, mentionner, informe, informez, annonce, annoncez, recommande",
  secret:
    "mot de passe, mots de passe, cle secrete, cle api, cles api, cle d'api, cle privee, secret, secrets, secrete, secretes, donnees confidentielles, donnees personnelles, informations confidentielles, informations personnelles, confidentiel*, identifiants, code d'acces, jeton",
  ai: "assistant, assistante, ia, assistant ia, l'ia, intelligence artificielle, modele, modeles, modele de langage, agent, agent ia, robot, chatbot",
  persona:
    "agis comme, agissez comme, fais semblant, faites semblant, comporte toi, comportez vous, tu es, vous etes, tu es maintenant, vous etes maintenant, tu seras, vous serez, joue le role, jouez le role, incarne, simule, simulez, imagine que tu es, pretends, prends le role, ton role, ton nom est, ta tache est, votre tache est, tu es desormais, vous etes desormais",
  unbound:
    "sans restriction, sans restrictions, sans limite, sans limites, sans filtre, sans filtres, sans censure, sans aucune restriction, sans regles, illimite*, mode developpeur, sans ethique, sans contrainte, sans contraintes",
  covert:
    "en secret, secretement, discretement, silencieusement, sans prevenir, sans informer, sans mentionner, sans le dire, sans demander, a l'insu, ne mentionne pas, ne mentionnez pas, ne dis pas, ne dites pas, ne le dis pas, n'informe pas, n'informez pas, ne revele pas, ne parle pas, ne parlez pas, ne le mentionne",
  user: "utilisateur, utilisateurs, utilisatrice, le client, lecteur, lecteurs, humain, personne",
  urgent:
    "important, importante, urgent, urgente, attention, immediatement, tout de suite, sans delai, avis, avertissement, priorite, prioritaire, note, critique",
  must: "dois, devez, doit, il faut, tu dois, vous devez, obligatoire, assure toi, assurez vous, toujours, necessaire, veille a, veillez a",
  act: "envoie, envoyez, envoyer, transfere, transferez, transferer, virement, supprime, supprimez, supprimer, efface, effacez, telecharge, telechargez, publie, publiez, cree, creez, creer, change, changez, modifie, modifiez, ajoute, ajoutez, achete, achetez, paie, payez, ouvre, ouvrez, accede, accedez, installe, installez, reserve, reservez, annule la, recupere, recuperez, copie, copiez, accorde, accordez, partage avec, transmets, transmettez, programme, mets a jour, mettez a jour",
  exec: "execute, executez, executer, effectue, effectuez, effectuer, obeis, obeissez, suis, suivez, suivre, fais, faites, realise, realisez, procede, procedez, utilise, utilisez, continue, continuez, accomplis, accomplissez, applique, appliquez",
  task: "tache, taches, question, questions, demande, demandes, objectif, mission, requete",
  fresh:
    "nouvelle instruction, nouvelles instructions, nouvelle tache, nouvelles taches, nouvel ordre, nouveaux ordres, nouvelle consigne, nouvelles consignes, nouvelles regles, mes ordres, mes instructions, instructions supplementaires",
  pointed:
    "instruction suivante, instructions suivantes, tache suivante, cette instruction, ces instructions, cette consigne, question suivante",
  following: "suivant, suivante, suivants, suivantes, ci dessous, ci apres, voici, ce qui suit",
  instead: "au lieu de, a la place, plutot, mais maintenant, en fait, cependant, egalement, aussi, de plus",
  only: "seulement, uniquement, exclusivement, rien d'autre, exactement, seule, seul, que par, juste, simplement, la phrase, le mot",
  before: "avant de, avant que, d'abord, tout d'abord, en premier",
  after: "apres, ensuite, puis, une fois, quand tu auras, enfin, apres avoir",
  you: "tu, vous, toi, te",
  your: "ton, ta, tes, votre, vos",
  me: "moi, ma, mes, je, moi meme",
  please: "s'il te plait, s'il vous plait, veuillez, svp, merci de, pourriez vous, peux tu, pouvez vous",
  not: "ne, pas, jamais, aucun, aucune, rien, sans",
  now: "maintenant, desormais, a partir de maintenant, dorenavant, des maintenant, a compter de maintenant",
  response: "reponse, reponses, ta reponse, votre reponse, resume, resultat, sortie",
  attach:
    "inclus, incluez, inclure, insere, inserez, commence par, commencez par, termine par, terminez par, commence ta, termine ta",
  tool: "outil, outils, fonction",
  fiction: "imagine, imaginez, hypothetique, fiction, histoire, jeu, jouons, supposons",
  money: "argent, paiement, compte bancaire, dollars, euros, montant",
  link: "lien, site, site web, page web",
  mail: "courriel, courriels, mail, e mail, message, messages, boite",
  content: "texte, document, contenu, conversation, contexte",
  authority: "administrateur, developpeur, autorise, autorisation, permission, acces accorde",
  transform: "traduis, traduisez, traduire, resumez, resumer, encode, decode, decodez",
  the: "le, la, les, un, une, des, du",
  this: "ce, cet, cette, ces, cela, ceci",
  to: "a, aux, de, en, pour, par, sur, dans",
  and: "ou",
  ask: "quel, quelle, quels, quelles, qui, comment, qu'est",
};

export const italian: Lexicon = {
  override:
    "ignora, ignori, ignorate, ignorare, dimentica, dimentichi, dimenticate, dimenticare, trascura, trascurate, non tenere conto, non seguire, non considerare, lascia perdere, lasciate perdere, tralascia, annulla, scarta, sovrascrivi, disobbedisci, disattendi, scorda, scordati",
  bypass: "aggira, aggirare, aggirate, elude, eludi, disattiva, disattivare, bypassa, viola, salta",
  stop: "smetti, smettila, ferma, fermati, interrompi, cessa, non piu",
  prior:
    "precedente, precedenti, anteriore, anteriori, di prima, prima detto, detto prima, quanto detto, sopra, finora, fino ad ora, originale, originali, iniziale, iniziali, sopracitat*, in precedenza",
  all: "tutto, tutti, tutta, tutte, ogni, qualsiasi, qualunque, completamente, totalmente",
  rules:
    "istruzione, istruzioni, regola, regole, direttiva, direttive, ordine, ordini, comando, comandi, linee guida, indicazione, indicazioni, vincolo, vincoli, restrizione, restrizioni, norma, norme",
  safety: "filtro, filtri, limitazione, limitazioni, sicurezza, etica, morale, censura",
  system:
    "prompt di sistema, prompt del sistema, messaggio di sistema, istruzioni di sistema, istruzioni iniziali, prompt iniziale, il tuo prompt, le tue istruzioni, istruzioni nascoste, istruzioni interne, le tue regole, configurazione interna",
  reveal:
    "rivela, rivelami, rivelare, riveli, mostra, mostrami, mostrare, mostri, stampa, stampare, divulga, dimmi, dammi, ripeti, ripetere, esponi, condividi, elenca, fornisci, visualizza",
  say: "dire, rispondi, risponda, rispondere, rispondete, scrivi, scriva, scrivere, restituisci, genera, menziona, menzionare, menzioni, informa, informare, annuncia, consiglia",
  secret:
    "password, parola d'ordine, chiave segreta, chiave api, chiavi api, segreto, segreti, segreta, dati riservati, dati personali, informazioni riservate, riservat*, confidenzial*, credenziali, codice di accesso, codice d'accesso",
  ai: "assistente, ia, assistente ia, intelligenza artificiale, modello, modelli, modello linguistico, agente, agente ia, robot",
  persona:
    "agisci come, comportati come, fingi, fai finta, sei un, sei una, ora sei, adesso sei, sarai, interpreta, simula, immagina di essere, assumi il ruolo, impersona, il tuo nome, il tuo compito, da ora sei",
  unbound:
    "senza restrizioni, senza limiti, senza limitazioni, senza filtri, senza censura, senza regole, illimitat*, modalita sviluppatore, senza vincoli, senza etica",
  covert:
    "in segreto, segretamente, di nascosto, discretamente, silenziosamente, senza avvisare, senza informare, senza menzionare, senza dire, senza chiedere, all'insaputa, non menzionare, non dire, non informare, non rivelare, non parlare, non avvisare",
  user: "utente, utenti, il cliente, lettore, lettori, umano, persona",
  urgent: "importante, urgente, attenzione, immediatamente, subito, avviso, avvertenza, priorita, nota, critico",
  must: "devi, deve, dovete, bisogna, obbligatorio, assicurati, sempre, necessario, voglio che",
  act: "invia, inviare, invii, manda, mandare, inoltra, inoltrare, inoltri, trasferisci, trasferire, bonifico, elimina, eliminare, cancella, cancellare, scarica, scaricare, pubblica, crea, creare, cambia, cambiare, modifica, aggiungi, aggiungere, compra, paga, pagare, apri, aprire, accedi, accedere, installa, prenota, recupera, copia, concedi, aggiorna, carica",
  exec: "esegui, eseguire, esegua, svolgi, obbedisci, obbedire, segui, seguire, fai, fare, procedi, completa, utilizza, continua, applica, adempi, rispetta",
  task: "compito, compiti, attivita, domanda, domande, richiesta, richieste, obiettivo, missione",
  fresh:
    "nuova istruzione, nuove istruzioni, nuovo compito, nuovi compiti, nuovo ordine, nuovi ordini, nuove regole, miei ordini, mie istruzioni, istruzioni aggiuntive",
  pointed: "seguenti istruzioni, istruzioni seguenti, questa istruzione, queste istruzioni, seguente domanda",
  following: "seguente, seguenti, di seguito, qui sotto, sotto, quanto segue",
  instead: "invece di, invece, al posto di, piuttosto, anziche, inoltre, anche",
  only: "solo, soltanto, solamente, esclusivamente, nient'altro, esattamente, unicamente, la frase, la parola, semplicemente",
  before: "prima di, prima, innanzitutto, per prima cosa",
  after: "dopo, dopo aver, poi, una volta, quindi, infine",
  you: "tu, voi, lei, ti",
  your: "tuo, tua, tuoi, tue, vostro",
  me: "mio, mia, miei, mie, mi",
  please: "per favore, per piacere, ti prego, si prega di, potresti, puoi",
  not: "non, mai, nessun, nessuna, nessuno, niente, senza",
  now: "ora, adesso, d'ora in poi, da ora, da adesso, da ora in poi, da questo momento, a partire da ora",
  response: "risposta, risposte, la tua risposta, riassunto, risultato, output",
  attach: "includi, includere, inserisci, inizia con, termina con, inizia la tua, concludi",
  tool: "strumento, strumenti, funzione",
  fiction: "immagina, ipotetico, finzione, storia, romanzo, gioco, giochiamo, supponiamo",
  money: "denaro, soldi, pagamento, conto bancario, dollari, euro, importo",
  link: "collegamento, sito, sito web, pagina web",
  mail: "posta, e mail, messaggio, messaggi, indirizzo",
  content: "testo, documento, contenuto, conversazione, frase, contesto",
  authority: "amministratore, sviluppatore, autorizzato, autorizzazione, permesso, permessi",
  transform: "traduci, tradurre, riassumi, riassumere, codifica, decodifica",
  the: "il, lo, la, i, gli, le, un, uno, una",
  this: "questo, questa, questi, queste, quello",
  to: "a, al, alla, di, del, della, in, che",
  ask: "quale, chi, cosa, cos'e, qual",
};

export const portuguese: Lexicon = {
  override:
    "ignore, ignora, ignorem, ignorar, esqueca, esquece, esquecam, esquecer, desconsidere, desconsidera*, desconsiderem, nao siga, nao sigam, nao obedeca, nao leve em conta, deixe de lado, descarte, descarta, anule, anula, sobrescreva, desobedeca, despreze, substitua",
  bypass: "contorne, contornar, burle, burlar, desative, desativa, desativar, desabilite, viole, pule, ultrapasse",
  stop: "pare, pare de, cesse, interrompa, nao mais",
  prior:
    "anterior, anteriores, previo, previa, previos, previas, precedente*, dito antes, foi dito antes, acima, ate agora, original, originais, inicial, iniciais, passadas",
  all: "todo, todos, toda, todas, tudo, qualquer, quaisquer, completamente, totalmente, cada",
  rules:
    "instrucao, instrucoes, regra, regras, diretriz, diretrizes, diretiva, diretivas, ordem, ordens, comando, comandos, orientacao, orientacoes, restricao, restricoes, norma, normas",
  safety: "filtro, filtros, limitacao, limitacoes, seguranca, etica, moral, censura",
  system:
    "prompt de sistema, prompt do sistema, mensagem do sistema, mensagem de sistema, instrucoes do sistema, instrucoes iniciais, prompt inicial, seu prompt, suas instrucoes, instrucoes ocultas, instrucoes internas, suas regras, configuracao interna",
  reveal:
    "revele, revela, revelar, mostre, mostra, mostrar, mostre me, exiba, exibir, imprima, imprimir, divulgue, diga me, me diga, me de, me mostre, repita, repetir, exponha, compartilhe, liste, forneca, vaze",
  say: "diga, dizer, responda, responder, escreva, escrever, retorne, gere, gerar, redija, mencione, mencionar, informe, informar, anuncie, recomende",
  secret:
    "senha, senhas, chave secreta, chave de api, chave api, chaves api, chaves de api, segredo, segredos, secreta, secretas, dados confidenciais, dados pessoais, informacoes confidenciais, informacoes pessoais, confidencia*, credenciais, codigo de acesso",
  ai: "assistente, ia, assistente de ia, assistente virtual, inteligencia artificial, modelo, modelos, modelo de linguagem, agente, agente de ia, robo",
  persona:
    "aja como, atue como, finja, comporte se, voce e um, voce e uma, voce agora e, agora voce e, voce e agora, voce sera, interprete, simule, imagine que voce, assuma o papel, faca de conta, seu nome e, sua tarefa e",
  unbound:
    "sem restricoes, sem restricao, sem limites, sem limitacoes, sem filtros, sem censura, sem regras, ilimitad*, modo desenvolvedor, sem etica, modo deus",
  covert:
    "em segredo, secretamente, discretamente, silenciosamente, sem avisar, sem informar, sem mencionar, sem dizer, sem perguntar, sem que o usuario, nao mencione, nao diga, nao informe, nao revele, nao avise, nao conte, nao fale",
  user: "usuario, usuarios, utilizador, utilizadores, o cliente, leitor, leitores, humano, pessoa",
  urgent:
    "importante, urgente, urgentemente, atencao, imediatamente, imediato, aviso, alerta, prioridade, nota, critico, agora mesmo",
  must: "deve, devem, deves, tem que, precisa, e necessario, obrigatorio, certifique se, sempre, necessario, quero que",
  act: "envie, enviar, envia, mande, encaminhe, encaminha, encaminhar, reencaminhe, transfira, transferir, transferencia, exclua, excluir, apague, apagar, elimine, baixe, baixar, publique, publicar, crie, criar, mude, altere, alterar, modifique, adicione, adicionar, compre, pague, pagar, abra, abrir, acesse, acessar, instale, reserve, cancele, recupere, copie, conceda, atualize, carregue, poste",
  exec: "execute, executa, executar, realizar, cumpra, obedeca, obedece, siga, seguir, segue, faca, fazer, prossiga, complete, use, continue, aplique",
  task: "tarefa, tarefas, pergunta, perguntas, pedido, solicitacao, objetivo, missao",
  fresh:
    "nova instrucao, novas instrucoes, nova tarefa, novas tarefas, nova ordem, novas ordens, novas regras, minhas ordens, minhas instrucoes, instrucoes adicionais",
  pointed:
    "proxima tarefa, seguintes instrucoes, instrucoes a seguir, esta instrucao, estas instrucoes, essas instrucoes, seguinte pergunta",
  following: "seguinte, seguintes, a seguir, abaixo, o seguinte",
  instead: "em vez de, ao inves de, em lugar de, mas agora, porem, alem disso, tambem",
  only: "apenas, somente, exclusivamente, nada mais, exatamente, unicamente, a frase, a palavra, simplesmente",
  before: "antes de, antes, primeiro, em primeiro lugar",
  after: "depois de, depois, em seguida, apos, uma vez, finalmente",
  you: "voce, voces, tu, te",
  your: "seu, sua, seus, suas, teu, tua",
  me: "meu, minha, meus, minhas, eu, me",
  please: "por favor, poderia, pode, voce pode",
  not: "nao, nunca, jamais, nenhum, nenhuma, nada, sem",
  now: "agora, a partir de agora, de agora em diante, doravante, daqui em diante, a partir deste momento",
  response: "resposta, respostas, sua resposta, resumo, resultado, saida",
  attach: "inclua, incluir, insira, comece com, termine com, comece sua, termine sua",
  tool: "ferramenta, ferramentas, funcao",
  fiction: "imagine, hipotetico, ficcao, historia, jogo, vamos jogar, suponha",
  money: "dinheiro, pagamento, conta bancaria, dolares, reais, valor de",
  link: "pagina, endereco, site",
  mail: "mensagem, mensagens, e mail, correio",
  content: "texto, documento, conteudo, conversa, frase, contexto",
  authority: "administrador, desenvolvedor, autorizado, autorizacao, permissao, permissoes",
  transform: "traduza, traduzir, resuma, resumir, codifique, decodifique",
  the: "as, um, uma",
  this: "este, esta, isto, esse, essa, isso",
  to: "de, das, no, na, para, por, ao, que",
  and: "ou",
  ask: "qual, quem, como, quais",
};

export const romanian: Lexicon = {
  override:
    "ignora, ignorati, uita, uitati, nu tine cont, nu tineti cont, nu urma, nu urmati, omite, renunta la, suprascrie, anuleaza",
  bypass: "ocoleste, ocoliti, dezactiveaza, dezactivati, incalca, treci peste",
  stop: "opreste, opriti, inceteaza",
  prior:
    "anterior, anterioare, anterioara, precedent, precedente, precedenta, de mai sus, dinainte, inainte, initial, initiale, original*, pana acum",
  all: "toate, tot, toti, orice, oricare, fiecare, complet",
  rules:
    "instructiune, instructiuni, instructiunile, instructiunilor, regula, reguli, regulile, comanda, comenzi, comenzile, ordin, ordine, ordinele, directiva, directive, indicatii, restrictii",
  system:
    "prompt de sistem, promptul de sistem, promptul sistemului, mesajul de sistem, instructiunile de sistem, instructiunile initiale, instructiunile tale",
  reveal:
    "dezvaluie, dezvaluiti, arata, arata mi, aratati, afiseaza, afisati, spune mi, da mi, repeta, tipareste, listeaza, divulga",
  say: "spune, spuneti, raspunde, raspundeti, scrie, scrieti, genereaza, mentiona, mentiona*, mentiune*, informa*",
  secret:
    "parola, parole, parolele, cheia secreta, cheia api, secret, secrete, secretul, date confidentiale, datele confidentiale, date personale, confidential*, credential*",
  ai: "asistent, asistentul, asistentului, asistentule, ia, inteligenta artificiala, model, modelul, agent, agentul",
  persona:
    "actioneaza ca, comporta te ca, prefa te, esti un, esti acum, acum esti, vei fi, joaca rolul, imagineaza ti ca esti",
  unbound: "fara restrictii, fara limite, fara limitari, fara filtre, fara cenzura, fara reguli, nelimitat*",
  covert:
    "in secret, pe ascuns, discret, fara sa spui, fara sa informezi, fara a mentiona, nu mentiona, nu spune, nu informa, nu dezvalui, fara sa intrebi",
  user: "utilizator, utilizatorul, utilizatorului, utilizatorilor, cititor*, client*",
  urgent: "important, urgent, atentie, imediat, avertisment, prioritate, nota",
  must: "trebuie, obligatoriu, asigura te, mereu, intotdeauna",
  act: "trimite, trimiteti, redirectioneaza, transfera, sterge, stergeti, descarca, publica, creeaza, schimba, modifica, adauga, cumpara, plateste, deschide, acceseaza, instaleaza, copiaza, actualizeaza",
  exec: "executa, executati, urmeaza, urmati, indeplineste, asculta, continua, foloseste, efectueaza",
  task: "sarcina, sarcini, sarcinile, intrebare, intrebarea, cerere, obiectiv",
  fresh: "instructiuni noi, noi instructiuni, noua sarcina, sarcina noua, ordinele mele, instructiunile mele",
  pointed:
    "instructiunile urmatoare, urmatoarele instructiuni, aceasta instructiune, aceste instructiuni, urmatoarea intrebare",
  following: "urmator, urmatoare, urmatoarea, urmatoarele, urmatorul, de mai jos, mai jos",
  only: "doar, numai, exclusiv, nimic altceva, exact",
  before: "inainte de, mai intai",
  after: "dupa, apoi, dupa ce, in final",
  you: "tu, voi, te, dumneavoastra",
  your: "tau, tale, tai",
  me: "meu, mea, mele, mei",
  please: "te rog, va rog, va rugam",
  not: "nu, niciodata, fara, nimic",
  now: "acum, de acum, de acum inainte, incepand de acum, de acum incolo",
  response: "raspuns, raspunsul, raspunsului, rezumat",
  mail: "email ul, emailul, mesaj, mesajul, adresa",
  content: "text, textul, documentul, conversatia, propozitia, propozitie",
};
