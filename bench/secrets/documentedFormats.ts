// Formats from the public documentation of tools and providers: where it says that a secret stands, and what it looks
// like. Written when the patterns were done, and not used to change them: `npm run -s eval -- secrets --documented`.
import type { Random } from '../fixture/seededRandom.ts'
import { drawChars } from './random.ts'
import { bashOf, CHANNELS, type Format, formatOf, formatsIn } from './sample.ts'

/** Parts of a secret: an alphabet with a length, or a literal with a vertical bar, which is removed. */
const SECRETS = {
  hex32: 'hex*32',
  hex37: 'hex*37',
  hex40: 'hex*40',
  hex64: 'hex*64',
  hex128: 'hex*128',
  lower24: 'lowerAlnum*24',
  lower32: 'lowerAlnum*32',
  lower64: 'lowerAlnum*64',
  alnum16: 'alnum*16',
  alnum32: 'alnum*32',
  alnum40: 'alnum*40',
  url43: 'alnum*1 url64*41 alnum*1',
  base44: 'alnum*1 base64*41 alnum*1 =',
  base40: 'alnum*1 base64*38 alnum*1',
  base88: 'alnum*1 base64*84 alnum*1 ==',
  base32: 'base32*32',
  uuid: 'hex*8 - hex*4 - 4 hex*3 - a hex*3 - hex*12',
  azure: 'alnum*3 8Q|~ alnum*34',
  github: 'gh|p_ alnum*36',
  vault: 'hv|s. alnum*24',
  jwt: 'ey|J alnum*33 .ey|J alnum*60 . url64*43',
  bitwarden: 'manager*14',
  onePassword: 'lower*6 - upper*1 lower*5 - digit*1 lower*5',
  symbols: 'anySign*20',
  digits6: 'digit*6',
  words: 'phrase*12',
} as const

type SecretName = keyof typeof SECRETS

const SIGNS = '!@#$%^&*'
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PHRASE = 'abandon ability able about above absent absorb abstract absurd abuse access accident acid acoustic'

function draw(random: Random, name: SecretName): string {
  const text = SECRETS[name]
    .split(' ')
    .map((part) => {
      const [alphabet = '', length] = part.split('*')
      if (length === undefined) return part.replace('|', '')
      // At least one sign, one digit, one capital, as these programs make sure.
      if (alphabet === 'manager')
        return `${drawChars(random, LETTERS, 6)}${drawChars(random, SIGNS, 1)}K7${drawChars(random, LETTERS + SIGNS, 5)}`
      if (alphabet === 'anySign')
        return `${drawChars(random, LETTERS, 4)}2W${drawChars(random, `${LETTERS}${SIGNS}()-_=+;:,.?`, 12)}vk`
      if (alphabet === 'phrase')
        return Array.from({ length: Number(length) }, () => random.pick(PHRASE.split(' '))).join(' ')
      return drawChars(random, alphabet, Number(length))
    })
    .join('')
  return text
}

/** Text in any channel that has text: `{S}` is the secret. */
const TEXTS: readonly (readonly [secret: SecretName, text: string])[] = [
  ['hex40', 'X-Cisco-Meraki-API-Key: {S}'],
  ['hex40', 'MERAKI_DASHBOARD_API_KEY={S}'],
  ['hex37', 'X-Auth-Email: bob@acme.io\nX-Auth-Key: {S}'],
  ['alnum40', 'CLOUDFLARE_API_TOKEN={S}'],
  ['alnum40', 'CO_API_KEY={S}'],
  ['hex32', 'DD_API_KEY: {S}'],
  ['hex40', 'datadog:\n  api_key: abc\n  app_key: {S}'],
  ['lower32', 'Fastly-Key: {S}'],
  ['lower32', 'export DRONE_TOKEN={S}'],
  ['alnum32', 'DISCORD_CLIENT_SECRET={S}'],
  ['hex64', 'finicity partner secret: {S}'],
  ['lower64', 'CONFLUENT_CLOUD_API_SECRET={S}'],
  ['lower64', '| API Key    | ABCDEFGHIJKLMNOP |\n| API Secret | {S} |'],
  ['uuid', 'CODECOV_TOKEN={S}'],
  ['lower24', 'ETSY_KEYSTRING={S}'],
  ['hex32', 'FACEBOOK_APP_SECRET={S}'],
  ['azure', '{\n  "appId": "11111111-2222-4333-8444-555555555555",\n  "password": "{S}",\n  "tenant": "t"\n}'],
  [
    'base40',
    '{\n  "AccessKey": {\n    "UserName": "Bob",\n    "Status": "Active",\n    "SecretAccessKey": "{S}"\n  }\n}',
  ],
  ['base40', '[default]\naws_access_key_id = id\naws_secret_access_key = {S}'],
  ['base44', 'Unseal Key 1: {S}\nInitial Root Token: none'],
  ['vault', 'Initial Root Token: {S}'],
  ['bitwarden', '======= Data =======\nKey         Value\n---         -----\npassword    {S}\nusername    app'],
  ['symbols', "SECRET_KEY = 'django-insecure-{S}'"],
  ['hex128', 'production:\n  secret_key_base: {S}'],
  ['base44', 'APP_KEY=base64:{S}'],
  ['symbols', "define( 'AUTH_KEY',         '{S}' );"],
  ['hex32', 'APP_SECRET={S}'],
  ['bitwarden', 'spring.datasource.username=app\nspring.datasource.password={S}'],
  ['bitwarden', 'db.acme.io:5432:shop:app:{S}'],
  ['bitwarden', '[client]\nuser=app\npassword="{S}"'],
  ['onePassword', 'machine api.acme.io\n  login bob\n  password {S}'],
  ['lower24', '{ "auths": { "registry.acme.io": { "auth": "{S}" } } }'],
  ['bitwarden', 'signing.keyId=24875D73\nsigning.password={S}'],
  ['bitwarden', '<server>\n  <id>nexus</id>\n  <username>deploy</username>\n  <password>{S}</password>\n</server>'],
  ['onePassword', '<add key="Username" value="bob" />\n<add key="ClearTextPassword" value="{S}" />'],
  ['bitwarden', '[pypi]\nusername = bob\npassword = {S}'],
  ['onePassword', '{ "http-basic": { "repo.acme.io": { "username": "bob", "password": "{S}" } } }'],
  ['bitwarden', 'ansible_user: deploy\nansible_become_pass: "{S}"'],
  ['bitwarden', 'db_username = "app"\ndb_password = "{S}"'],
  ['onePassword', 'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: {S}'],
  ['alnum32', 'mongodb+srv://app:{S}@cluster0.mongodb.net/shop'],
  ['alnum16', 'amqp://shop:{S}@mq.acme.io:5672/'],
  ['onePassword', 'redis://:{S}@cache.acme.io:6379/0'],
  ['onePassword', 'Server=db;Database=shop;User Id=sa;Password={S};Encrypt=true'],
  ['base88', 'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={S};EndpointSuffix=core.windows.net'],
  ['base44', 'Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={S}'],
  ['alnum16', 'jdbc:postgresql://db/shop?user=app&password={S}'],
  ['bitwarden', 'network={\n  ssid="office"\n  psk="{S}"\n}'],
  ['url43', 'Cookie: sessionid={S}; lang=en'],
  ['lower32', 'Set-Cookie: connect.sid={S}; Path=/; HttpOnly'],
  ['base32', 'otpauth://totp/acme:bob?secret={S}&issuer=acme'],
  ['base32', 'Your setup key for the authenticator app: {S}'],
  ['digits6', 'Your verification code is {S}. It expires in ten minutes.'],
  ['words', 'Write down your recovery phrase: {S}'],
  ['bitwarden', 'Your username is bob and temporary password is {S}'],
  ['onePassword', 'the root password for the staging database is {S}'],
  ['bitwarden', 'ステージングのDBパスワードは {S} です。'],
  ['onePassword', '管理画面のログイン: admin / {S}'],
  ['alnum32', 'APIキーを発行しました: {S}'],
  ['bitwarden', 'I changed it, the new one is `{S}` (password for the admin user).'],
  ['alnum32', 'client_id: shop\nclient_secret: {S}'],
  ['url43', '{"token_type":"Bearer","expires_in":3599,"refresh_token":"{S}"}'],
  ['jwt', 'id_token={S}'],
  ['github', 'https://oauth2:{S}@github.com/acme/shop.git'],
  ['alnum32', 'signing_secret = "{S}"  # Slack app'],
  ['hex32', 'TWILIO_AUTH_TOKEN={S}'],
  ['uuid', 'X-Api-Key: {S}'],
  ['alnum40', 'Algolia Admin API Key\n{S}'],
  ['hex32', 'Authorization: Token {S}'],
  ['alnum32', "headers = {'apikey': '{S}'}"],
  ['alnum32', "client = Client('shop', '{S}')  # account, api key"],
  ['onePassword', "conn = psycopg2.connect(dbname='shop', user='app', password='{S}', host='db')"],
  ['bitwarden', 'mysqli_connect("localhost", "app", "{S}", "shop")'],
  ['bitwarden', 'new Sequelize("shop", "app", "{S}", { dialect: "postgres" })'],
  ['alnum32', 'firebase functions:config:get\n{ "mail": { "key": "{S}" } }'],
]

/** Commands. */
const COMMANDS: readonly (readonly [secret: SecretName, command: string])[] = [
  ['bitwarden', "kubectl create secret generic db --from-literal=password='{S}'"],
  ['onePassword', 'helm upgrade shop ./chart --set auth.rootPassword={S}'],
  ['onePassword', 'docker run -d -e MYSQL_ROOT_PASSWORD={S} mysql:8'],
  ['github', 'git clone https://x-access-token:{S}@github.com/acme/shop.git'],
  ['uuid', 'npm config set //npm.acme.io/:_authToken {S}'],
  ['onePassword', 'pip install --extra-index-url https://bob:{S}@pypi.acme.io/simple shop'],
  ['bitwarden', "psql 'host=db user=app password={S} dbname=shop'"],
  ['onePassword', 'PGPASSWORD={S} psql -h db -U app shop'],
  ['bitwarden', "mongosh -u app -p '{S}' --authenticationDatabase admin"],
  ['bitwarden', "sshpass -p '{S}' ssh deploy@web1"],
  ['bitwarden', "smbclient //nas/share -U 'bob%{S}'"],
  ['onePassword', 'snmpget -v3 -u bob -l authPriv -A {S} -x AES -X short 10.0.0.1 sysUpTime.0'],
  ['bitwarden', "ldapsearch -x -D cn=admin,dc=acme -w '{S}' -b dc=acme"],
  ['bitwarden', "gpg --batch --passphrase '{S}' -d backup.gpg"],
  ['bitwarden', "zip -P '{S}' backup.zip dump.sql"],
  ['bitwarden', "curl -u 'bob:{S}' https://api.acme.io/v1/users"],
  ['bitwarden', "sqlcmd -S db -U sa -P '{S}' -Q 'select 1'"],
  ['bitwarden', "mysql -u root -p'{S}' shop < dump.sql"],
  ['bitwarden', "mysqladmin -u root password '{S}'"],
  ['bitwarden', "echo 'bob:{S}' | sudo chpasswd"],
  ['bitwarden', "net user bob '{S}' /add"],
  ['alnum32', 'rclone config create s3 s3 access_key_id=id secret_access_key={S}'],
  ['alnum40', 'sentry-cli --auth-token {S} releases new 1.0'],
  ['alnum32', "curl -H 'X-Vault-Token: {S}' https://vault.acme.io/v1/secret/shop"],
  ['hex40', 'sonar-scanner -Dsonar.token={S}'],
  ['alnum32', 'stripe listen --api-key {S}'],
  ['alnum40', 'aws configure set aws_secret_access_key {S}'],
  ['bitwarden', "keytool -genkey -alias shop -storepass '{S}' -keyalg RSA"],
  ['onePassword', 'az login --service-principal -u app -p {S} --tenant t'],
  ['onePassword', 'vault kv put secret/shop password={S}'],
  ['bitwarden', "security add-generic-password -a bob -s shop -w '{S}'"],
  ['bitwarden', 'createuser bob && psql -c "ALTER USER bob WITH PASSWORD \'{S}\'"'],
  ['alnum32', 'fly secrets set STRIPE={S}'],
  ['bitwarden', "restic -r s3:s3.acme.io/b backup /srv <<< '{S}'"],
]

/** Commands that print one secret and nothing else. */
const OUTPUTS: readonly (readonly [secret: SecretName, command: string])[] = [
  ['hex64', 'openssl rand -hex 32'],
  ['base44', 'openssl rand -base64 32'],
  ['symbols', 'pwgen -sy 20 1'],
  ['bitwarden', 'bw generate -ulns --length 14'],
  ['symbols', 'pass show mail/bob'],
  ['bitwarden', 'op read op://dev/db/password'],
  ['base44', 'wg genkey'],
  ['uuid', 'heroku auth:token'],
  ['jwt', 'kubectl create token build'],
  ['github', 'gh auth token'],
  ['onePassword', 'terraform output -raw db_password'],
  ['alnum32', 'aws ssm get-parameter --name /prod/db --with-decryption --query Parameter.Value --output text'],
  ['bitwarden', "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d"],
  ['onePassword', 'cat /run/secrets/db_password'],
  ['alnum32', "jq -r '.access_token' response.json"],
  ['bitwarden', 'security find-generic-password -s shop -w'],
  ['bitwarden', 'gopass show -o infra/db'],
  ['alnum32', 'echo $SLACK_SIGNING_SECRET'],
  ['bitwarden', 'ansible-vault view group_vars/vault_password'],
  ['alnum40', 'python3 -c "import secrets; print(secrets.token_urlsafe(30))"'],
]

const anywhere = formatsIn('documented text', 'output', 'prompt', 'answer', 'read', 'failure', 'write')
const fill = (text: string, secret: string): string => text.replace('{S}', () => secret)

/** A format for each line above. */
export const DOCUMENTED_FORMATS: readonly Format[] = [
  ...TEXTS.map(([name, text], i) =>
    anywhere(`${i} ${text.slice(0, 40).replaceAll('\n', ' ')}`, (random) => {
      const secret = draw(random, name)
      return { text: fill(text, secret), secrets: [secret] }
    }),
  ),
  ...COMMANDS.map(([name, command]) =>
    formatOf('documented commands', command.slice(0, 50), (random) => {
      const secret = draw(random, name)
      return { fields: CHANNELS.command(fill(command, secret)), secrets: [secret] }
    }),
  ),
  ...OUTPUTS.map(([name, command]) =>
    formatOf('documented outputs', command.slice(0, 50), (random) => {
      const secret = draw(random, name)
      return { fields: bashOf(command, `${secret}\n`), secrets: [secret] }
    }),
  ),
]
