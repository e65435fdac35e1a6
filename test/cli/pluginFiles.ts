// What the files that make this repository a Claude Code plugin must hold: the manifest and the hooks, from the table of events.

import { hookCommand } from '../../src/cli/wiring/place.ts'
import { groupFor, type JsonObject } from '../../src/cli/wiring/wire.ts'
import { hookTable } from '../../src/hook/events.ts'

/** The content of `hooks/hooks.json`. The client fills in the folder the plugin was installed to. */
export function generatePluginHooks(): JsonObject {
  const commandFor = hookCommand(`\${CLAUDE_PLUGIN_ROOT}/dist/hooks`)
  return {
    hooks: Object.fromEntries(hookTable.map((wanted) => [wanted.event, [groupFor(wanted, commandFor(wanted))]])),
  }
}

/** The content of `.claude-plugin/plugin.json`. `hooks/hooks.json` need not be named: the client looks there by itself. */
export function generatePluginManifest(from: { readonly version: string; readonly description: string }): JsonObject {
  const server = { command: 'node', args: [`\${CLAUDE_PLUGIN_ROOT}/dist/mcp.mjs`] }
  return { name: 'memctl', version: from.version, description: from.description, mcpServers: { memctl: server } }
}
