// Asks the configured model, and says beforehand whether it can be asked: without a key nothing is sent.
import type { ModelRequest } from '../../distill/instructions.ts'
import { askClaude } from '../../distill/models/askClaude.ts'
import { askService, SERVICES } from '../../distill/models/askService.ts'
import type { ModelReply } from '../../distill/models/modelReply.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type DistillConfig, keyVariable } from './distillConfig.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Throws MODEL_UNAVAILABLE and CONFIG_INVALID. `folder` is where the client runs. */
export async function askModel(
  request: ModelRequest,
  config: DistillConfig,
  { env, folder }: { readonly env: Environment; readonly folder: string },
): Promise<ModelReply> {
  const timeoutMs = config.timeoutSeconds * 1_000
  const { by, model } = config
  if (by === 'claude') return askClaude(request, { command: config.command ?? 'claude', model, env, folder, timeoutMs })
  assertKey(config, env)
  const service = SERVICES[by]
  return askService(request, {
    kind: by,
    endpoint: config.endpoint ?? service.endpoint,
    key: env[keyVariable(config) ?? ''],
    model: model ?? service.model,
    timeoutMs,
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
