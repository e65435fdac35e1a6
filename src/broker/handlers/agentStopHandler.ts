// SubagentStop, in a file of its own: the hooks that only record do not load the patterns of reports.
import { readReport } from '../../text/agentReport.ts'
import type { HookHandler } from './hookContext.ts'
import { endTurn } from './recordHandlers.ts'

/** Records the report of a subagent with the lessons and the outcome that it states. Never prints anything. */
export const onAgentStop: HookHandler = (payload, context) => endTurn(payload, context, readReport)
