// The detectors of project facts, one file each. Each finds what one session shows.
import type { FactDetector } from './factSighting.ts'
import { detectPathFacts } from './pathFacts.ts'
import { detectRejectionFacts } from './rejectionFacts.ts'
import { detectRuleFacts } from './ruleFacts.ts'

export const FACT_DETECTORS: readonly FactDetector[] = [detectPathFacts, detectRuleFacts, detectRejectionFacts]
