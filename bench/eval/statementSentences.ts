// Invented sentences, as developers say them, one a line: what holds beyond the task, and what passes with it. The fit
// of the weights of statements learns from them what recorded sessions seldom have, in every language.

import { OTHER_SENTENCES } from './otherStatementSentences.ts'

export const TRAINING_SENTENCES: Readonly<Record<string, { readonly lasting: string; readonly passing: string }>> = {
  english: {
    lasting: `
      never rewrite published history
      always rebase before you open a pull request
      please don't touch the vendored code
      don't deploy on Fridays
      don't use any in new code
      use tabs in Makefiles
      use the shared http client for every outgoing call
      prefer early returns over nested conditions
      prefer plain functions, not classes
      avoid global state in the library
      avoid abbreviations in names
      keep functions short
      keep the changelog up to date with every change
      all timestamps are in milliseconds
      all errors must be wrapped with context
      every handler has to validate its input
      every new option needs a line in the documentation
      commits should be small and focused
      branch names should start with the ticket number
      tests should not sleep
      error messages must say what the user can do
      we never log personal data
      we always squash on merge
      we use trunk based development
      we only support the last two major versions
      we don't have a staging environment, so test locally
      our customers are on slow connections, so the bundle must stay small
      the cache is only valid within one request
      the queue does not guarantee order, so consumers must be idempotent
      the account id is unique, the mail address is not
      an order can have several invoices
      I want you to ask before you install packages
      I don't like long comments
      I prefer that you explain the plan before you edit
      I'd rather duplicate a line than add a dependency
      you must not change the public interface without asking
      you should always read the file before you edit it
      whenever you change the schema, regenerate the client
      when a test is flaky, fix the cause instead of adding a retry
      if the config is invalid, stop with an error instead of using defaults
      no, that's wrong: prices are stored in cents, not in dollars
      no, don't use mocks here, use the real service
      that is not how it works, the token is refreshed by the gateway
      from now on write the documentation in British English
      in future run only the affected tests
      let's stick with REST instead of GraphQL
      we decided against Kubernetes because it is too much work
      remember to never commit the lock file of the example
      only the release job may push tags
      it's important that the tool works offline
      write tests for the behaviour, not for the implementation
      do not create files in the root folder
      answer briefly, without introductions
      follow the existing naming convention`,
    passing: `
      can you run the linter?
      fix the type error in the parser
      what is the purpose of this file?
      yes please
      ok do it
      great, thanks
      commit this
      push it
      the test still fails
      it works now
      I have merged the branch
      show the last five commits
      add a field to the form
      why does this take so long?
      go on
      rename the class
      where do we call this?
      explain the error
      look into the other service
      I got an exception when I started the app
      undo the last change
      that didn't help
      try the second approach
      is this correct?
      open the file and check line 20
      update the snapshot
      the deployment failed last night
      make a branch
      install the dependencies
      how long does it take?
      summarize what you did
      next
      I just restarted it
      does it work with an empty list?
      there are two errors in the console
      remove the debug output
      check the log
      which file is it?
      delete it
      what's next?
      can you also do this for the tests?
      the app crashes on start
      write a test for it
      please review my changes
      I see nothing
      well done
      3
      b
      one moment
      I changed the config, please try again
      we need to fix this bug first
      let's run it
      I think it is the wrong port
      no, the other file
      could you make the text bigger?
      should I restart the server?
      I want to see the output
      now the button is missing
      don't worry about it
      just print the result
      I need the list of changed files
      it should work now
      let me know when you are done
      make it blue instead of red
      use the second one
      keep going
      only the first two please
      never mind
      always the same error`,
  },
  japanese: {
    lasting: `
      今後は必ずレビューを通してからマージしてください
      公開済みの履歴は絶対に書き換えないこと
      ベンダーのコードには触らないでください
      金曜日にはデプロイしないこと
      新しいコードで any は使わないでください
      Makefile ではタブを使ってください
      外部への通信は共通のクライアントを使うこと
      クラスではなく関数で書いてください
      グローバルな状態は避けてください
      名前を省略しないでください
      関数は短く保つこと
      変更履歴は毎回更新してください
      時刻はすべてミリ秒で扱います
      エラーには必ず文脈を付けること
      入力は必ず検証しなければならない
      オプションを追加したらドキュメントにも書くこと
      コミットは小さくしてください
      ブランチ名はチケット番号で始めること
      テストで sleep は使わないこと
      個人情報はログに出さないでください
      マージは常にスカッシュでお願いします
      サポートするのは直近の 2 つのバージョンだけです
      順序は保証されないので、処理は冪等でなければなりません
      キャッシュはリクエストの中でだけ有効です
      パッケージを入れる前に必ず聞いてください
      長いコメントは好きではありません
      編集する前に計画を説明してほしいです
      依存を増やすより数行の重複のほうがいいです
      スキーマを変えたら必ずクライアントを再生成すること
      設定が不正な場合は既定値を使わずにエラーで止めてください
      いや、違います。価格はドルではなくセントで保存しています
      ここではモックではなく実物を使ってください
      今後ドキュメントは英語で書いてください
      GraphQL ではなく REST でいくことに決めました
      タグをプッシュできるのはリリースジョブだけです
      オフラインでも動くことが重要です
      実装ではなく振る舞いをテストしてください
      ルートフォルダにファイルを作らないで
      前置きなしで簡潔に答えてください
      既存の命名規則に従ってください
      日本語で返信してください
      不明な点は推測せずに質問してください`,
    passing: `
      リンターを実行してください
      型エラーを修正して
      このファイルの目的は何ですか？
      はい、お願いします
      それでいいです
      ありがとう
      コミットして
      プッシュして
      テストがまだ落ちます
      動きました
      ブランチをマージしました
      最新のコミットを見せて
      フォームに項目を追加してください
      なぜこんなに時間がかかるのですか？
      次へ
      クラス名を変えて
      どこで呼ばれていますか？
      エラーを説明して
      起動したら例外が出ました
      元に戻して
      だめでした
      2 番目の方法を試して
      これで合っていますか？
      20 行目を確認して
      昨日のデプロイが失敗しました
      ブランチを作成してください
      依存をインストールして
      やったことを要約して
      再起動しました
      空のリストでも動きますか？
      エラーが 2 つ出ています
      デバッグ出力を消して
      削除して
      テストも同じようにしてください
      アプリが起動時に落ちます
      テストを書いて
      変更をレビューして
      何も表示されません
      ちょっと待って
      設定を変えたのでもう一度試して
      まずこのバグを直す必要があります
      ポートが違うと思います
      文字を大きくできますか？
      出力を見たいです
      ボタンが消えました
      青にしてください
      これで動くはずです
      またエラーです`,
  },
  ...OTHER_SENTENCES,
}
