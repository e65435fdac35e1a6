// What kind of prompt this is, decided from its words alone, before any index is read. Only a task has something to
// search for; at every other prompt nothing is injected.
import { isClientPrompt } from '../promptText.ts'
import { findTaskReference } from '../taskReference.ts'

/**
 * empty: no words. generated: the client wrote it. reply: agreement, a choice from a list, "go on". git: commit or push
 * what is there. short: too little text. task: anything else.
 */
export type PromptClass = 'empty' | 'generated' | 'reply' | 'git' | 'short' | 'task'

/** A longer prompt is a task: a reply has few words. */
const REPLY_CHARS_MAX = 100

/** Up to this many characters a prompt is too short, unless it names a file, a path or code. */
const SHORT_PROMPT_CHARS = 15

/** The same with fewer words that say what it is about: "did you run the tests?" has none. */
const PROMPT_WORDS_MIN = 2

export function classifyPrompt(prompt: string): PromptClass {
  if (isClientPrompt(prompt) && !SAYS_MORE.test(prompt)) return 'generated'
  const text = prompt.length > 4 * REPLY_CHARS_MAX ? prompt : prompt.trim()
  if (text.length > REPLY_CHARS_MAX) return 'task'
  const plain = text.toLowerCase().replaceAll('’', "'")
  if (!/[0-9a-z\u00c0-\u1fff\u3040-\ud7af\uff10-\uff5a]/.test(plain)) return 'empty'
  if (namesIssue(text)) return 'task'
  if (CJK.test(plain) ? isCjkReply(plain) : isWordReply(plain)) return IS_GIT.test(plain) ? 'git' : 'reply'
  if (NAMES_CODE.test(text)) return 'task'
  const isShort = displayLength(text) <= SHORT_PROMPT_CHARS || countSubjectWords(plain) < PROMPT_WORDS_MIN
  return isShort ? 'short' : 'task'
}

/** "Go on with #42" has something to search for. With one digit it may be a choice from a list. */
function namesIssue(text: string): boolean {
  const reference = findTaskReference(text)
  return reference !== undefined && !/^#\d$/.test(reference)
}

/**
 * Distinct words that can say what a prompt is about: none of a reply, and none of work on anything, such as test or
 * fix. Of Japanese and Chinese each run of Katakana, and each two other characters that are not Hiragana.
 */
function countSubjectWords(text: string): number {
  const words = text.replaceAll("'", '').match(/[0-9a-z\u00c0-\u1fff\uac00-\ud7af]{3,}/g) ?? []
  const work = new Set(WORK_WORDS.split(' '))
  const own = new Set(words.filter((word) => !replyWords().has(word) && !work.has(word)))
  const runs = text.match(/[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff]{1,2}/g) ?? []
  return own.size + new Set(runs.filter((run) => !work.has(run))).size
}

/** What people ask for in any project. */
const WORK_WORDS =
  'test tests testing run running ran rerun fix fixes fixed check checks checked verify explain explained describe ' +
  'description summary summarize review print did does has have had how why when who which not double really still ' +
  'about into code happened happens teste läuft prüfe prüfen kannst erkläre lance explique prueba ejecuta explica revisa ' +
  'テスト 実行 修正 確認 説明 直 見 测试 运行 修复 检查 解释'

const CJK = /[\u3040-\u30ff\u4e00-\u9fff]/

/** What a person typed after stopping the assistant. */
const SAYS_MORE = /^\s*\[Request interrupted[^\]]*\]\s*\S/

/** A file, a path, an option or a name of code: these can be searched for, however short the prompt is. */
const NAMES_CODE = /`|\w\.[a-z]\w|\w\/\w|\w_\w|[a-z][A-Z]|(?:^|\s)--?\w{2}|#\d/

/** A character of a script without spaces says as much as two or three letters. */
const displayLength = (text: string): number =>
  text.length + (text.match(/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/g)?.length ?? 0)

const REPLY_WORDS_MAX = 14

/** Whether each word says nothing by itself. A path, an option or code is no word of a reply. */
function isWordReply(text: string): boolean {
  if (/[`_/\\<>{}=]|\w\.\w|(?:^|\s)--?\w/.test(text)) return false
  const words = text
    .replaceAll("'", '')
    .split(/[^0-9a-z\u00c0-\u024f]+/)
    .filter(Boolean)
  return words.length <= REPLY_WORDS_MAX && words.every(isReplyWord)
}

/** Whether the text consists of phrases that say nothing by themselves, read from left to right without going back. */
function isCjkReply(text: string): boolean {
  const pattern = new RegExp(CJK_PHRASE, 'y')
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const [phrase] = pattern.exec(text) ?? []
    if (phrase === undefined || (/[a-z]/.test(phrase) && !isReplyWord(phrase))) return false
  }
  return true
}

/** Punctuation, a number, a word in Latin letters, or a phrase: of two phrases with the same beginning the longer one. */
const CJK_PHRASE =
  '[\\s\\u2000-\\u303f\\u30fb\\u30fc\\uff00-\\uff0f\\uff1a-\\uff20\\uff5e!-/:-@~]+|[0-9\\uff10-\\uff19]+|[a-z]+|' +
  // Japanese: agreement and politeness, "go on", a choice, a commit, and the grammar around them
  'はい|いいえ|いや|ええ|うん|了解|承知|わかりました|分かりました|お願い|よろしく|宜しく|ください|下さい|どうぞ|ありがとう|ございま|' +
  '大丈夫|問題|完璧|最高|素晴らしい|助かりました|承認|許可|採用|提案|通り|とおり|どおり|そのまま|それ|これ|その|この|そう|' +
  '続けて|続行|続き|継続|進めて|進んで|再開|やって|やりましょう|やろう|いって|行って|いきましょう|行きましょう|もう一度|' +
  '再度|すべて|全部|全て|両方|最初|最後|番目|番|案|方|オプション|選択肢|ステップ|手順|変更|次|今|' +
  'コミット|プッシュ|マージ|ブランチ|リモート|メイン|マスター|メッセージ|プルリクエスト|プルリク|作って|作成|' +
  'いたします|致します|しましょう|しよう|いいです|いい|良い|ありません|ない|なし|です|ます|した|して|する|から|' +
  '[でをはがのともしかよねにへたす]|' +
  // Chinese
  '好的|好|可以|是的|是|对的|对|嗯|行|没问题|继续|接着|下一步|下一个|请|吧|了|做|执行|开始|同意|确认|谢谢|选项|选|第|个|' +
  '方案|一下|[一二三四五六]|两个|都|按|这个|那个|就|代码|更改|修改|提交|推送|推上去|合并|远程|分支|到|并|和|把|创建|也|再|来|的'

/** The prompt asks to record or publish the work. */
const IS_GIT = /\b(?:commit|push|amend|einchecken|commite|comite|pousse|empuja)|コミット|プッシュ|提交|推送|推上去/

const isReplyWord = (word: string): boolean => /^(?:\d{1,3}|[a-h])$/.test(word) || replyWords().has(word)

let replyWordSet: ReadonlySet<string> | undefined

/** Built at the first use: most prompts are longer. */
function replyWords(): ReadonlySet<string> {
  replyWordSet ??= new Set(REPLY_WORDS.split(' '))
  return replyWordSet
}

/**
 * Words that say nothing by themselves: agreement, politeness, choices, "go on", and the small words around them, in
 * English, German, French and Spanish. Words of a commit are among them.
 */
const REPLY_WORDS =
  // English
  'yes yeah yep yup sure ok okay k y no nope nah fine good great nice perfect cool awesome excellent lovely ' +
  'right correct exactly agreed agree absolutely definitely indeed thanks thank thx ty please pls sorry hi ' +
  'hello hey oh ah hmm well so then now again also and or but just too both all either neither none any each ' +
  'same the a an this that these those it its them they everything something anything nothing me my i you your ' +
  'we us our lets let do does did doing done dont go going ahead on in to for of with as is are was works work ' +
  'working continue continuing proceed keep start begin resume carry next try give shot implement apply accept ' +
  'approve approved confirm confirmed confirmation allow looks look sounds seems lgtm first second third fourth ' +
  'fifth last latter former one ones two three four five six option options number choice step steps item items ' +
  'point points phase part plan suggestion suggested recommended recommendation proposal proposed approach way ' +
  'idea want would like can could will should need im id ill up by there here what had left off where from ' +
  'stopped still yet more time once wait stop cancel ready finish ' +
  // A commit
  'commit commits committed committing push pushed pushing amend squash change changes changed message remote ' +
  'origin main master upstream branch staged unstaged files pr pull request merge create make open new current ' +
  'git force proper descriptive separate ' +
  // German
  'committe commite committen commiten pushe pushen einchecken ja jo jep genau gut super passt danke bitte ' +
  'weiter weitermachen mach mache machen fortfahren fortsetzen fahre fort los leg gerne klar einverstanden ' +
  'stimmt richtig nein nicht und oder aber auch noch nochmal dann jetzt mal das die der den dem es sie ihn ' +
  'alles beide beides alle erste ersten zweite zweiten dritte dritten letzte letzten variante vorschlag nummer ' +
  'schritt nächste nächster nächsten wie besprochen vorgeschlagen setz setze um umsetzen mit zu zum ich möchte ' +
  'nimm nehmen änderungen änderung ' +
  // French
  'commiter committer commitez pousse pousser poussez oui ouais dac daccord accord bien parfait merci non ' +
  'continuer continuez poursuis poursuivez vas va allez fais faites le la les ça ca cela un une et ou mais ' +
  'aussi encore maintenant alors stp svp sil te vous plaît plait tout tous toutes deux premier première ' +
  'deuxième seconde troisième dernier dernière choix numéro étape suivante suivant comme proposé modifications ' +
  'changements je veux de des du ' +
  // Spanish
  'commitea commitear comitea comitear empuja pushea pushear sí si claro vale bueno perfecto gracias sigue ' +
  'continúa continua continuar adelante hazlo haz dale procede por favor el las lo eso esto esa este ambos ' +
  'ambas todo todos todas primero primera segundo segunda tercero tercera último última opción opcion número ' +
  'paso siguiente o pero también ahora otra vez como propuesto cambios quiero'
