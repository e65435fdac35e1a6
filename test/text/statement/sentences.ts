// Sentences as developers say them, one a line. `lasting`: something that holds beyond the task. `passing`: a task, a
// question, a report, a reaction.

export type TestLanguage = 'english' | 'japanese' | 'german' | 'french' | 'spanish' | 'chinese'

export const SENTENCES: Readonly<Record<TestLanguage, { readonly lasting: string; readonly passing: string }>> = {
  english: {
    lasting: `
      always run the formatter before you commit
      never force push to a shared branch
      please don't add comments that repeat the code
      from now on use pnpm instead of npm
      I prefer small pull requests over big ones
      we should never store passwords in plain text
      no, the config belongs in the home directory, not in the repository
      that's not right, the retry must happen in the client, not in the server
      don't commit unless I ask you to
      remember that the staging database is read-only
      keep in mind that customers run this behind a proxy
      our API is versioned, so we must not rename fields without a new version
      use single quotes in TypeScript files
      all public functions need a doc comment
      tests must not depend on the network
      we don't support Windows, so don't add workarounds for it
      the default timeout should be 30 seconds because slow networks are common
      every log line should include the request id
      I'd rather have an explicit error than a silent fallback
      make sure you always run the linter before you say it is done
      when you write a migration, always add the way back
      I don't want to have personal tokens in CI
      we never mock the database in integration tests
      let's use SQLite instead of Postgres for the cache
      we decided to keep the old endpoint until version 3
      you should ask before deleting files
      stop adding emojis to commit messages
      the worker is stateless, it must not write to the local disk
      no need to keep backwards compatibility here, there are no users yet
      we only ship the binaries for Linux and macOS
      answer in German from now on
      if a setting is missing we should fail loudly instead of guessing
      never edit generated files, change the template instead
      a user can belong to more than one team, so don't assume a single team
      commit messages should be in the imperative
      prefer composition over inheritance in this codebase
      we use feature flags for everything that is not finished
      the ids are stable, the names can change, so always link by id
      don't use default exports, we only use named exports
      we should use the existing logger instead of console.log
      I want the CLI to be silent by default and only print errors
      no, we removed the legacy importer on purpose
      do not stash my changes, just read the files
      keep the public API backwards compatible
      the source of truth is the schema file, not the database
      dates are always stored in UTC
      we have to tolerate that the agent is killed without any cleanup
      don't bump dependencies as part of a feature branch
      write the test first, then the fix
      it is important that the installer works without root`,
    passing: `
      can you run the tests again?
      fix the failing test in the parser
      what does this function do?
      yes
      ok, go ahead
      thanks, looks good
      please commit and push
      the build is still failing with the same error
      I just merged main into this branch
      show me the diff
      add a button to the settings page
      why is the second request so slow?
      continue
      rename this variable to count
      where is the config loaded?
      can you explain how the cache works?
      let's look at the next file
      I get a timeout when I run the server
      revert the last commit
      hmm, it did not work
      try again
      what do you think about this approach?
      open a pull request
      is there a test for this?
      update the readme
      the tests passed on my machine yesterday
      create a new branch for this
      run npm install first
      how many files did you change?
      write a summary of the changes
      go on with step 2
      I restarted the server, check again
      does this handle empty input?
      I see three warnings in the output
      undo that please
      look at the logs of the last run
      which version are we on?
      delete the temporary folder
      done, what is next?
      can you also check the other module?
      it crashed after a few seconds
      add tests for the new endpoint
      could you review this branch?
      the page is blank now
      nice work
      1
      option 2
      let me check
      wait
      I pushed a fix, pull and rerun`,
  },
  japanese: {
    lasting: `
      今後は必ず pnpm を使ってください
      コミットする前に必ずテストを実行すること
      main ブランチには直接プッシュしないでください
      これからは日本語で回答してください
      テストではネットワークに接続しないこと
      設定ファイルはリポジトリではなくホームディレクトリに置くべきです
      いや、そうではなく、リトライはクライアント側で行う必要があります
      ログには必ずリクエスト ID を含めてください
      勝手にコミットしないでください
      ステージング環境の DB は読み取り専用だと覚えておいて
      日付は常に UTC で保存します
      コメントはコードの繰り返しにならないようにしてください
      default export は使わないで、named export だけにしてください
      エラーは握りつぶさずに必ず呼び出し元に返すこと
      私は小さいプルリクエストのほうが好きです
      このプロジェクトでは Windows をサポートしないので、対応は不要です
      公開 API の互換性は維持しなければなりません
      生成されたファイルは編集せず、テンプレートを変更すること
      npm ではなく pnpm を使ってください
      キャッシュは Redis ではなく SQLite にすることに決めました
      今後、絵文字をコミットメッセージに入れないでください
      ファイルを削除する前に必ず確認してください
      原則として新しい依存は追加しないでください
      変数名は英語で統一してください
      タイムアウトのデフォルトは 30 秒にすべきです
      関数は 50 行以内にすること
      テストを先に書いてから実装してください
      古いエンドポイントはバージョン 3 まで残す方針です
      ユーザーは複数のチームに所属できるので、1 つと仮定しないでください
      機密情報は絶対にログに出力しないでください
      すべての公開関数にはドキュメントコメントが必要です
      毎回フォーマッタを実行してからコミットして
      説明は簡潔にしてほしいです
      モックは使わずに本物の DB でテストする方針でお願いします
      インデントは必ずスペース 2 つにしてください
      それは違います、正解はスキーマファイルであってデータベースではありません
      設定がない場合は推測せずにエラーにすべきです
      敬語で返答しないでください、常に簡潔な文体で
      コミットメッセージは今後日本語で書いてください
      外部 API は必ずクライアントクラス経由で呼び出すこと`,
    passing: `
      テストをもう一度実行してください
      この関数は何をしていますか？
      はい
      お願いします
      ありがとうございます
      ビルドがまだ失敗します
      差分を見せて
      設定画面にボタンを追加して
      なぜ遅いのですか？
      続けて
      さっきのコミットを戻して
      エラーが出ました
      キャッシュの仕組みを説明してください
      プルリクエストを作成して
      ログを確認してください
      どのファイルを変更しましたか？
      README を更新して
      サーバーを再起動しました
      次に進んで
      このテストはありますか？
      main をマージしました
      やっぱり動きませんでした
      変数名を count に変更して
      ブランチを作って
      うまくいきました
      どう思いますか？
      コミットしてプッシュして
      画面が真っ白になりました
      まとめを書いて
      3 番でお願いします
      他のモジュールも調べて
      いいですね
      警告が 3 つ出ています
      一時フォルダを削除して
      どのバージョンですか？
      少し待って
      レビューしてください
      昨日は動いていました
      型エラーを直してください
      了解`,
  },
  german: {
    lasting: `
      ab jetzt immer pnpm statt npm verwenden
      bitte nie direkt auf main pushen
      wir müssen die öffentliche Schnittstelle kompatibel halten
      nein, die Konfiguration gehört ins Home-Verzeichnis, nicht ins Repository
      ich möchte, dass du immer zuerst den Test schreibst
      Tests dürfen nicht vom Netzwerk abhängen
      Datumsangaben werden immer in UTC gespeichert
      verwende keine Emojis in Commit-Nachrichten
      wenn eine Einstellung fehlt, soll das Programm abbrechen statt zu raten
      merk dir, dass die Staging-Datenbank nur lesbar ist`,
    passing: `
      kannst du die Tests noch mal laufen lassen?
      ja
      zeig mir den Diff
      der Build schlägt immer noch fehl
      was macht diese Funktion?
      füge einen Button hinzu
      danke, das passt
      ich habe main gemergt
      weiter
      warum ist das so langsam?`,
  },
  french: {
    lasting: `
      à partir de maintenant, utilise toujours pnpm au lieu de npm
      ne pousse jamais directement sur main
      il faut toujours lancer les tests avant de committer
      non, la configuration doit être dans le dossier personnel, pas dans le dépôt
      je préfère les petites pull requests
      les dates doivent toujours être en UTC
      les tests ne doivent pas dépendre du réseau
      n'ajoute pas de commentaires inutiles, jamais
      réponds toujours en français
      souviens-toi que la base de staging est en lecture seule`,
    passing: `
      peux-tu relancer les tests ?
      oui
      montre-moi le diff
      le build échoue encore
      que fait cette fonction ?
      ajoute un bouton
      merci, c'est bon
      j'ai fusionné main
      continue
      pourquoi est-ce si lent ?`,
  },
  spanish: {
    lasting: `
      a partir de ahora usa siempre pnpm en vez de npm
      nunca hagas push directamente a main
      hay que ejecutar las pruebas siempre antes de hacer commit
      no, la configuración debe estar en el directorio personal, no en el repositorio
      prefiero pull requests pequeños
      las fechas siempre deben guardarse en UTC
      las pruebas no deben depender de la red
      no uses emojis en los mensajes de commit
      responde siempre en español
      recuerda que la base de datos de staging es de solo lectura`,
    passing: `
      ¿puedes ejecutar las pruebas otra vez?
      sí
      muéstrame el diff
      la compilación sigue fallando
      ¿qué hace esta función?
      añade un botón
      gracias, está bien
      he fusionado main
      continúa
      ¿por qué es tan lento?`,
  },
  chinese: {
    lasting: `
      以后一律使用 pnpm，不要用 npm
      不要直接推送到 main 分支
      提交之前必须先运行测试
      不对，配置应该放在用户目录，而不是仓库里
      我更喜欢小的 pull request
      日期必须始终以 UTC 保存
      测试不应该依赖网络
      提交信息里不要使用表情符号
      请以后都用中文回答
      记住测试环境的数据库是只读的`,
    passing: `
      能再跑一次测试吗？
      好的
      给我看一下差异
      构建还是失败
      这个函数是做什么的？
      添加一个按钮
      谢谢，没问题
      我合并了 main
      继续
      为什么这么慢？`,
  },
}

/** The sentences of a block, trimmed. */
export const listSentences = (block: string): readonly string[] =>
  block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
