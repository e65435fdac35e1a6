// Asks the configured model, and says beforehand whether it can be asked: without a key nothing is sent.
import type { ModelRequest } from '../../distill/instructions.ts'
import { askClaude } from '../../distill/models/askClaude.ts'
import { askService, SERVICES } from '../../distill/models/askService.ts'
import type { ModelReply } from '../../distill/models/modelReply.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type DistillConfig, keyVariable, modelOf } from './distillConfig.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface ModelCall {
  readonly env: Environment
  /** Where the client runs. */
  readonly folder: string
  readonly signal?: AbortSignal | undefined
}

/** Throws MODEL_UNAVAILABLE, CONFIG_INVALID, and CANCELLED once the signal is aborted. */
export async function askModel(
  request: ModelRequest,
  config: DistillConfig,
  { env, folder, signal }: ModelCall,
): Promise<ModelReply> {
  const timeoutMs = config.timeoutSeconds * 1_000
  const { by } = config
  const model = modelOf(config)
  if (by === 'claude')
    return askClaude(request, { command: config.command ?? 'claude', model, env, folder, timeoutMs, signal })
  assertKey(config, env)
  const service = SERVICES[by]
  return askService(request, {
    kind: by,
    endpoint: config.endpoint ?? service.endpoint,
    key: env[keyVariable(config) ?? ''],
    model,
    timeoutMs,
    signal,
  })
}

/** Throws MODEL_UNAVAILABLE without a key. A server of one's own needs none, unless `keyEnv` names one. */
export function assertKey(config: DistillConfig, env: Environment): void {
  const name = keyVariable(config)
  if (name === undefined || env[name] || (config.endpoint !== undefined && config.keyEnv === undefined)) return
  throw new MemoryError('MODEL_UNAVAILABLE', `there is no key for ${config.by}: ${name} is not set`, {
    hint: `Set ${name} in the environment of Claude Code, or name another variable as distill.keyEnv in config.yaml.`,
  })
}
