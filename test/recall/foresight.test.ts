// Foresight: a call nobody has reason to doubt is not warned about; what failed before is told with its like first.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHIPPED } from '../../src/broker/policy/served.ts'
import { type CallBook, NO_CALLS } from '../../src/model/callBook.ts'
import { bookAfter } from '../../src/organize/callBook.ts'
import { type CallAhead, foresee, type SoFar } from '../../src/recall/foresight.ts'
import { BEGIN, DAY, eventsOf, tale } from '../build.ts'

const AT = SHIPPED.recall.warnAt

const NOTHING_YET: SoFar = { lastFailed: false, isMentioned: false }

const reading = (file: string): CallAhead => ({
  ...{ tool: 'Read', command: '', family: '', shape: '', isCheck: false, file, names: true, words: [] },
})
const running = (command: string, shape = command): CallAhead => ({
  ...{ tool: 'Bash', command, family: shape, shape, isCheck: true, names: false, words: command.split(' ') },
})

const shop: CallBook = bookAfter(
  bookAfter(
    NO_CALLS,
    eventsOf(
      tale('one')
        .asks('Mend the totals.')
        .runs('npm test', 'src/total.js:3 1 failing')
        .fails('npm run lint', 'Error: no-undef').recorded,
    ),
  ),
  eventsOf(
    tale('two', BEGIN + DAY)
      .asks('Again.')
      .fails('npm run lint', 'Error: no-undef').recorded,
  ),
)

test('recall: a file that nobody ever saw is doubted more than one that was seen or named', () => {
  const warnOf = (file: string, soFar = NOTHING_YET) => foresee(shop, reading(file), soFar, AT, BEGIN).warn
  expect(warnOf('src/nowhere.js')).toBeGreaterThan(0.5)
  expect(warnOf('src/total.js')).toBeLessThan(0.5)
  expect(warnOf('src/nowhere.js', { ...NOTHING_YET, isMentioned: true })).toBeLessThan(warnOf('src/nowhere.js'))
})

test('recall: of earlier failures those of the same command come first', () => {
  const { failures } = foresee(shop, running('npm run lint'), NOTHING_YET, AT, BEGIN + 2 * DAY)
  expect(failures.map(({ failure }) => failure.session)).toEqual(['two', 'one'])
  expect(foresee(shop, reading('src/total.js'), NOTHING_YET, AT, BEGIN).failures).toEqual([])
})

test('recall: a warning is a share, and a command that fails more is never doubted less', () => {
  fc.assert(
    fc.property(fc.nat({ max: 30 }), fc.nat({ max: 30 }), fc.boolean(), (passed, failed, lastFailed) => {
      const book = (failures: number): CallBook => {
        const count = [passed + failures, failures] as const
        return { ...NO_CALLS, rates: { 'F:npm test': count, 'B:npm test': count, 'X:npm test': count } }
      }
      const soFar = { ...NOTHING_YET, lastFailed }
      const less = foresee(book(failed), running('npm test'), soFar, AT, BEGIN).warn
      const more = foresee(book(failed + 1), running('npm test'), soFar, AT, BEGIN).warn
      expect(less).toBeGreaterThanOrEqual(0)
      expect(more).toBeLessThanOrEqual(1)
      expect(more).toBeGreaterThanOrEqual(less)
    }),
  )
})
