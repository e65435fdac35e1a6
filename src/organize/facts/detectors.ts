// The detectors of project facts, one file each. Each finds what one session shows.
import { detectUsageFacts } from './commandFacts.ts'
import type { FactDetector } from './factSighting.ts'
import { detectIgnoredFacts } from './ignoredFacts.ts'
import { detectIndentationFacts } from './indentationFacts.ts'
import { detectLayoutFacts } from './layoutFacts.ts'
import { detectOrderFacts } from './orderFacts.ts'
import { detectPathFacts } from './pathFacts.ts'
import { detectRejectionFacts } from './rejectionFacts.ts'
import { detectRoutineFacts } from './routineFacts.ts'
import { detectRuleFacts } from './ruleFacts.ts'
import { detectStatusFacts } from './statusFacts.ts'
import { detectToolFacts } from './toolFacts.ts'

export const FACT_DETECTORS: readonly FactDetector[] = [
  detectPathFacts,
  detectUsageFacts,
  detectStatusFacts,
  detectIgnoredFacts,
  detectToolFacts,
  detectIndentationFacts,
  detectOrderFacts,
  detectRuleFacts,
  detectRejectionFacts,
  detectRoutineFacts,
  detectLayoutFacts,
]
