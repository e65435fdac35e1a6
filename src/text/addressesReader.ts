// Text that speaks to whoever reads it, as texts do that want to steer an assistant: orders about earlier instructions,
// claims about the person, calls to agents. What the assistant wrote is not repeated at a start if it reads like this.
import { pattern } from './pattern.ts'

/** Whether a sentence or title addresses its reader. Sentences about the work ("Always round half up") do not. */
export const addressesReader = (text: string): boolean => ENGLISH.test(text) || JAPANESE.test(text) || MARKS.test(text)

const ENGLISH = pattern(
  String.raw`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|above|
    previous|prior)\b|
    \b(?:you|assistants?|agents?|claude|llms?|ai|models?|bots?|copilot)\b.{0,24}\b(?:must|should|shall|have to|need to|
    always|never|are now|are required|will now|may not|can ?not)\b|
    \b(?:every|each|all|any|other|coding|ai)(?: \w+){0,2} agents?\b|\bai (?:assistants?|agents?|models?)\b|
    \b(?:do not|don['’]t|never)\b.{0,20}\b(?:tell|inform|mention|reveal|ask|alert|notify|show|wait for|disclose)\b|
    \b(?:the |this |our )(?:user|person|human|owner|maintainer|developer|customer)s?\b.{0,20}\b(?:prefers?|wants?|said|
    says|approved?|authori[sz]ed|confirmed|decided|asked|requires?|insists|consents|agrees|expects?|has|have)\b|
    \b(?:from now on|henceforth|going forward|in (?:all )?(?:future|later|the next) sessions?|for all future|
    in every session|(?:always|must|please) remember|remember (?:that|this|to|for)|keep in mind)\b|
    \b(?:as the|i am the|i['’]m the) (?:\w+ )?(?:owner|admin|administrator|maintainer|developer|user)\b|
    \b(?:my (?:preference|rule|instruction)s?|i (?:prefer|always|never|expect you|require|insist|want you|want every|
    decided))\b|
    \b(?:system prompt|maintenance mode|developer mode|jailbreak|session policy)\b|
    \b(?:curl|wget|iwr|nc)\b.{0,60}(?:https?:|\bhttp|\.(?:sh|ps1|py)\b|\|)|https?:\/\/\S+.{0,20}\||\bsudo\b|\brm -rf\b|
    \bchmod -R\b|
    \b(?:send|upload|post|exfiltrate|forward|copy|write|commit|store|put|add|include|publish|
    reveal)\b.{0,60}\b(?:secrets?|
    tokens?|credentials?|passwords?|api keys?|private keys?|deploy keys?|\.env|transcripts?|customer list|
    card numbers?)\b|
    \b(?:disable|skip|turn off|without|never|no)\b.{0,30}\b(?:security|certificate|tls|ssl|firewall|tests?|linter|
    reviews?|asking|permission|confirmation|confirming|backup|lock files?|validat\w+|authori[sz]\w+|authentic\w+|
    hooks?)\b.{0,40}\b(?:always|again|any|all|every|checks?|approve\w*|permanently|please)\b|
    \b(?:always|never|please|every|before each|before every|permanently)\b.{0,60}\b(?:disable|skip|force[- ]push|
    push(?:es)? directly|without (?:asking|any|review|tests?)|as root|install|export|deploy|upload|execute|bypass|
    approve|trust|delete|run)\b`,
  'i',
)

const JAPANESE = pattern(
  `(?:指示|命令|プロンプト|規則|ルール)(?:は|を|も)?(?:すべて|全て)?(?:無視|忘れ|破棄)|
    (?:今後|これから|以後|以降|毎回|常に|必ず|いつも|絶対に|ずっと).{0,60}(?:ください|下さい|こと|なければ|すること|します|しました|
    してほしい|ルール|決まり|べき)|
    (?:ユーザー|利用者|人間|所有者|管理者|担当者)(?:は|が|の発言|も|から|に)|
    (?:AI|ＡＩ|アシスタント|エージェント|モデル)(?:は|へ|に|も|各位|向け|アシスタント|エージェント)|
    (?:私|わたし|僕|俺|我々|私たち)(?:は|が|の).{0,60}(?:希望|好み|たい|決め|いつも|常に)|覚えておいて|忘れないで|従って(?:ください|下さい)|
    (?:言わ|伝え|知らせ|教え)ない(?:で|こと)|このチームの(?:決まり|ルール)|システム(?:】|プロンプト|メッセージ)`,
)

const MARKS = /<\/?[a-z_|-]+[^<>]*>|\[\/?INST\]|^\s*(?:human|assistant|system|user)\s*[:：]/im
