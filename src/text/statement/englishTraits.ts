// Traits in English.
import { pattern } from '../pattern.ts'
import type { TraitPatterns } from './traits.ts'

/** Verbs that start one piece of work, at the beginning of a sentence. "use", "keep" and "prefer" state rules. */
const TASK_VERBS =
  'fix|add|create|write(?! (?:the )?tests? first)|run|re-?run|check|look|show|explain|' +
  'commit(?! messages?)|push|pull|update|implement|review|help|continue|try|re-?try|find|make|' +
  'generate|do|change|move|rename|remove|delete|revert|undo|merge|rebase|open|read|search|list|print|' +
  'tell|give|go|start|stop|test|verify|investigate|debug|refactor|clean|extract|split|build|deploy|' +
  'install|set|put|analy[sz]e|compare|summari[sz]e|describe|draft|plan|finish|proceed|apply|address|' +
  'resolve|reply|close|copy|download|configure|convert|double[- ]check|figure|improve|integrate|' +
  'rewrite|replace|research|examine|ensure|validate|see'

const TASK_OPENINGS =
  'please|ok|okay|yes|now|and|then|also|so|maybe|great|thanks|alright|cool|sure|first|next|just|yep|' +
  "can you|could you|let's|lets|i want you to|i need you to|go ahead and|you can|we should|now let's|" +
  "ok let's"

export const ENGLISH_TRAITS: TraitPatterns = {
  duty: pattern(
    String.raw`\b(?:should(?:n't)?|must(?:n't)?|ought to|needs?(?:ed)? to|(?:have|has|had) to|got to|supposed to|
      required|requires?|make sure|ensure|be sure to|expected? to|mandatory|has got to)\b`,
  ),
  ban: pattern(
    String.raw`\b(?:do not|don't|dont|never|no need|let's not|lets not|must not|mustn't|should not|shouldn't|avoid|
      stop \w+ing|not allowed|no more|forbidden|can't (?:use|commit|push|have)|refrain|without (?:asking|
      my)|not worth|rather not|won't|wouldn't)\b`,
  ),
  always: pattern(
    String.raw`\b(?:always|never|every(?: ?time|where|thing)?|each|all|any(?:where|time)?|from now on|
      going forward|in (?:the )?future|generally|in general|in principle|wherever|whenever|by default|
      regardless|independent(?:ly)? of|whole|entire(?:ly)?|completely|explicit(?:ly)?|consistent(?:ly)?|
      strict(?:ly)?|no matter)\b`,
  ),
  wish: pattern(
    String.raw`\b(?:i(?:'d| would)? (?:do |also |really |still )*(?:want|like|prefer|love|rather|expect|hope|need|
      prefere)|i'd|i would|would (?:be|make|feel) (?:better|nice|great|good|best|cleaner|nicer|easier|
      more|ideal)|prefer(?:red|ably)?|ideally|we want|better (?:to|if)|it(?:'s| is) (?:better|best|
      important|ok|fine|nice|good) (?:to|if|that)|more important)\b`,
  ),
  proposal: pattern(
    String.raw`\b(?:let's|lets|let us|how about|what about|what if|(?:could|can|shall|may) we|we (?:could|can|
      might)|maybe we|why (?:not|don't we)|i suggest|i propose|i'd go|i would go)\b`,
  ),
  denial: pattern(
    String.raw`^(?:no|nope|nah|wrong|not|wait|hmm+|hm|stop|nono|actually|sorry)\b|\b(?:not (?:correct|right|true|
      what|the (?:right|case|point|same))|isn't (?:correct|right|true|what)|aren't right|incorrect|wrong|
      mistaken|misunder\w+|you (?:missed|forgot|ignored|misread|are not|aren't|didn't)|i (?:said|meant|
      did not (?:say|ask)|didn't (?:say|ask|mean|want))|makes? (?:no|little) sense|(?:doesn't|does not|
      don't|do not|didn't) (?:really )?(?:make sense|work|help|exist|apply|need|matter|have)|no (?:real|
      such|longer)|not (?:really|needed|necessary|useful|helpful|enough|ideal|great|good|worth|possible|
      feasible|expected|supposed|relevant))\b`,
  ),
  contrast: pattern(
    String.raw`\b(?:but|however|though|although|whereas|instead|rather|except|unless|otherwise|while|yet|still|
      even (?:if|though|when)|, not|and not|not just|despite)\b|, not `,
  ),
  reason: pattern(
    String.raw`\b(?:because|'?cause|since|as (?:we|it|they|i|this|that|the)|so that|that's why|this is why|due to|
      otherwise|therefore|hence|given (?:that|we|the)?|the reason|which means|that means|means that|
      so (?:we|it|the|there|that|they|i|this|users?)|in order to|in case)\b`,
  ),
  definition: pattern(
    String.raw`\b(?:(?:is|are)(?:n't| not)? (?:an?|the|only|just|always|never|already|part|both|either|in|on|at|
      not|independent|specific|bound|based|called|named|stored|used|supposed|meant|more|also|still|too|
      really|actually|expected|going|for)\b|means|consists? of|belongs?|depends? on|relies on|refers? to|
      represents?|contains?|includes?|supports?|keeps?|receives?|comes? from|there(?:'s| is| are)|
      has (?:an?|no|its|the)|have (?:an?|no|their|the|one|two|multiple)|tracks?|points? to|lives? in|
      goes? (?:in|on|to)|equals?|source of truth)`,
  ),
  condition: pattern(
    String.raw`\b(?:if|when(?:ever)?|once|as (?:soon|long) as|in case|until|unless|after|before|while|during|
      on (?:every|each)|for (?:every|each|all|any|the)|only (?:if|when))\b`,
  ),
  opinion: pattern(
    String.raw`\b(?:i(?:'m| am)? (?:think|guess|believe|feel|assume|assuming|suppose|doubt|agree|disagree|
      pretty sure|sure|challenging|imagine|suspect)|i (?:still|also|just) (?:think|feel|believe|guess)|
      imo|imho|in my (?:opinion|view|mind)|seems?|sounds?|feels?|my (?:point|thinking|view|take)|probably|
      likely|in theory|my (?:preference|concern|worry))\b`,
  ),
  aim: pattern(
    String.raw`\b(?:the (?:idea|goal|point|intent(?:ion)?|aim|purpose|plan|directive|overriding|whole point|
      assumption|rule|convention|requirement)\b|so that|in order to|the way (?:to|we|it)|we(?:'re|
      [ ]are) trying|meant to|intended|on purpose|designed to|allows? us|this (?:way|allows))`,
  ),
  request: pattern(
    String.raw`\b(?:can|could|would|will) (?:you|u|we|i)\b|\bplease\b|\bpls\b|\bplz\b|\bi (?:want|need|would like|
      'd like) you to\b|\bi'd like you\b|\bhelp me\b|\b(?:take|have) a (?:closer )?look\b|\blet me know\b`,
  ),
  asking: pattern(
    String.raw`(?<!\b(?:right|no|yeah|or|correct|hey|huh|ok|okay)\s*)[?？]\s*["')]*$|^(?:so |and |but |ok |also |
      hmm |now )*(?:what|why|how|where|when|which|who|is|are|does|do|did|can|could|would|should|will|was|
      were|has|have|any|isn't|doesn't|don't you|didn't|aren't)\b[^.]*[?？]|\bi(?:'m| am)? (?:wonder|
      wondering|curious)\b|do you (?:know|think)|what do you think`,
  ),
  report: pattern(
    String.raw`\b(?:i (?:just |now |still |also )*(?:got|get|see|saw|tried|ran|run|noticed|found|checked|did|made|
      have|had|merged|restarted|messed|used|pushed|committed|installed|added|looked|removed|fixed|changed|
      put|can see|can't see|don't see|lost|am having|(?:would have )?expected)|we (?:just |now )*(?:got|
      saw|tried|ran|used|noticed|had)|fail(?:s|ed|ing|ure)?|(?:the|an?|this|same|following|these|those|
      some|more|\d+) errors?|crash\w*|exceptions?|broken?|breaks|stack ?trace|it (?:says|shows|said|still|
      now|just|didn't|doesn't|failed|worked)|(?:doesn't|does not|didn't|not|isn't|aren't) (?:seem to |
      really |even )?(?:work|show|run|build|compile|pass|appear|happen|render|display|check)\w*|
      got (?:the|this|an?)|happen(?:s|ed|ing)|i'm (?:getting|seeing|having)|bug|missing|seems? to be|
      looks? like|the (?:issue|problem) (?:is|here|now)|having (?:problems|issues|trouble)|same (?:error|
      issue|problem|thing)|again$)\b`,
  ),
  task: new RegExp(`^(?:(?:${TASK_OPENINGS})[,.!]* )*(?:${TASK_VERBS})\\b`),
  consent: pattern(
    String.raw`^(?:yes|yeah|yep|yup|ok|okay|sure|agreed?|correct|right|exactly|perfect|great|nice|good|cool|lgtm|
      thanks|thank you|looks good|sounds good|fair|alright|i agree|makes sense|ah|oh|true)\b`,
  ),
  vague: /^(?:(?:and|but|so|no|yes|ok|then|also|hmm|well|now)[, ]+)*(?:it|this|that|these|those|they|there)\b/,
  onceOnly: pattern(
    String.raw`\b(?:just (?:tell|let|show|explain|answer|list|print|give|look|check|the first)|change anything|
      do anything|anything (?:yet|else)|let me know|yet|first|before we (?:start|continue|go)|
      all the (?:steps|changes|files|findings)|we (?:made|did|changed|discussed)|you (?:just|did|made|
      changed|created)|here|this (?:file|line|function|test|pr|commit|change|part|branch|one)|
      that (?:file|line|function|test|pr|commit|change|part|branch|one)|the (?:last|previous|next|other|
      same|first|second|following|above|below) \w+)\b`,
  ),
  general: pattern(
    String.raw`^(?:(?:no|but|and|so|also|btw|yes|please)[, ]+)*(?:(?:all|every|each|any|only|our|most|the|we only|
      we) )?(?:[a-z-]+ ){0,2}[a-z-]+s (?:should|must|need|are (?:always|never|only)|have to|may only|
      can only|do not|don't)\b`,
  ),
  interim: pattern(
    String.raw`\b(?:for now|right now|at the moment|temporar\w+|this time|later|for this (?:pr|branch|change|task|
      one|session)|today|tomorrow|first cut|to start with|as a start|next step|longer term|long term|
      eventually|current(?:ly)?|in a separate|follow[- ]?up|out of scope|future)\b`,
  ),
  keep: pattern(
    String.raw`\b(?:remember(?: that| to|:|,)|keep in mind|bear in mind|have in mind|note(?:: | that)|don't forget|
      make a note|for (?:future )?reference|fyi|for your information|important:|as a rule|rule of thumb|
      be aware)`,
  ),
  forget: pattern(
    String.raw`\b(?:forget (?:about )?(?:what i (?:said|wrote|asked)|the (?:rule|thing|preference)|that rule|
      my (?:rule|preference))|ignore (?:what i said|my (?:earlier|previous))|disregard|scratch that|
      no longer (?:true|applies|valid))`,
  ),
  onlyOne: /\b(?:only|just|solely|exclusively|exactly|at most|at least|single|one)\b/,
  standard: pattern(
    String.raw`\b(?:defaults?|convention\w*|standards?|polic(?:y|ies)|guidelines?|best practices?|style|naming|
      source of truth|backwards?[- ]compat\w*|consisten\w+|intentional\w*|explicit\w*|strategy|approach|
      pattern|principles?|workflow|rules?)\b`,
  ),
  we: /\b(?:we|we're|we've|we'll|we'd|our|us|ours)\b/,
  me: /\b(?:i|i'm|i've|i'd|i'll|my|me|mine)\b/,
  you: /\b(?:you|your|you're|you've|yours)\b/,
  others: pattern(
    String.raw`\b(?:users?|someone|somebody|people|anyone|everyone|everybody|nobody|they|their|them|customers?|
      developers?|agents?|humans?|one)\b`,
  ),
  past: pattern(
    String.raw`\b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|(?<!\b(?:is|are|be|been|being|always|never|not|
      gets?|must) )\b\w{3,}ed|said|got|went|ran|saw|made|found|broke|came)\b`,
  ),
  negated: pattern(
    String.raw`\b(?:not|no|never|none|nothing|without|\w+n't|dont|doesnt|cannot|cant|wont|isnt|arent|didnt|nor|
      neither|nowhere)\b`,
  ),
  doubt: pattern(
    String.raw`\b(?:i(?:'m| am)? wonder\w*|maybe|perhaps|might|not sure|unsure|i guess|could be|possibly|or (?:is|
      are|do|does|should|not|something)|i don't know|dunno|thoughts)\b`,
  ),
  able: /\b(?:can|could|can't|cannot|couldn't|able to|possible|impossible|may)\b/,
  why: /\b(?:why|how come|what's the (?:point|reason|purpose)|what is the (?:point|reason)|what usefulness)\b/,
  known: pattern(
    String.raw`\b(?:already|any ?more|anyways?|no longer|obsolete|as (?:usual|mentioned|said)|usually|often|
      sometimes|typically|normally|most(?:ly)?|of course|actually|in fact|obviously|clearly|definitely|
      again|especially|even)\b`,
  ),
  choice: pattern(
    String.raw`^(?:(?:ok|yes|hmm|so|and),? )*(?:\(?#?[1-9a-d][).:,]?(?:\s|$)|option|go with|both|the (?:first|
      second|third|former|latter)|let's (?:go|do|try|use|keep|take|stick))|\b(?:i'd go|i would go|
      go(?:ing)? (?:with|for)|option (?:\d|[a-d])\b|stick (?:with|to)|decided?|we'll (?:use|go))\b`,
  ),
  replacing: pattern(
    String.raw`\b(?:instead(?: of)?|rather than|replaces?|replaced|in favou?r of|rename|renamed|no need (?:to|for)|
      not \w+ but|should be (?:called|named)|call(?:ed)? it|switch to|move to|over the|remove|drop|
      get rid of|skip)\b`,
  ),
  tag: /\b(?:right|no|yeah|or|correct|hey|huh|ok|okay|agreed?)\s*\?\s*["')]*$/,
  rhetorical: pattern(
    String.raw`^(?:(?:but|so|and|hmm+|ok|well|also|again)[, ]+)*(?:(?:why|how come|what)\b.*\b(?:not|\w+n't)\b|
      (?:isn|aren|doesn|don|didn|can|couldn|shouldn|wouldn|won|wasn|haven|hasn)'t\b|is the \w+ not\b|
      wouldn't it\b|why (?:do|are|would|should) (?:we|you|i)\b|what(?:'s| is) the (?:point|value|use)\b)`,
  ),
  rule: pattern(
    String.raw`^(?:(?:please|also|and|but|so|no|yes|ok|then|in general|generally|again|now|nah|wait|actually|btw|
      by the way)[,.!:]* )*(?:always(?! the| fails?| returns?| gets?)|never(?! mind| \w+ed\b)|do not|
      don't|dont|prefer|avoid|use|keep|stick|no (?!i\b|we\b|it\b|that|this|need|problem|worries)\w+|
      stop \w+ing|must|should|only|make sure|ensure|be sure|from now on|going forward|default to|leave|
      treat|follow|respect|reuse|assume|whenever|every ?time|remember|if (?:you|we|a|an|the|there)|
      when(?:ever)? (?:you|we|a|an|the|there|\w+ing))\b`,
  ),
}
