// The common traits in German, French and Spanish, written without accents: the text is compared without them too.
import { pattern } from '../pattern.ts'
import type { TraitPatterns } from './traits.ts'

export const GERMAN_TRAITS: TraitPatterns = {
  duty: pattern(
    String.raw`\b(?:muss|mussen|musst|soll(?:te|ten|en|st)?|notig|erforderlich|achte darauf|stelle sicher|
      stell sicher|verpflichtend|pflicht)\b`,
  ),
  ban: pattern(
    String.raw`\b(?:nie(?:mals)?|(?:bitte |du |wir )?\w+ (?:bitte )?(?:keine?[nrms]?|nicht)|vermeide|verboten|
      darf(?:st)? (?:nicht|keine?)|durfen (?:nicht|keine)|lass das|hor auf|ohne zu fragen)\b`,
  ),
  always: pattern(
    String.raw`\b(?:immer|nie(?:mals)?|stets|jede[rsnm]?|jedes mal|ab (?:jetzt|sofort)|in zukunft|kunftig|
      zukunftig|grundsatzlich|generell|uberall|alle[rsn]?|standardmaßig|ausnahmslos)\b`,
  ),
  wish: pattern(
    String.raw`\b(?:ich (?:mochte|will|bevorzuge|mag|wurde|hatte|wunsche|brauche)|lieber|bevorzug\w+|besser ware|
      ware (?:besser|schoner|gut)|am liebsten|mir ist wichtig)\b`,
  ),
  proposal: /\b(?:lass uns|lasst uns|wir (?:nehmen|konnten|verwenden|bleiben)|wie ware|machen wir|nehmen wir)\b/,
  denial: pattern(
    String.raw`^(?:nein|nee|falsch|stopp?|halt|doch|moment)\b|\b(?:stimmt (?:so )?nicht|ist (?:falsch|
      nicht richtig|nicht korrekt)|nicht das|ich meinte|ich habe nicht|gibt es (?:nicht|kein\w*))\b`,
  ),
  contrast: /\b(?:aber|sondern|statt(?:dessen)?|anstatt|jedoch|außer|nicht nur|obwohl|trotzdem)\b/,
  reason: /\b(?:weil|da (?:wir|die|der|das|es)|denn|deshalb|deswegen|damit|sonst|daher|wegen)\b/,
  definition: pattern(
    String.raw`\b(?:(?:ist|sind) (?:ein\w*|der|die|das|nur|immer|nie|kein\w*|in)|bedeutet|heißt|besteht aus|gehort|
      liegt (?:in|unter)|lauft|unterstutzt|enthalt|es gibt)\b`,
  ),
  condition: /\b(?:wenn|falls|sobald|bevor|nachdem|solange|bis|wahrend)\b/,
  opinion: /\b(?:ich (?:denke|glaube|finde|meine)|meiner meinung|vermutlich|wahrscheinlich)\b/,
  aim: /\b(?:ziel|zweck|absicht|damit|idee ist|mit absicht|sinn)\b/,
  request: /\b(?:kannst du|konntest du|konnen sie|konnten sie|bitte|wurdest du|hilf mir)\b/,
  asking: /[?？]\s*$|^(?:was|warum|wie|wo|wann|welche|wer|wieso|kann|ist|sind)\b.*[?]/,
  report: pattern(
    String.raw`\b(?:fehler|schlagt fehl|fehlgeschlagen|kaputt|abgesturzt|ich (?:habe|bekomme|sehe)|
      funktioniert nicht|geht nicht)\b`,
  ),
  task: pattern(
    String.raw`^(?:(?:bitte|und|dann|jetzt|ok|ja|kannst du) )*(?:fuge|erstelle|schreib\w*|prufe|zeig\w*|erklar\w*|
      behebe|mach\w*|andere|losche|entferne|schau\w*|fuhre|starte|teste|baue|korrigiere|suche|finde|
      aktualisiere|implementiere)\b`,
  ),
  consent: /^(?:ja|ok|okay|genau|klar|gut|super|danke|passt|perfekt|richtig|einverstanden)\b/,
  vague: /^(?:es|das|dies\w*)\b/,
  onceOnly: /\b(?:dies\w+|hier|eben|gerade|den letzten|die letzte\w*|noch mal|nochmal|erst)\b/,
  interim: /\b(?:erstmal|vorerst|zunachst|im moment|gerade|diesmal|heute|spater|vorlaufig)\b/,
  keep: /\b(?:merk(?:e)? dir|denk(?:e)? daran|beachte|vergiss nicht|zur info|wichtig:|hinweis:)/,
  forget: /\b(?:vergiss (?:was|das|die|den)|ignoriere,? was|gilt nicht mehr)\b/,
  onlyOne: /\b(?:nur|ausschließlich|genau|einzig\w*|lediglich)\b/,
  standard: /\b(?:standard\w*|konvention\w*|richtlinie\w*|vorgabe\w*|stil|regel\w*)\b/,
  we: /\b(?:wir|uns|unser\w*)\b/,
  me: /\b(?:ich|mir|mich|mein\w*)\b/,
  you: /\b(?:du|dir|dich|dein\w*|sie)\b/,
  others: /\b(?:benutzer|nutzer|anwender|kunden?|jemand|man|alle)\b/,
  past: /\b(?:war|waren|hatte|wurde|habe \w+ ge\w+|ge\w{3,}t)\b/,
  negated: /\b(?:nicht|kein\w*|nie|niemals|nichts|ohne)\b/,
  doubt: /\b(?:vielleicht|eventuell|konnte|unsicher|moglicherweise)\b/,
  able: /\b(?:kann|konnen|konnte|moglich|darf|durfen)\b/,
  replacing: /\b(?:statt(?:dessen)?|anstatt|anstelle|sondern|ersetz\w*|umbenenn\w*)\b/,
  choice: /^(?:variante|option|\d[.):]?)(?:\s|$)|\b(?:wir (?:nehmen|bleiben bei)|entschieden|entscheidung)\b/,
  known: /\b(?:bereits|schon|nicht mehr|normalerweise|eigentlich|meistens|ublicherweise)\b/,
  why: /\b(?:warum|wieso|weshalb|wozu)\b/,
  rule: pattern(
    String.raw`^(?:(?:bitte|und|nein|ja|also|ok|ab (?:jetzt|sofort)|in zukunft|generell|
      grundsatzlich),? )*(?:immer|nie(?:mals)?|keine?|verwende\w*|nutze|benutze|nimm|halte|vermeide|
      schreib\w*|bleib\w*|wenn|nur|bevorzuge|antworte|lass|committe|teste|merk)\b`,
  ),
  tag: /\b(?:oder|richtig|ja|nicht wahr|gell)\s*\?$/,
}

export const FRENCH_TRAITS: TraitPatterns = {
  duty: pattern(
    String.raw`(?:\b(?:il faut|faut|doit|doivent|devons|devez|dois|devrait|devraient|devrions|necessaire|
      obligatoire|assure-toi|assurez-vous|veille a|besoin de)|il est necessaire)`,
  ),
  ban: pattern(
    String.raw`\bn[e' ].{0,25}\b(?:pas|jamais|plus|aucun)\b|\b(?:jamais|evite[rz]?|interdit|arrete de|pas de|
      sans (?:demander|mon))(?= |$)`,
  ),
  always: pattern(
    String.raw`\b(?:toujours|jamais|chaque|desormais|dorenavant|a l'avenir|a partir de maintenant|partout|tou(?:s|
      tes) les|systematiquement|par defaut|en general)\b`,
  ),
  wish: pattern(
    String.raw`\b(?:je (?:veux|prefere|voudrais|souhaite|prefererais|n'aime pas|aimerais)|j'aime(?:rais)?|
      on prefere|nous preferons|ce serait mieux|plutot|vaut mieux|mieux vaut)(?= |$|,|\.)`,
  ),
  proposal: pattern(
    String.raw`\b(?:on (?:va|pourrait|utilise|garde|prend|part sur)|allons-y|et si on|restons|partons sur|
      utilisons|gardons)\b`,
  ),
  denial: pattern(
    String.raw`^(?:non|faux|pas|stop|attends)\b|\b(?:ce n'est pas|c'est (?:faux|incorrect)|n'est pas correct|
      je voulais dire|je n'ai pas (?:dit|demande))`,
  ),
  contrast: /\b(?:mais|au lieu de?|plutot que|cependant|sauf|alors que|pourtant|et non|et pas)\b/,
  reason: /\b(?:parce qu|car|puisqu|afin|pour que|sinon|donc|a cause|comme (?:on|nous|il|elle|le|la))/,
  definition: pattern(
    String.raw`\b(?:(?:est|sont) (?:un|une|le|la|les|des|seulement|toujours|dans|en)|signifie|veut dire|contient|
      appartient|depend|il y a|se trouve|c'est)\b`,
  ),
  condition: /\b(?:si|quand|lorsqu|des que|avant|apres|tant que|jusqu|pendant)/,
  opinion: /\b(?:je (?:pense|crois|trouve)|a mon avis|probablement|sans doute)\b/,
  aim: /\b(?:l'idee|le but|l'objectif|afin|expres|pour que)\b/,
  request: pattern(
    String.raw`\b(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|s'il te plait|s'il vous plait|stp|svp|tu peux|
      merci de|aide-moi)(?= |$|,|\?|\.)`,
  ),
  asking: /[?？]\s*$|^(?:pourquoi|comment|ou|quand|quel\w*|qui|est-ce|qu'est)/,
  report: /\b(?:erreurs?|echou\w*|plant\w*|casse|j'ai (?:eu|vu|lance|essaye)|ne (?:marche|fonctionne) pas|bug)\b/,
  task: pattern(
    String.raw`^(?:(?:s'il te plait|et|puis|maintenant|ok|oui|peux-tu|tu peux),? )*(?:ajoute[rz]?|cree[rz]?|
      ecri[ts]|ecrire|ecrivez|verifie[rz]?|montre[rz]?|expliqu\w+|corrige[rz]?|fai[ts]|faire|change[rz]?|
      supprime[rz]?|regarde[rz]?|lance[rz]?|teste[rz]?|cherche[rz]?|implemente[rz]?|mets?)(?= |$)`,
  ),
  consent: /^(?:oui|ok|d'accord|parfait|merci|super|bien|exact|c'est bon)\b/,
  vague: /^(?:ca|cela|ceci|c'est|il|elle)\b/,
  onceOnly: /\b(?:ce (?:fichier|test)|cette (?:ligne|fonction)|ici|dernier\w*|encore|d'abord)\b/,
  interim: /\b(?:pour l'instant|pour le moment|cette fois|plus tard|aujourd'hui|d'abord|temporairement)\b/,
  keep: /\b(?:souviens-toi|rappelle-toi|retiens|n'oublie pas|garde en tete|note que|notez que|a savoir|pour info)/,
  forget: /\b(?:oublie (?:ce que|la|le)|oubliez ce que|ignore ce que|n'est plus valable)/,
  onlyOne: /\b(?:seulement|uniquement|seul|juste|que des|exclusivement)\b/,
  standard: /\b(?:par defaut|convention\w*|norme\w*|standard\w*|style|regle\w*|politique)\b/,
  we: /\b(?:nous|notre|nos|on)\b/,
  me: /\b(?:je|j'|mon|ma|mes|moi|me)\b|\bj'/,
  you: /\b(?:tu|te|ton|ta|tes|vous|votre|vos)\b/,
  others: /\b(?:utilisateurs?|clients?|quelqu'un|les gens|tout le monde)\b/,
  past: /\b(?:etait|etaient|avait|a ete|ai \w+e)\b/,
  negated: /\bn['e]|\b(?:pas|jamais|aucun|sans|rien|non)\b/,
  doubt: /\b(?:peut-etre|je me demande|pas sur|eventuellement)/,
  able: /\b(?:peut|peuvent|pouvons|possible|pourrait)\b/,
  replacing: /\b(?:au lieu de?|plutot que|a la place|remplac\w+|renomm\w+)\b/,
  choice: /^(?:option|\d[.):]?)(?:\s|$)|\b(?:on part sur|on garde|decide|decision)/,
  known: /\b(?:deja|ne .{2,15} plus|d'habitude|normalement|en fait)\b/,
  why: /\bpourquoi\b/,
  rule: pattern(
    `^(?:(?:non|oui|et|s'il te plait|stp|desormais|dorenavant|a partir de maintenant|
      a l'avenir),? )*(?:toujours|jamais|ne |n'|utilise[rz]?|garde[rz]?|evite[rz]?|prefere[rz]?|pas de|
      il faut|si |quand |ecri[st]|reponds?|respecte[rz]?)`,
  ),
  tag: /\b(?:non|n'est-ce pas|d'accord|hein)\s*\?$/,
}

export const SPANISH_TRAITS: TraitPatterns = {
  duty: pattern(
    String.raw`\b(?:debe[sn]?|debemos|deberia\w*|hay que|tiene[sn]? que|tenemos que|necesario|obligatorio|
      asegurate|aseguraos|hace falta|necesita\w*)(?= |$|,|\.)`,
  ),
  ban: pattern(
    String.raw`\b(?:no (?:uses?|usar|hagas?|hacer|pongas?|toques?|anadas?|agregues?|escribas?|borres?|modifiques?|
      cambies?|quiero|debe\w*|commitees|subas?|crees?|me|se|lo|la|est\w+|\w+[ae]s)|nunca|jamas|evita[r]?|
      prohibid\w+|deja de|sin (?:preguntar|mi))(?= |$|,|\.)`,
  ),
  always: pattern(
    String.raw`\b(?:siempre|nunca|jamas|cada|a partir de ahora|de ahora en adelante|en (?:el )?futuro|en adelante|
      en general|tod[oa]s?|por defecto|en todas partes)\b`,
  ),
  wish: pattern(
    String.raw`\b(?:(?:yo )?(?:quiero|prefiero|preferiria|quisiera|me gusta\w*|deseo|preferimos|queremos)|
      seria mejor|es mejor|mejor (?:usar|usa)|mejor)\b`,
  ),
  proposal: /\b(?:vamos a|usemos|hagamos|mantengamos|dejemos|podriamos|que tal si|quedemonos)(?= |$)/,
  denial: pattern(
    String.raw`^(?:no|falso|espera|mal)\b|\b(?:no es (?:correcto|asi|lo que)|esta mal|incorrecto|quise decir|
      yo no (?:dije|pedi)|no (?:dije|pedi|te pedi))`,
  ),
  contrast: /\b(?:pero|sino|en (?:vez|lugar) de|sin embargo|excepto|salvo|aunque|y no)\b/,
  reason: /\b(?:porque|ya que|puesto que|por eso|para que|si no|debido|pues|asi que)\b/,
  definition: pattern(
    String.raw`\b(?:(?:es|son|esta|estan) (?:un|una|el|la|los|las|solo|solo|siempre|en)|significa|contiene|
      pertenece|depende|hay)\b`,
  ),
  condition: /\b(?:si|cuando|antes|despues|hasta|mientras|en cuanto|cada vez)\b/,
  opinion: /\b(?:creo|pienso|me parece|en mi opinion|probablemente|supongo)\b/,
  aim: /\b(?:la idea|el objetivo|para que|a proposito|la intencion)\b/,
  request: /\b(?:puedes|podrias|puede|por favor|ayudame|me puedes)\b/,
  asking: /[?？]\s*$|^¿|^(?:que|por que|como|donde|cuando|cual|quien)/,
  report: /\b(?:errore?s?|fall[aoo]\w*|roto|se cae|he (?:visto|probado|ejecutado)|no funciona|bug)\b/,
  task: pattern(
    `^(?:(?:por favor|y|luego|ahora|ok|si|puedes),? )*(?:anade|anadir|agrega|crea|crear|escribe|revisa|
      muestra|muestrame|explica|arregla|corrige|haz|cambia|borra|elimina|mira|ejecuta|prueba|busca|
      implementa|pon)(?= |$)`,
  ),
  consent: /^(?:si|si,|ok|vale|de acuerdo|perfecto|gracias|bien|correcto|claro|exacto)(?=[ ,.!]|$)/,
  vague: /^(?:esto|eso|ese|esa|este|esta|es)\b/,
  onceOnly: /\b(?:este (?:archivo|test)|esta (?:linea|funcion|prueba)|aqui|ultim\w+|otra vez|primero)\b/,
  interim: /\b(?:por ahora|de momento|esta vez|mas tarde|hoy|temporalmente|primero|luego)\b/,
  keep: /\b(?:recuerda|ten en cuenta|no olvides|tened en cuenta|nota:|para tu informacion|acuerdate)/,
  forget: /\b(?:olvida (?:lo que|la|el)|ignora lo que|ya no (?:aplica|vale))/,
  onlyOne: /\b(?:solo|solo|solamente|unicamente|exclusivamente)(?= |$|,|\.)/,
  standard: /\b(?:por defecto|convenci[oo]n\w*|est[aa]ndar\w*|estilo|reglas?|politicas?|norma\w*)/,
  we: /\b(?:nosotros|nuestr\w+|nos|\w+(?:amos|emos|imos))\b/,
  me: /\b(?:yo|me|mi|mis|mi)(?= |$|,|\.)/,
  you: /\b(?:tu|te|tu|tus|usted|ustedes)(?= |$|,|\.)/,
  others: /\b(?:usuarios?|clientes?|alguien|la gente|todos)\b/,
  past: /\b(?:era|eran|fue|fueron|habia|\w{3,}(?:aron|ieron))\b/,
  negated: /\b(?:no|nunca|jamas|ningun\w*|sin|nada|ni)\b/,
  doubt: /\b(?:quiza\w*|tal vez|me pregunto|no estoy segur\w+)/,
  able: /\b(?:puede[ns]?|podemos|posible|podria\w*)/,
  replacing: /\b(?:en (?:vez|lugar) de|sino|reemplaz\w+|renombr\w+|sustituy\w+)\b/,
  choice: /^(?:opcion|\d[.):]?)(?:\s|$)|\b(?:decidi\w+|nos quedamos con|vamos con)/,
  known: /\b(?:ya no|ya|normalmente|en realidad|de hecho)\b/,
  why: /por que/,
  rule: pattern(
    String.raw`^(?:(?:no,|si,|y|por favor|a partir de ahora|de ahora en adelante|en adelante),? )*(?:siempre|nunca|
      jamas|no |usa|utiliza|usad|mant[ei]\w+|evita|prefiere|solo|si |cuando |hay que|responde|
      escribe siempre|respeta)\b`,
  ),
  tag: /\b(?:verdad|no|cierto)\s*\?$/,
}
