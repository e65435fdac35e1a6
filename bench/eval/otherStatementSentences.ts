// Invented sentences in German, French, Spanish and Chinese: see statementSentences.ts.

export const OTHER_SENTENCES: Readonly<Record<string, { readonly lasting: string; readonly passing: string }>> = {
  german: {
    lasting: `
      niemals veröffentlichte Historie umschreiben
      führe vor jedem Commit immer den Linter aus
      keine neuen Abhängigkeiten ohne Rückfrage
      benutze in Makefiles immer Tabs
      alle Zeiten müssen in Millisekunden angegeben werden
      jede Fehlermeldung soll sagen, was der Benutzer tun kann
      wir unterstützen nur die letzten zwei Versionen
      nein, Preise werden in Cent gespeichert, nicht in Euro
      ich bevorzuge kleine Commits
      antworte ab jetzt immer auf Deutsch
      wenn du das Schema änderst, musst du den Client neu erzeugen
      nimm keine Mocks, sondern den echten Dienst`,
    passing: `
      kannst du den Linter starten?
      behebe den Typfehler
      was ist der Zweck dieser Datei?
      ok, mach das
      der Test schlägt noch fehl
      jetzt geht es
      zeig die letzten Commits
      danke
      warum dauert das so lange?
      ich habe den Server neu gestartet
      schreib einen Test dafür
      es gibt zwei Fehler in der Konsole`,
  },
  french: {
    lasting: `
      ne réécris jamais l'historique publié
      il faut toujours lancer le linter avant chaque commit
      n'ajoute pas de dépendances sans demander
      utilise toujours des tabulations dans les Makefiles
      toutes les heures doivent être en millisecondes
      chaque message d'erreur doit dire quoi faire
      nous ne supportons que les deux dernières versions
      non, les prix sont stockés en centimes, pas en euros
      je préfère les petits commits
      désormais réponds en français
      quand tu changes le schéma, il faut régénérer le client
      n'utilise pas de mocks, utilise le vrai service`,
    passing: `
      peux-tu lancer le linter ?
      corrige l'erreur de type
      à quoi sert ce fichier ?
      ok, vas-y
      le test échoue encore
      ça marche maintenant
      montre les derniers commits
      merci
      pourquoi ça prend autant de temps ?
      j'ai redémarré le serveur
      écris un test pour ça
      il y a deux erreurs dans la console`,
  },
  spanish: {
    lasting: `
      nunca reescribas el historial publicado
      ejecuta siempre el linter antes de cada commit
      no añadas dependencias sin preguntar
      usa siempre tabuladores en los Makefiles
      todas las horas deben estar en milisegundos
      cada mensaje de error debe decir qué hacer
      solo damos soporte a las dos últimas versiones
      no, los precios se guardan en céntimos, no en euros
      prefiero commits pequeños
      a partir de ahora responde en español
      cuando cambies el esquema, hay que regenerar el cliente
      no uses mocks, usa el servicio real`,
    passing: `
      ¿puedes ejecutar el linter?
      corrige el error de tipos
      ¿para qué sirve este archivo?
      ok, hazlo
      la prueba sigue fallando
      ahora funciona
      muestra los últimos commits
      gracias
      ¿por qué tarda tanto?
      he reiniciado el servidor
      escribe una prueba para esto
      hay dos errores en la consola`,
  },
  chinese: {
    lasting: `
      永远不要改写已发布的历史
      每次提交前都要运行 linter
      不要在没有询问的情况下添加依赖
      Makefile 里一律使用制表符
      所有时间都必须用毫秒
      每个错误信息都应该告诉用户该怎么做
      我们只支持最近的两个版本
      不对，价格是用分存储的，而不是元
      我更喜欢小的提交
      从现在开始请用中文回答
      修改数据库结构时必须重新生成客户端
      不要用 mock，要用真实的服务`,
    passing: `
      能运行一下 linter 吗？
      修复类型错误
      这个文件是做什么用的？
      好，做吧
      测试还是失败
      现在可以了
      看一下最近的提交
      谢谢
      为什么要这么久？
      我重启了服务器
      给这个写一个测试
      控制台有两个错误`,
  },
}
