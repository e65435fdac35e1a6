// The recording hook: appends {"at", "payload"} to the file that RECORD_TO names, and says nothing to the client.
const fs = require('node:fs')
const path = require('node:path')

const payload = JSON.parse(fs.readFileSync(0, 'utf8'))
if (payload.hook_event_name === 'SessionStart' || payload.hook_event_name === 'UserPromptSubmit') {
  const head = fs.readFileSync(path.join(process.env.CLAUDE_PROJECT_DIR, '.git/HEAD'), 'utf8').trim()
  payload.git_branch = head.replace('ref: refs/heads/', '')
}
fs.appendFileSync(process.env.RECORD_TO, `${JSON.stringify({ at: new Date().toISOString(), payload })}\n`)
