// The expected files of the Claude Code plugin: the manifest and the hooks, from the table of events.
import { buildHookGroup, hookCommandFactory } from '../../src/cli/install/ourSettings.ts'
import type { JsonObject } from '../../src/cli/install/settingsFile.ts'
import { renderSkill, renderSlashCommand, SLASH_COMMANDS } from '../../src/cli/install/slashCommandFiles.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'

/** The content of `hooks/hooks.json`. The client fills in the folder the plugin was installed to. */
export function generatePluginHooks(): JsonObject {
  const commandFor = hookCommandFactory(`\${CLAUDE_PLUGIN_ROOT}/dist/hooks`)
  return {
    hooks: Object.fromEntries(
      HOOK_REGISTRATIONS.map((wanted) => [wanted.event, [buildHookGroup(wanted, commandFor(wanted))]]),
    ),
  }
}

/** The files in `commands/` with their text: the slash commands. */
export const generatePluginCommands = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    SLASH_COMMANDS.map((command) => [
      `${command.name}.md`,
      renderSlashCommand(command, `\${CLAUDE_PLUGIN_ROOT}/dist/slash.mjs`),
    ]),
  )

/** The content of `skills/memctl/SKILL.md`. */
export const generatePluginSkill = (): string => renderSkill(`\${CLAUDE_PLUGIN_ROOT}/dist/slash.mjs`)
