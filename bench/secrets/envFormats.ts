// Values of env files, as commands and tools print and write them.
import { drawKey, drawPassword } from './random.ts'
import { bashOf, callOf, type Format, formatOf } from './sample.ts'

/** Commands that name an env file; `%` is a line of it in the command, otherwise the line is in the output. */
const ENV_COMMANDS: Readonly<Record<string, string>> = {
  cat: 'cat .env',
  'grep in it': 'grep -n SHOP .env.local',
  'grep after cd': 'cd app && grep SHOP .env',
  'recursive grep': 'grep -rn --include=.env SHOP .',
  diff: 'diff .env .env.staging',
  python: 'python3 -c "print(open(\'.env\').read())"',
  node: "node -e \"console.log(require('fs').readFileSync('.env','utf8'))\"",
  xargs: 'xargs -a .env -n1 echo',
  'source and print': 'set -a; source .env; env | sort',
  'ssh cat': 'ssh shop.example.com "cat /srv/shop/.env"',
  'docker exec': 'docker exec shop cat /app/.env',
  powershell: 'Get-Content .env',
  'git show': 'git show HEAD:.env',
  'git diff': 'git diff -- .env',
  redirection: 'while read line; do echo "$line"; done < .env',
  sed: "sed -n '1,5p' config/prod.env",
  decrypt: 'sops -d secrets.env',
  heredoc: 'cat > .env <<EOF\n%\nEOF',
  append: 'echo "%" >> .env',
  'printf into': "printf '%\\n' > .env.production",
  tee: 'echo "%" | tee -a .env',
}

const envCommands = Object.entries(ENV_COMMANDS).map(([name, command]) =>
  formatOf('env files', name, (random) => {
    const value = random.pick([drawPassword, drawKey])(random)
    const line = `${random.pick(['SHOP_URL_PART', 'ANALYTICS', 'MAGIC_WORD', 'SHOP_ID'])}=${value}`
    const sign = name.includes('diff') ? '+' : ''
    const prefix = name === 'recursive grep' ? './app/.env:12:' : name === 'grep in it' ? '12:' : sign
    const fields = command.includes('%')
      ? bashOf(command.replace('%', line), 'ok')
      : bashOf(command, `${prefix}${line}\n`)
    return { fields, secrets: [value] }
  }),
)

export const ENV_FORMATS: readonly Format[] = [
  ...envCommands,
  formatOf('env files', 'output of Grep', (random) => {
    const value = drawKey(random)
    const input = { pattern: 'SHOP', path: '/home/dev/shop', output_mode: 'content', glob: '.env*' }
    const content = `.env:3:SHOP_URL_PART=${value}\nsrc/app.ts:4:const url = env.SHOP_URL_PART`
    return { fields: callOf('Grep', input, { mode: 'content', content }), secrets: [value] }
  }),
  formatOf('env files', 'output of Grep in one file', (random) => {
    const value = drawKey(random)
    const input = { pattern: 'SHOP', path: '/home/dev/shop/.env', output_mode: 'content' }
    const content = `3:SHOP_URL_PART=${value}`
    return { fields: callOf('Grep', input, { mode: 'content', content }), secrets: [value] }
  }),
  formatOf('env files', 'another tool that reads it', (random) => {
    const value = drawKey(random)
    const response = [{ type: 'text', text: `SHOP_URL_PART=${value}\n` }]
    return { fields: callOf('mcp__filesystem__read_file', { path: '/srv/shop/.env' }, response), secrets: [value] }
  }),
  formatOf('env files', 'env file of a container', (random) => {
    const value = drawKey(random)
    const input = { file_path: '/srv/shop/.env.production', content: `REGION=east\nMAGIC_WORD=${value}\n` }
    return { fields: callOf('Write', input), secrets: [value] }
  }),
]
