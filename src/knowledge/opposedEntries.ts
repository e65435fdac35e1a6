// Whether an entry that nobody said advises the opposite of what a person said. Their words count: it is not kept.
import { isCurrent, isOfPerson, type Knowledge } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { keepByText } from '../text/pattern.ts'
import { contradicts, isNegative } from './compareRules.ts'
import { triggersOfRule } from './ruleTriggers.ts'
import { isAboutFailures } from './updateRecords.ts'
import { callOccasion, matchTrigger } from './when.ts'

type Compared = Pick<Knowledge, 'line' | 'when'>

/** Whether a model or a rule wrote the entry, and it says the opposite of this rule, or to run what it forbids. */
export function isOpposed({ author, line }: Pick<Knowledge, 'author' | 'line'>, rule: Compared): boolean {
  if (author !== 'model' && author !== 'rule') return false
  if (contradicts(rule, { line, when: triggersOfLine(line) })) return true
  const command = ADVISED_COMMAND.exec(line)?.[1]
  if (command === undefined || !isNegative(rule.line)) return false
  const call = callOccasion({ tool: 'Bash', input: { command } })
  // With a good call beside it the way is right and only the tool is wrong: the rule itself comes before that call.
  return rule.when.some((trigger) => !trigger.unless?.length && matchTrigger(trigger, call) === 'fires')
}

const triggersOfLine = /* @__PURE__ */ keepByText(triggersOfRule)

/** The command that a line says to run. */
const ADVISED_COMMAND = /^(?:always |first |please )?(?:run|use|call|execute) `([^`]+)`/i

/** The same against everything that a person wants in the whole project. */
export const isOpposedByPerson = (entry: Knowledge, memories: Iterable<Memory>): boolean =>
  [...memories].some(
    ({ knowledge, status, privacy }) =>
      knowledge !== undefined &&
      status === 'active' &&
      privacy === 'public' &&
      knowledge.author === 'person' &&
      isCurrent(knowledge) &&
      isOfPerson(knowledge) &&
      !isAboutFailures(knowledge) &&
      (knowledge.scope === 'project' || knowledge.scope === 'person') &&
      isOpposed(entry, knowledge),
  )
