// Irregular English forms and their base form: Porter's rules know only regular ones. A query says "when did she go", a
// memory says "went".

// Searched as text: building a table in a new process would take longer than the few lookups.
const FORMS =
  ' ' +
  'went:go gone:go bought:buy made:make got:get gotten:get took:take taken:take said:say saw:see seen:see ' +
  'gave:give given:give came:come found:find told:tell thought:think knew:know known:know felt:feel left:leave ' +
  'met:meet brought:bring began:begin begun:begin kept:keep held:hold wrote:write written:write ran:run sat:sit ' +
  'stood:stand lost:lose paid:pay sent:send built:build rebuilt:rebuild fell:fall fallen:fall spent:spend ' +
  'grew:grow grown:grow won:win taught:teach caught:catch spoke:speak spoken:speak drew:draw drawn:draw ' +
  'chose:choose chosen:choose drove:drive driven:drive broke:break broken:break ate:eat eaten:eat drank:drink ' +
  'drunk:drink sang:sing sung:sing swam:swim swum:swim slept:sleep wore:wear worn:wear rode:ride ridden:ride ' +
  'flew:fly flown:fly sold:sell heard:hear threw:throw thrown:throw understood:understand ' +
  'misunderstood:misunderstand forgot:forget forgotten:forget hid:hide hidden:hide woke:wake woken:wake ' +
  'became:become shown:show led:lead meant:mean dealt:deal fought:fight hung:hang laid:lay lit:light stole:steal ' +
  'stolen:steal struck:strike stuck:stick swept:sweep tore:tear torn:tear bitten:bite blew:blow blown:blow dug:dig ' +
  'froze:freeze frozen:freeze rose:rise risen:rise shook:shake shaken:shake shot:shoot sought:seek ' +
  'overcame:overcome overrode:override overridden:override overwrote:overwrite overwritten:overwrite ' +
  'rewrote:rewrite rewritten:rewrite undid:undo undone:undo redid:redo redone:redo withdrew:withdraw ' +
  'withdrawn:withdraw bent:bend bred:breed crept:creep dreamt:dream fed:feed fled:flee forgave:forgive ' +
  'forgiven:forgive leapt:leap learnt:learn lent:lend proven:prove rang:ring rung:ring sank:sink sunk:sink ' +
  'shone:shine slid:slide spun:spin sprang:spring sprung:spring swore:swear sworn:swear swung:swing wept:weep ' +
  'wrung:wring children:child kids:child kid:child men:man women:woman feet:foot teeth:tooth mice:mouse lives:life ' +
  'wives:wife knives:knife halves:half shelves:shelf leaves:leaf wolves:wolf indices:index indexes:index ' +
  'vertices:vertex matrices:matrix criteria:criterion analyses:analysis hypotheses:hypothesis '

/** The base form of a lower-case word; the word itself if it is regular. */
export function lookUpBaseForm(word: string): string {
  const at = FORMS.indexOf(` ${word}:`)
  if (at === -1) return word
  const from = at + word.length + 2
  return FORMS.slice(from, FORMS.indexOf(' ', from))
}
