// What the person has done in `memctl top`: the selected line, the filter, the page. Keys change it, nothing else.
import type { ActivityItem } from '../../broker/queries/liveActivity.ts'

export interface TopState {
  readonly page: 'list' | 'memory' | 'help'
  readonly selected: number
  /** Lines that the memory is scrolled by. */
  readonly scrolled: number
  readonly filter: string
  /** The filter is being typed. */
  readonly isTyping: boolean
  readonly isPaused: boolean
  readonly isDone: boolean
}

export const TOP_START: TopState = {
  page: 'list',
  selected: 0,
  scrolled: 0,
  filter: '',
  isTyping: false,
  isPaused: false,
  isDone: false,
}

/** The items that the filter keeps. */
export function filterItems(items: readonly ActivityItem[], filter: string): readonly ActivityItem[] {
  const wanted = filter.toLowerCase()
  if (wanted === '') return items
  return items.filter(({ title, cue, session, memory }) =>
    [title, cue, session, memory].some((text) => text.toLowerCase().includes(wanted)),
  )
}

const KEYS: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001bOA': 'up',
  '\u001bOB': 'down',
  '\u001b[5~': 'pageUp',
  '\u001b[6~': 'pageDown',
  k: 'up',
  j: 'down',
  '\r': 'enter',
  '\n': 'enter',
  '\u001b': 'back',
  '\u007f': 'erase',
  '\b': 'erase',
  '\u0003': 'quit',
  q: 'quit',
  p: 'pause',
  ' ': 'pause',
  '/': 'filter',
  '?': 'help',
}

/** Lines of a page key. */
const PAGE = 10

/** What arrives at once on a terminal, as keys. */
export const splitKeys = (input: string): readonly string[] => input.match(KEY) ?? []
const KEY = /\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|[\s\S]/gu

/** The state after one key. `count` is the number of items that the filter keeps. */
export function pressKey(state: TopState, key: string, count: number): TopState {
  const name = KEYS[key]
  if (key === '\u0003') return { ...state, isDone: true }
  if (state.isTyping) return typeFilter(state, key, name)
  if (state.page !== 'list') return readPage(state, name)
  const move = (by: number): TopState => ({
    ...state,
    selected: Math.max(0, Math.min(count - 1, state.selected + by)),
  })
  switch (name) {
    case 'quit':
      return { ...state, isDone: true }
    case 'up':
      return move(-1)
    case 'down':
      return move(1)
    case 'pageUp':
      return move(-PAGE)
    case 'pageDown':
      return move(PAGE)
    case 'pause':
      return { ...state, isPaused: !state.isPaused }
    case 'filter':
      return { ...state, isTyping: true }
    case 'help':
      return { ...state, page: 'help' }
    case 'back':
      return { ...state, filter: '', selected: 0 }
    case 'enter':
      return count > 0 ? { ...state, page: 'memory', scrolled: 0 } : state
    default:
      return state
  }
}

function typeFilter(state: TopState, key: string, name: string | undefined): TopState {
  if (name === 'enter') return { ...state, isTyping: false }
  if (name === 'back') return { ...state, isTyping: false, filter: '', selected: 0 }
  if (name === 'erase') return { ...state, filter: [...state.filter].slice(0, -1).join(''), selected: 0 }
  // Arrows and other control keys write nothing.
  return key < ' ' ? state : { ...state, filter: state.filter + key, selected: 0 }
}

function readPage(state: TopState, name: string | undefined): TopState {
  if (name === 'up' || name === 'pageUp')
    return { ...state, scrolled: Math.max(0, state.scrolled - (name === 'up' ? 1 : PAGE)) }
  if (name === 'down' || name === 'pageDown')
    return { ...state, scrolled: state.scrolled + (name === 'down' ? 1 : PAGE) }
  return name === 'pause' || name === undefined ? state : { ...state, page: 'list' }
}
