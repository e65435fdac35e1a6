// Secrets in commands, addresses and headers.
import type { Random } from '../fixture/seededRandom.ts'
import { drawChars, drawKey, drawPassword } from './random.ts'
import { type Format, formatsIn } from './sample.ts'

/** A command; `%` is the secret. What precedes the first word `bob` or `shop` is ordinary. */
const PASSWORD_COMMANDS: Readonly<Record<string, string>> = {
  'kubectl --from-literal': 'kubectl create secret generic shop --from-literal=password=%',
  'kubectl two literals': 'kubectl create secret generic shop --from-literal user=bob --from-literal=conn=%',
  'sudo -S': "echo '%' | sudo -S systemctl restart shop",
  'sudo -S of a string': 'sudo -S systemctl restart shop <<< "%"',
  'printf to sudo': 'printf "%\\n" | sudo -S -k apt-get install shop',
  sshpass: "sshpass -p '%' ssh bob@example.com",
  'mysql -p': 'mysql -u bob -p% shop < dump.sql',
  'mysql --password': 'mysqldump --user bob --password=% shop',
  'psql environment': 'PGPASSWORD=% psql -h db.example.com -U bob shop',
  'psql address': 'psql "host=db.example.com user=bob password=% dbname=shop"',
  'identified by': "mysql -e \"CREATE USER 'bob'@'localhost' IDENTIFIED BY '%'\"",
  'identified with': "ALTER USER bob IDENTIFIED WITH caching_sha2_password BY '%';",
  'with password': 'psql -c "ALTER ROLE bob WITH LOGIN PASSWORD \'%\'"',
  'set password': "SET PASSWORD FOR 'bob'@'localhost' = PASSWORD('%');",
  'identified by bare': 'CREATE USER bob IDENTIFIED BY %;',
  'jdbc oracle': 'java -Durl=jdbc:oracle:thin:bob/%@db.example.com:1521/shop Main',
  'jdbc oracle service': 'java -Durl=jdbc:oracle:thin:bob/%@//db.example.com:1521/shop Main',
  sqlplus: 'sqlplus bob/%@db.example.com/shop',
  storepass: 'keytool -list -keystore shop.jks -storepass %',
  keypass: 'keytool -genkey -alias shop -keypass %',
  jarsigner: 'jarsigner -keystore shop.jks -storepass % app.jar release',
  setx: 'setx DB_PASSWORD % /M',
  'setx quoted': 'setx SHOP_KEY "%"',
  'powershell variable': '$env:DB_PASSWORD = "%"',
  'powershell secure string': 'ConvertTo-SecureString "%" -AsPlainText -Force',
  'windows set': 'set DB_PASSWORD=%',
  'fish set': 'set -x DB_PASSWORD %',
  'heroku config': 'heroku config:set DB_PASSWORD=% -a shop',
  'docker login': 'docker login -u bob -p % registry.example.com',
  'docker env': 'docker run -e POSTGRES_PASSWORD=% -d postgres:16',
  'password to stdin': 'echo % | docker login -u bob --password-stdin',
  'curl -u': 'curl -u bob:% https://api.example.com/',
  'curl form': 'curl -d "user=bob&password=%" https://api.example.com/login',
  'curl json': `curl -d '{"user":"bob","password":"%"}' https://api.example.com/login`,
  'wget password': 'wget --user=bob --password=% https://files.example.com/a.zip',
  htpasswd: 'htpasswd -b .htpasswd bob %',
  'openssl -k': 'openssl enc -aes-256-cbc -in a.txt -out a.enc -k %',
  'openssl pass': 'openssl rsa -in shop.pem -passin pass:% -out plain.pem',
  'openssl passwd': 'openssl passwd -6 %',
  zip: 'zip -P % backup.zip notes.txt',
  '7z': '7z a -p% backup.7z notes.txt',
  unzip: 'unzip -P % backup.zip',
  'redis-cli': 'redis-cli -h cache.example.com -a % ping',
  'redis auth': 'redis-cli AUTH %',
  'redis requirepass': 'redis-server --requirepass %',
  mongo: 'mongosh --host db.example.com -u bob -p % shop',
  cqlsh: 'cqlsh -u bob -p % db.example.com',
  ldapsearch: 'ldapsearch -D cn=bob -w % -b dc=example',
  'net use': 'net use Z: \\\\files\\shop /user:bob %',
  smbclient: 'smbclient //files/shop -U bob%%',
  mount: 'mount -t cifs //files/shop /mnt -o username=bob,password=%',
  xfreerdp: 'xfreerdp /v:shop.example.com /u:bob /p:%',
  chpasswd: "echo 'bob:%' | sudo chpasswd",
  'passwd --stdin': 'echo % | passwd --stdin bob',
  'ssh-keygen': "ssh-keygen -t ed25519 -f shop -N '%'",
  gpg: 'gpg --batch --passphrase % -c notes.txt',
  sqlcmd: 'sqlcmd -S db.example.com -U sa -P % -Q "select 1"',
  bcp: 'bcp shop.orders out orders.txt -S db -U sa -P %',
  rabbitmq: 'rabbitmqctl add_user bob %',
  nmcli: 'nmcli device wifi connect shop password %',
  wpa: 'wpa_passphrase shop %',
  'helm --set': 'helm install shop ./chart --set auth.password=%,replicas=2',
  'terraform -var': 'terraform apply -var "db_password=%" -auto-approve',
  'gcloud sql': 'gcloud sql users create bob --instance=shop --password=%',
  'az login': 'az login --service-principal -u bob -p % --tenant shop',
  'vault kv put': 'vault kv put secret/shop password=%',
  expect: 'expect -c \'spawn ssh bob@example.com; expect "password:"; send "%\\r"\'',
  'security add': 'security add-generic-password -a bob -s shop -w %',
  'ansible extra': 'ansible-playbook site.yml -e "ansible_become_pass=%"',
  'rclone obscure': 'rclone obscure %',
  'createuser mongo': "db.createUser({ user: 'bob', pwd: '%', roles: [] })",
  'snowsql environment': 'SNOWSQL_PWD=% snowsql -u bob',
  'maven option': 'mvn deploy -Dgpg.passphrase=% -B',
  'gradle property': './gradlew publish -PsigningPassword=% --info',
  'kinit from echo': 'echo "%" | kinit bob@EXAMPLE.COM',
  cryptsetup: 'echo -n "%" | cryptsetup luksOpen /dev/sdb1 shop -',
}

const KEY_COMMANDS: Readonly<Record<string, string>> = {
  'aws configure set': 'aws configure set aws_secret_access_key % --profile shop',
  'npm config set': 'npm config set //registry.npmjs.org/:_authToken %',
  'npm config set quoted': 'npm config set //registry.npmjs.org/:_authToken="%"',
  'yarn config set': 'yarn config set npmAuthToken %',
  'composer config': 'composer config github-oauth.github.com %',
  'poetry config': 'poetry config pypi-token.pypi %',
  'pip config': 'pip config set global.index-url https://bob:%@pypi.example.com/simple',
  'git config header': 'git config http.extraHeader "Authorization: Basic %"',
  'git remote': 'git remote set-url origin https://%@github.com/shop/shop.git',
  'gh secret set': 'gh secret set DEPLOY_KEY --body "%" --repo shop',
  'gh secret echo': 'echo "%" | gh secret set DEPLOY_KEY',
  'gh auth login': 'echo % | gh auth login --with-token',
  'fly secrets': 'fly secrets set SESSION_KEY=% -a shop',
  'wrangler secret': 'echo "%" | wrangler secret put API_KEY',
  'vercel env': 'echo -n "%" | vercel env add API_KEY production',
  'firebase config': 'firebase functions:config:set stripe.key="%"',
  'dotnet user-secrets': 'dotnet user-secrets set "Auth:Key" "%"',
  'docker secret': 'printf "%" | docker secret create shop_key -',
  'doppler set': 'doppler secrets set SHOP_KEY="%"',
  'vault login': 'vault login %',
  'aws ssm': 'aws ssm put-parameter --name /shop/key --type SecureString --value "%"',
  'aws secretsmanager': 'aws secretsmanager create-secret --name shop --secret-string "%"',
  'az keyvault': 'az keyvault secret set --vault-name shop --name api --value "%"',
  'gcloud secrets': 'echo -n "%" | gcloud secrets create shop --data-file=-',
  'curl key header': 'curl -H "X-Api-Key: %" https://api.example.com/',
  'curl private token': 'curl --header "PRIVATE-TOKEN: %" https://gitlab.example.com/api/v4/user',
  'curl bearer': 'curl -H "Authorization: Bearer %" https://api.example.com/',
  'curl cookie': 'curl -b "session=%" https://api.example.com/',
  'query parameter': 'curl "https://api.example.com/v1?user=bob&api_key=%&page=2"',
  'sonar login': 'sonar-scanner -Dsonar.host.url=https://sonar.example.com -Dsonar.login=%',
  'cargo login': 'cargo login %',
  'snyk auth': 'snyk auth %',
  'sentry option': 'sentry-cli --auth-token % releases list',
  'rsync file': 'echo "%" > /etc/shop/password.txt',
  'github runner': './config.sh --url https://github.com/shop --token %',
  'k3s join': 'k3s agent --server https://shop:6443 --token %',
}

const commands = formatsIn('commands', 'command', 'command', 'prompt', 'write')

const fromTemplates = (templates: Readonly<Record<string, string>>, draw: (random: Random) => string): Format[] =>
  Object.entries(templates).map(([name, template]) =>
    commands(name, (random) => {
      const secret = draw(random)
      const at = template.includes('%%') ? template.indexOf('%%') + 1 : template.indexOf('%')
      const text = `${template.slice(0, at)}${secret}${template.slice(at + 1)}\n`
      const kept = ['bob', 'shop', 'example.com'].filter((word) => template.includes(word))
      return { text, secrets: [secret], kept }
    }),
  )

const ADDRESSES: Readonly<Record<string, string>> = {
  postgres: 'postgres://bob:%@db.example.com:5432/shop',
  mysql: 'mysql+pymysql://bob:%@db.example.com/shop',
  mongodb: 'mongodb+srv://bob:%@shop.example.com/test?w=majority',
  redis: 'redis://:%@cache.example.com:6379/0',
  amqp: 'amqps://bob:%@mq.example.com/shop',
  cassandra: 'cassandra://bob:%@db.example.com:9042/shop',
  'cassandra options': 'cassandra://db.example.com:9042/shop?username=bob&password=%',
  oracle: 'oracle+cx_oracle://bob:%@db.example.com:1521/?service_name=shop',
  'jdbc parameters': 'jdbc:postgresql://db.example.com/shop?user=bob&password=%',
  'jdbc sqlserver': 'jdbc:sqlserver://db.example.com;user=bob;password=%;encrypt=true',
  'oracle net': 'jdbc:oracle:oci:bob/%@shop',
  ftp: 'ftp://bob:%@files.example.com/shop/',
  smtp: 'smtps://bob:%@mail.example.com:465',
  cloudinary: 'cloudinary://123456789012345:%@shop',
  git: 'https://bob:%@git.example.com/shop.git',
}

const addresses = formatsIn('addresses', 'output', 'prompt', 'write', 'failure')

const HEADERS: Readonly<Record<string, string>> = {
  bearer: 'Authorization: Bearer %',
  'token scheme': 'Authorization: token %',
  'api key header': 'X-Api-Key: %',
  'vendor token header': 'X-Shop-Token: %',
  'proxy header': 'Proxy-Authorization: Basic %',
  cookie: 'Cookie: theme=dark; session=%; lang=en',
  'express session': 'Cookie: connect.sid=s%3A%.abcdefghijklmnop',
  'php session': 'Set-Cookie: PHPSESSID=%; path=/; HttpOnly',
  'java session': 'Set-Cookie: JSESSIONID=%; Path=/',
  'rails session': 'set-cookie: _shop_session=%; path=/; SameSite=Lax',
}

const headers = formatsIn('headers', 'output', 'write', 'failure')

const cookieFormats: readonly Format[] = ['sessionid', 'connect.sid', 'PHPSESSID', '_shop_session'].map((name) =>
  headers(`assigned ${name}`, (random) => {
    const secret = drawChars(random, 'lowerAlnum', 32)
    const text = random.pick([
      `${name}=${secret}\n`,
      `document.cookie = "${name}=${secret}"\n`,
      `"${name}": "${secret}"\n`,
    ])
    return { text: `${text}ready\n`, secrets: [secret], kept: ['ready'] }
  }),
)

export const COMMAND_FORMATS: readonly Format[] = [
  ...fromTemplates(PASSWORD_COMMANDS, drawPassword),
  ...fromTemplates(KEY_COMMANDS, drawKey),
  ...Object.entries(ADDRESSES).map(([name, address]) =>
    addresses(`address ${name}`, (random) => {
      const secret = drawPassword(random)
      const text = `connecting to ${address.replace('%', secret)} failed\n`
      return { text, secrets: [secret], kept: ['connecting to', 'failed'] }
    }),
  ),
  ...Object.entries(HEADERS).map(([name, header]) =>
    headers(name, (random) => {
      const secret = drawKey(random)
      const at = header.replace('s%3A', 's.3A').indexOf('%')
      const text = `> GET / HTTP/1.1\n> ${header.slice(0, at)}${secret}${header.slice(at + 1)}\n> Host: example.com\n`
      return { text, secrets: [secret], kept: ['Host: example.com'] }
    }),
  ),
  ...cookieFormats,
]
