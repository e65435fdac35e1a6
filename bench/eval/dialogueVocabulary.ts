// The vocabulary of synthetic dialogues in English and Japanese: statements, follow-up questions, and later questions
// about them. A later question shares few words with its answer; its words are in the sentences around the answer.

/** An activity that people talk about. Braces are placeholders. */
export interface Topic {
  readonly things: readonly string[]
  readonly statements: readonly string[]
  readonly whenQuestion: string
  /** Asks for all things of this topic that a person did in a month. */
  readonly whatQuestion: string
  readonly details: readonly Detail[]
}

/** A follow-up question, its answers, and a later question. The answers do not name the thing. */
interface Detail {
  readonly followUp: string
  readonly answers: readonly string[]
  readonly question: string
}

export interface Language {
  readonly names: readonly string[]
  readonly greetings: readonly string[]
  readonly openings: readonly string[]
  readonly times: readonly string[]
  readonly echoes: readonly string[]
  readonly remarks: readonly string[]
  readonly sameHere: readonly string[]
  readonly places: readonly string[]
  readonly friends: readonly string[]
  readonly reasons: readonly string[]
  readonly topics: readonly Topic[]
  monthOf(day: Date): string
}

const list = (text: string): string[] => text.split('|').map((part) => part.trim())

const WHERE = (verb: string): Detail => ({
  followUp: `Nice! Where did you ${verb} the {thing}?`,
  answers: list(
    'At a small place near {place}, {friend} told me about it. | In {place}, just before the rain came down. | ' +
      'Over in {place}; it took me {count} minutes to get there.',
  ),
  question: `Where did {name} ${verb} the {thing}?`,
})
const WHO = (verb: string): Detail => ({
  followUp: 'Did you do it all by yourself?',
  answers: list(
    'No, {friend} came along and did the hard part. | {friend} helped me from start to end, thankfully. | ' +
      'Not quite, my neighbour {friend} joined in after lunch.',
  ),
  question: `Who helped {name} ${verb} the {thing}?`,
})
const WHY = (verb: string): Detail => ({
  followUp: 'What made you do that?',
  answers: list(
    'Mostly because {reason}. | Honestly, I wanted to since {reason}. | Well, {reason}, so that was the push I needed.',
  ),
  question: `Why did {name} ${verb} the {thing}?`,
})
const MANY = (unit: string): Detail => ({
  followUp: `How many ${unit} was that in the end?`,
  answers: list(
    'It came to {count} altogether, more than I had planned. | About {count}, if I counted right. | ' +
      '{count} exactly, {friend} kept the list.',
  ),
  question: `How many ${unit} did {name} need for the {thing}?`,
})
type TopicWords = Readonly<Record<'things' | 'past' | 'verb' | 'what' | 'unit', string>>
const topic = ({ things, past, verb, what, unit }: TopicWords): Topic => ({
  things: list(things),
  statements: list(
    `{lead} I ${past} the {thing} {when}, and it turned out better than I had hoped. | ` +
      `{lead} {when} I ${past} the {thing}. | ` +
      `Guess what, I ${past} the {thing} {when}! I had been putting it off for ages. | ` +
      `{lead} the {thing} is done, I ${past} it {when}.`,
  ),
  whenQuestion: `When did {name} ${verb} the {thing}?`,
  whatQuestion: `${what} did {name} ${verb} in {date}?`,
  details: [WHERE(verb), WHO(verb), WHY(verb), MANY(unit)],
})

export const ENGLISH: Language = {
  names: list('Ruth | Hector | Ingrid | Paolo | Yusuf | Margit | Dwayne | Selma | Tobias | Noor | Fiona | Gregor'),
  greetings: list(
    'Hey! Long time no see, how are you? | Hi there, good to hear from you! | ' +
      'Hello! All well here, and with you? | Good evening! Busy week, but I am fine.',
  ),
  openings: list('So, | Oh, and | By the way, | You will like this: | News from me: | Well,'),
  times: list(
    'yesterday | last Friday | two weeks ago | last weekend | on Tuesday | this morning | ' +
      'the day before yesterday | a month ago | last night',
  ),
  echoes: list(
    'A {thing}! Wow, that is great! | The {thing}? Really cool. | I love that {thing}! | Wait, the {thing}, seriously?',
  ),
  remarks: list(
    'That sounds wonderful, well done! | I really should do something like that too. | Good for you! | Ha, ' +
      'I can imagine. | It felt great afterwards. | Let me know how it goes on. | We should do that together some day.',
  ),
  sameHere: list(
    'My {friend} has a {thing} as well, from {place}. | I was looking at a {thing} myself, but {reason}. | ' +
      'Funny, {friend} keeps talking about the {thing}. | I had a {thing} once, years ago in {place}.',
  ),
  places: list(
    'Bergen | Lisbon | Maple Street | the Harbour Mall | Lake Orta | Cedar Hill | Granada | the Old Mill | ' +
      'Ashford | Kyoto',
  ),
  friends: list('Amara | Bjorn | Carmen | Dimitri | Elsa | Farid | Gwen | Hugo | Ilse | Jamal'),
  reasons: list(
    'the old one had fallen apart | my doctor kept telling me to move more | the children begged for it | ' +
      'I needed a break from work | it was cheaper than I thought | I promised it to my sister | winter is coming',
  ),
  topics: [
    topic({
      things: 'kayak | tandem bike | camping tent | hammock | telescope | sewing machine | typewriter',
      past: 'bought',
      verb: 'buy',
      what: 'What',
      unit: 'payments',
    }),
    topic({
      things: 'garden fence | attic stairs | kitchen shelves | boat engine | garage door | rain gutter',
      past: 'repaired',
      verb: 'repair',
      what: 'What',
      unit: 'screws',
    }),
    topic({
      things: 'lemon cake | lamb stew | mushroom soup | rye bread | apple jam | pasta salad',
      past: 'cooked',
      verb: 'cook',
      what: 'Which dish',
      unit: 'eggs',
    }),
    topic({
      things: 'mountain trail | river walk | coastal path | canyon route | forest loop',
      past: 'hiked',
      verb: 'hike',
      what: 'Which path',
      unit: 'hours',
    }),
    topic({
      things: 'harbour painting | portrait of my aunt | clay vase | wool scarf | wooden owl',
      past: 'made',
      verb: 'make',
      what: 'What',
      unit: 'evenings',
    }),
    topic({
      things: 'history of salt | detective trilogy | poems about rivers | book on bees | pirate novel',
      past: 'read',
      verb: 'read',
      what: 'Which book',
      unit: 'chapters',
    }),
    topic({
      things: 'marathon | chess tournament | pottery course | first-aid class | sailing exam',
      past: 'finished',
      verb: 'finish',
      what: 'What',
      unit: 'attempts',
    }),
    topic({
      things: 'jazz concert | puppet theatre | science fair | flower market | street festival',
      past: 'visited',
      verb: 'visit',
      what: 'Which event',
      unit: 'tickets',
    }),
    topic({
      things: 'login page | billing service | search index | image cache | nightly build',
      past: 'rewrote',
      verb: 'rewrite',
      what: 'What',
      unit: 'commits',
    }),
    topic({
      things: 'payment bug | memory leak | broken migration | flaky test | slow query',
      past: 'fixed',
      verb: 'fix',
      what: 'Which problem',
      unit: 'tries',
    }),
  ],
  monthOf: (day) => day.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

const aboutJa = (things: string, past: string, what: string, unit: string): Topic => ({
  things: list(things),
  statements: list(
    `{lead}{when}、{thing}を${past}。思っていたよりずっとよかったです。 | {lead}{when}ついに{thing}を${past}よ。 | {thing}なんですが、{when}${past}。`,
  ),
  whenQuestion: `{name}さんが{thing}を${past}のはいつですか？`,
  whatQuestion: `{name}さんは{date}に${what}を${past}か？`,
  details: [
    {
      followUp: 'へえ、どこでですか？',
      answers: list('{place}の近くの小さな店です。 | {place}です。{friend}さんに教わりました。'),
      question: `{name}さんはどこで{thing}を${past}か？`,
    },
    {
      followUp: '一人でですか？',
      answers: list('いえ、{friend}さんが手伝ってくれました。 | {friend}さんと一緒でした。'),
      question: `{name}さんは誰と{thing}を${past}か？`,
    },
    {
      followUp: 'どうしてまた？',
      answers: list('{reason}からです。 | 実は{reason}ので。'),
      question: `{name}さんはなぜ{thing}を${past}か？`,
    },
    {
      followUp: `${unit}はどのくらいかかりましたか？`,
      answers: list('全部で{count}でした。 | だいたい{count}くらいです。'),
      question: `{name}さんの{thing}に${unit}はどのくらいかかりましたか？`,
    },
  ],
})

export const JAPANESE: Language = {
  names: list('佐伯 | 宮下 | 大森 | 柏木 | 三浦 | 長谷川 | 北村 | 野口'),
  greetings: list(
    'こんばんは、お久しぶりです。 | お元気でしたか？ | こんにちは、忙しい週でした。 | どうも、変わりないですよ。',
  ),
  openings: list('そういえば、 | 実は、 | 聞いてください、 | あのですね、'),
  times: list('昨日 | 先週の金曜日 | 二週間前に | 先週末 | 火曜日に | 今朝 | 一昨日 | 先月'),
  echoes: list('{thing}ですか、すごい！ | え、あの{thing}を？ | {thing}はいいですよね。'),
  remarks: list(
    'それは素敵ですね。 | 私もやってみたいです。 | よかったですね！ | なるほど、そうでしたか。 | また聞かせてください。',
  ),
  sameHere: list(
    'うちの{friend}さんも{thing}が好きですよ。 | 私も{thing}を考えましたが、{reason}のでやめました。 | {thing}なら昔{place}で見たことがあります。',
  ),
  places: list('渋谷 | 鎌倉 | 仙台駅前 | 琵琶湖 | 札幌 | 神戸の港 | 松本城 | 高松'),
  friends: list('沢田 | 桜井 | 滝本 | 石黒 | 原口 | 杉山'),
  reasons: list('古いのが壊れた | 医者に勧められた | 子供にせがまれた | 思ったより安かった | 気分を変えたかった'),
  topics: [
    aboutJa('折りたたみ自転車 | 望遠鏡 | 電気毛布 | 登山靴 | 炊飯器', '買いました', '何', '費用'),
    aboutJa('味噌煮込み | りんごの焼き菓子 | 野菜カレー | 手打ちそば', '作りました', '何', '時間'),
    aboutJa('庭の柵 | 台所の棚 | 雨どい | 納屋の屋根', '直しました', 'どこ', '時間'),
    aboutJa('推理小説 | 歴史の本 | 詩集 | 宇宙の図鑑', '読みました', '何', '日数'),
    aboutJa('決済の不具合 | 検索の索引 | 夜間の処理 | 認証の画面', '直しました', '何', '回数'),
  ],
  monthOf: (day) => `${day.getUTCFullYear()}年${day.getUTCMonth() + 1}月`,
}

export type TemplateValues = Readonly<Record<string, string>>

/** Replaces placeholders such as `{thing}` by their values. A placeholder without a value stays. */
export const fillTemplate = (text: string, values: TemplateValues): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
