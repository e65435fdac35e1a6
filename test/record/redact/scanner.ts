// The oracle: the recommended rules of secretlint, a maintained scanner under the MIT licence.
import { lintSource } from '@secretlint/core'
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend'

/**
 * What the scanner finds, apart from redaction's own marks. One long text per test, because it keeps state for each
 * text.
 */
export async function scanned(content: string): Promise<string[]> {
  const allows = ['/\\[redacted:/']
  const rules = recommended.rules?.map((rule) => ({ id: rule.meta.id, options: { allows } })) ?? []
  const { messages } = await lintSource({
    source: { content, filePath: '/tool-output.txt', ext: '.txt', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: recommended, rules, options: {} }],
      },
    },
  })
  return messages.map((message) => message.message)
}
