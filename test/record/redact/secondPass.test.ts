// The second pass: what the worker removes from events that hooks have stored.
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../bench/fixture/seededRandom.ts'
import { FORMATS } from '../../../bench/secrets/measure.ts'
import { drawKey, drawPassword, drawPaymentNumber } from '../../../bench/secrets/random.ts'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import type { EventOf } from '../../../src/model/event.ts'
import type { EventId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { redactStoredEvent, redactThoroughly } from '../../../src/record/redact/secondPass.ts'
import { encodeLogLine } from '../../../src/store/log/eventLog.ts'
import { buildMemory, recordedAs } from '../../testData.ts'
import { INNOCENTS } from './nonSecrets.ts'

const random = seededRandom(3)
const password = drawPassword(random)
const key = drawKey(random)
const card = drawPaymentNumber(random, '4', 16)

const MIXED = 'q7Tz9KdW2xBv5RmP8sLc4HnJ6'
const HEX = '3e09b1d6c75fa82473b0e4c91d5a6f28'
const KEY_BASE64 = 'rsEiVyJV9oer2xgWFhiu2chFFx++ma+nghsue+G+fYM='
const BYTES = Array.from({ length: 54 }, (_, i) => (97 * i + 49) % 256)
const ID = '5b794718-5e9c-488c-952b-97387754535a'

const storing = (fields: Partial<Memory>): EventOf<'memory.stored'> =>
  systemEvent({ kind: 'memory.stored', memory: buildMemory(1, fields) } as const, { now: 0 })

describe('second pass', () => {
  const texts: Readonly<Record<string, readonly [text: string, secret: string]>> = {
    'a command that sets a value': [`aws configure set aws_secret_access_key ${key}`, key],
    'a password for sudo': [`echo '${password}' | sudo -S reboot`, password],
    'a column of a table': [`| user | password |\n|---|---|\n| bob | ${password} |\n`, password],
    'a column of a file': [`user,api_key,city\nbob,${key},Rome\n`, key],
    'a card number': [
      `paid with ${card.replace(/(.{4})(?=.)/g, '$1 ')} today`,
      `${card.slice(0, 4)} ${card.slice(4, 8)}`,
    ],
    'an assignment behind colours': [`\u001b[1mAPI_TOKEN\u001b[0m=\u001b[32m${key}\u001b[0m`, key],
    'an assignment in base64': [`data: ${Buffer.from(`API_TOKEN=${key}`).toString('base64')} end`, 'data: QVBJ'],
    'a percent-encoded assignment': [`body=password%3D${key}%26x%3D1`, key],
    'JSON in JSON in JSON': [JSON.stringify(JSON.stringify(JSON.stringify({ api_token: key }))), key],
    'a Secret of Kubernetes': [
      `kind: Secret\ndata:\n  conf: ${Buffer.from(key).toString('base64')}\n`,
      'conf: [A-Za-z0-9]',
    ],
    'a token with an unknown prefix': [`I get a 401 with qx_${MIXED} since today`, MIXED],
    'a token of a UUID with the prefix of a key': [`zz-api-${ID} does not work`, ID],
    'a token behind a number': [`using 1234567890123|${MIXED} here`, MIXED],
    'a token in an address that grants access': [`see https://a.io/hooks/catch/12/${MIXED}${MIXED}/ there`, MIXED],
    'a password in a sentence in Spanish': [`la contraseña es ${password}`, password],
    'a password in a sentence in Korean': [`비밀번호는 ${password} 입니다`, password],
    'a password beside its name in a call': ['.setProperty("password", "saffron300x")', 'saffron300x'],
    'a password between a user and a host': ['open("root:sutES0J-lN9jpt@tcp(db:3306)/app")', 'sutES0J-lN9jpt'],
    'a password in the text of a web page': [`&quot;password&quot;:&quot;${password}&quot;`, password],
    'a password that ends with a sign and a number': ['password := "KESTREL_basil$6"', 'KESTREL_basil'],
    'a word with a number beside a name': ['helm upgrade --set adminPassword=Rocket_Thunder543 x', 'Thunder543'],
    'a password in numbered lines': [
      '    8\t$ cat /etc/a.netrc\n    9\tlogin bob\n   10\tpassword plum-cello-otter',
      'plum-cello',
    ],
    'a value with a sign like that of a tag': ['"password": "!Otter.RRJO~"', 'Otter'],
    'a hash as a key that was refused': [`ERROR request failed: invalid key ${HEX} (status 401)`, HEX],
    'a hash as a key in the line of a client': [`DEBUG Acme client init key=${HEX} base=https://a.io`, HEX],
    'a hash as the argument of a client': [`client = Client("${HEX}")`, HEX],
    'a hash that will be rotated': [`use ${HEX} for now, I'll rotate it on Friday`, HEX],
    'a hash as the key of a service': [`the Acme key is ${HEX}, put it in the env file`, HEX],
    'a password in a file of a database for all hosts': ['*:*:*:bob:ottersplum81', 'ottersplum81'],
    'a mixed value in a sentence with a password': ['a password is generated for root@db: b7GxQ2vLk9', 'b7GxQ2vLk9'],
    'a mixed value alone below a heading': ['The new secret\n\n  b7GxQ2vLk9\n', 'b7GxQ2vLk9'],
    'a password behind a user': ['etcdctl --user root:Pepper_Winter466 get /shop', 'Winter466'],
    'the last field of a line of fields': ['db:5432:orders:app:b7GxQ2vLk9', 'b7GxQ2vLk9'],
    'a password in a list of arguments': ['["sshpass", "-p", "falcon573", "ssh", "db"]', 'falcon573'],
    'a password in a call that logs in': ['auth=("tanaka", "Fujisan_Mikan837")', 'Mikan837'],
    'joined words behind a password command': ['> PASS ladder-cactus-onion-prairie\n< 230', 'cactus-onion'],
    'joined words behind a login': ['creds: bob:ladder-cactus-onion-prairie', 'cactus-onion'],
    'letters that are no words after a Japanese name': ['DBのPWはqWhTzKrmVJbXeでお願いします', 'qWhTzKrmVJbXe'],
    'a password before its Japanese name': ['qWhTzKrmVJbXe というパスワードで入れます', 'qWhTzKrmVJbXe'],
    'a password after the end of a name': ['auth-pass sunfish_kayak72', 'sunfish_kayak72'],
    'a password as an option behind a user': ['tool -H db.lan -U bob -P sunfish72 status', 'sunfish72'],
    'a password that touches its option': ['unpack x -pSunfish-Kayak-72 a.rar', 'Kayak-72'],
    'a password behind a user in a call': ["DB->open_connection($dsn, 'bob', 'sunfish72')", 'sunfish72'],
    'a password behind an address and a user': ["new Database('db.shop.lan', 'bob', 'sunfish72', 'shop')", 'sunfish72'],
    'a password in a wrapped argument': ['client.basic_auth("bob", Some("sunfish72"))', 'sunfish72'],
    'a default for a password in a block': ["ENV.fetch('DB_PASS') { 'sunfish72' }", 'sunfish72'],
    'a password before its name': ["MOVE 'sunfish_kayak72' TO WS-PASSWORD", 'sunfish_kayak72'],
    'a password between a user and a protocol': ['dsn := "bob:C4n@l-x#@tcp(db:3306)/shop"', 'C4n@l'],
    'a password in the code of a network': ['WIFI:T:WPA;S:office;P:sunfishkayak;;', 'sunfishkayak'],
    'a key behind a call that decodes it': [`AES_KEY = bytes.fromhex("${HEX}")`, HEX],
    'a value with a comment that says what it is': [`Client.init("AC1", "${HEX}"); // account, auth token`, HEX],
    'a value in a block of code below its name': [`here is the auth token:\n\n\`\`\`\n${HEX}\n\`\`\``, HEX],
    'a hash of a password': [`password_hash = "${HEX}"`, HEX],
    'groups after a Japanese name': ['回復キーは 823825-978222-835159-587816-856624-380769 です', '835159'],
    'digits after a Japanese name': ['パスワードは2750109251です', '2750109251'],
    'the bytes of a key behind its type': [
      `const KEY: [u8; 12] = [${[...key].map((_, i) => 7 * i).join(', ')}]`,
      '49, 56',
    ],
    'an option in a list over several lines': [
      '"args": [\n    "--api-token",\n    "Sunfish-Kayak-76"\n  ]',
      'Kayak-76',
    ],
    'a header with another scheme': [`> Authorization: SomeKey ${ID}`, ID],
    'a column of an inserted row': [
      "INSERT INTO users (mail, password) VALUES ('a@b.io', 'Taro.Winter41')",
      'Winter41',
    ],
    'the first line of a file that is a table': [`{"content":"user,api_key\\nbob,${key}"}`, key],
    'a password in hexadecimal digits': [
      `echo ${Buffer.from('kayak-sunfish72').toString('hex')} | xxd -r -p`,
      '6b6179',
    ],
    'a key that a command prints': [`$ sudo cat config/master.key\n${HEX}\nDone.`, HEX],
    'a passphrase that a command prints': ['$ cat .vault_pass.txt\nladder-cactus-onion-prairie', 'cactus-onion'],
    'an address of a host for hooks': ['HOOK=https://hooks.a.io/hooks/catch/2221821/jvhrbqi/', 'jvhrbqi'],
    'a value behind an option and its name': ["tool config set --secret dbPassword 'Sunfish-Kayak-94'", 'Kayak-94'],
    'letters that no word has in a row': [
      'Cookie: theme=dark; sessionid=mivodqezuxlupaxjokibwezufhy2al4',
      'mivodqezux',
    ],
    'a user and a password in base64': ['"Basic c3ZjOmF1dHVtbjgzNg=="', 'c3ZjOmF1dHVt'],
    'a static key in hexadecimal digits': [`-----BEGIN Some Static key V1-----\n${HEX}\n${HEX}\n-----END`, HEX],
    'a key between tags': [`<tls-auth>\n# 2048 bit\n${HEX}\n${HEX}\n</tls-auth>`, HEX],
    'a password that an option reads': ['echo sunfish72 | docker login -u bob --password-stdin x.io', 'sunfish72'],
    'a long value that an option reads': [
      `echo ${'q7Tz9KdW2xBv5RmP'.repeat(60)} | docker login --password-stdin x.io`,
      'q7Tz9KdW2xBv5RmP',
    ],
    'a password in a quoted option': ["mysql -h db -u bob '-psunfish72' shop", 'sunfish72'],
    'a password in the last argument of a list': ['["CMD", "mysqladmin", "ping", "-psunfish72"]', 'sunfish72'],
    'a password that touches its option behind a user': ['bcp db.t out f -U sa -Psunfish72', 'sunfish72'],
    'a national string of SQL': ["CREATE LOGIN app WITH PASSWORD = N'sunfish.kayak2990';", 'kayak2990'],
    'a password in nested tags': ['<Password><Value>Tsawiu2KJ8GNp</Value></Password>', 'Tsawiu2KJ8GNp'],
    'a password below its tag': ['<name>db.Password</name>\n  <value>Sunfish-Kayak-19</value>', 'Kayak-19'],
    'a password in a record': ['username       bob\npassword       kayaksunfish3', 'kayaksunfish3'],
    'a password in a numbered list': ['1) "requirepass"\n2) "kayaksunfish90"', 'kayaksunfish90'],
    'a password in a list of pairs': ['[["maxmemory", "0"], ["masterauth", "kayaksunfish33"]]', 'kayaksunfish33'],
    'a password of a replica': ['replicaof db 6379\nmasterauth kayak1984', 'kayak1984'],
    'the cookie of a node': ['iex --name a@b --cookie DRFLRDVRQDMTLIXANWNH --remsh x', 'DRFLRDVRQDMTLIXANWNH'],
    'the cookie of nodes': ['RABBITMQ_ERLANG_COOKIE=DRFLRDVRQDMTLIXANWNH', 'DRFLRDVRQDMTLIXANWNH'],
    'a file that a command in a container prints': [
      `$ docker exec jenkins cat /home/initialAdminPassword\n${HEX}`,
      HEX,
    ],
    'words after the name of a passphrase': ['passphrase: kayak sunfish meadow ladder', 'sunfish'],
    'words behind a variable': ['RESTIC_PASSWORD="kayak sunfish meadow ladder"', 'sunfish'],
    'words after a Japanese name': ['パスフレーズは「kayak sunfish meadow ladder」です。', 'sunfish'],
    'a password after a remark': ['Password (same as before): kayaksunfish33', 'kayaksunfish33'],
    'a password after a short verb': ["password's kayaksunfish27", 'kayaksunfish27'],
    'a key after a name and a particle': [`Signing Secret は ${HEX} です`, HEX],
    'a password behind a verb in German': ['Das Passwort lautet Sunfish1983*, bitte', 'Sunfish1983'],
    'a quote in a quoted password': ["export DB_PASSWORD='Kayak1'\\''ZnIvV26'", 'ZnIvV26'],
    'an escaped sign in a password': ['mysql -u root -pKettle1\\$Nizz\\!81 app', 'Nizz'],
    'a key with signs': ["define('AUTH_KEY', 'fX|[RE,GXaa]Yt3)z&~+C*YD{i1z%S.k');", 'GXaa'],
    'a salt with signs': ["$settings['hash_salt'] = '#Gd1(Zy-:riMy}&VM1A839FRT5';", 'riMy'],
    'a setting with its name behind it': ["UPDATE s SET value = 'kayak92' WHERE name = 'smtp_password'", 'kayak92'],
    'a key of an account': [`accounts: ["0x${HEX}${HEX}"]`, HEX],
    'keys below a heading': [`Private Keys\n====\n(0) 0x${HEX}${HEX}`, HEX],
    'a passphrase of words': ['gpg --passphrase "before antenna bubble bargain"', 'antenna'],
    'a list of words of a wallet': [`wallet words: ${'apple tiger brave '.repeat(4)}`, 'tiger'],
    'groups that a person types in': ['Windows key: Q7RT2-9KDW2-XBV5R-MP8SL', '9KDW2'],
    'the bytes of a key': [`masterKey = [${[...key].map((_, i) => 7 * i).join(', ')}]`, '49, 56, 63'],
    'a code that a person types in': ['Use the verification code 664099 now', '664099'],
    'PKCS#12 in base64 under any name': [`CERT=MIIKjQIBAzCC${MIXED}${MIXED}`, MIXED],
    'a private member of a JWK': [`{"kty":"RSA","n":"0vx7agoebGcQ","e":"AQAB","dq":"${MIXED}"}`, MIXED],
    'a private member of an RSA key in XML': [`<RSAKeyValue><Modulus>x</Modulus><D>${MIXED}</D></RSAKeyValue>`, MIXED],
    'a member of a key that OpenSSL prints': [`privateExponent:\n    ${HEX.replace(/..(?=.)/g, '$&:')}`, '3e:09:b1'],
    'a value in the element after its name': ['<key>smtpPassword</key>\n  <string>sunfish-kayak</string>', 'sunfish'],
    'a value in an element of a setting': [
      '<setting name="SmtpPassword"><value>sunfish-kayak</value></setting>',
      'sunfish-kayak',
    ],
    'words with a number and a sign, without any name': ['It is KayakSunfish2741+ from now on', 'Sunfish2741'],
    'a word, a sign, a year and capitals': ['all demo accounts use Kayak_1983SUN', 'Kayak_1983'],
    'two words with digits for letters': ['yes: k4yak-sunf1sh72', 'sunf1sh'],
    'letters and digits with several signs': ['as discussed by phone: q7!TzKdW%vBx5', 'TzKdW'],
    'joined words with a number beside a word for a password': ['db pw?\nyes: kayak-ladder-onion-33', 'ladder-onion'],
    'an event with a year beside a word for a password': ['wifi pass\nBlackFriday2024!', 'Friday2024'],
    'a mixed value beside the word for it': ['can you add q7TzKdWvBx5RmPsL as the ingest key?\n'.repeat(9), 'TzKdWv'],
    'a number after the name of a variable': ['DB_PASS: "883329838"', '883329838'],
    'a key with what not to do': [`Railway key for staging (don't commit): ${ID}`, ID],
    'a key that was refused': [`request failed: 401 Unauthorized (key=${HEX})`, HEX],
    'a key with what it is for': [`use this for Gitea: ${HEX}\nand rotate it next week`, HEX],
    'codes in lists': ['リカバリーコード（控え）\n- i1s1ccd7zj\n- 0qni190vzf', '0qni190vzf'],
    'a value in a field after its name': ["[{ key: 'db_password', type: 'x', value: 'sunfish-kayak' }]", 'sunfish-k'],
    'a value in a field before its name': ['{"value": "sunfish-kayak7", "name": "DB_PASSWORD"}', 'kayak7'],
    'a value in a call after its name': ['.withName("DB_PASSWORD").withValue("sunfish-kayak")', 'sunfish-kayak'],
    'a value of a setting in SQL': ["UPDATE c SET val='kayak-92', x=1 WHERE `key`='db.password'", 'kayak-92'],
    'a cookie in a jar': [`.a.io\tTRUE\t/\tTRUE\t1790000000\tsession_id\t${HEX}`, HEX],
    'a cookie as an argument': [`requests.get(url, cookies={'laravel_session': '${HEX}'})`, HEX],
    'a cookie in a list': [`addCookies([{ name: 'session', value: '${HEX}' }])`, HEX],
    'words in a sentence in French': ['le mot de passe de la base est ladder-cactus-onion-prairie', 'cactus-onion'],
    'a key in a sentence in German': [`Der API-Schlüssel lautet ${HEX}`, HEX],
    'words of which one has a digit for a letter': ['PASS MyLadderIsN0tCactus', 'IsN0tCactus'],
    'a name in brackets': ['【PASS】sunfish72', 'sunfish72'],
    'a user and a password after a purpose': ['creds for the DB: bob:MyLadderIsN0tCactus', 'IsN0tCactus'],
    'options with a colon': ['winrs -r:a.io -u:bob -p:sunfish72 dir', 'sunfish72'],
    'what a script types at a prompt': ['p.expect("Password:")\np.sendline("sunfishkayak")', 'sunfishkayak'],
    'what a remark says that a script types': ["child.sendline('sunfishkayak')  # password prompt", 'sunfishkayak'],
    'a string that a program reads': ['kinit bob <<< "sunfishkayak"', 'sunfishkayak'],
    'an output that a program reads': ['borg --passphrase-file <(echo sunfishkayak) x', 'sunfishkayak'],
    'a community of a device': ['snmpwalk -v2c -c sunfishkayak 10.0.0.1', 'sunfishkayak'],
    'a password of an app': ['--password "fomi lhuc utnn fpaq"', 'lhuc'],
    'a value below the command that prints it': [`$ vault kv get -field=password secret/db\n${HEX}\nok`, HEX],
    'a value below the parts of a command': [`+ kubectl get secret x -o jsonpath={.p}\n+ base64 -d\n${HEX}`, HEX],
    'a password in the row of its label': ['| region | x |\n| a@b.io | sunfish72 | admin password |', 'sunfish72'],
    'a field of a group of secrets': [`acl { tokens { agent = "${ID}" } }`, ID],
    'a field in lines of a group of secrets': [`encryption:\n  primary: a\n  other: ${HEX}`, HEX],
    'a value behind the id of an account': [`require('sms')('AC${HEX}', '${HEX.replace('3e', '4f')}');`, '4f09b1d6'],
    'an address in JSON that escapes slashes': ['"dsn": "postgres:\\/\\/bob:kayaks@db.a.io\\/x"', 'kayaks'],
    'a private part of an address': ['https://a.io/ical/private-gmQyhiItdUCzUxLYBoM_yq/basic.ics', 'gmQyhiIt'],
    'a key of a function with padding': [`https://f.a.io/api/run?code=${MIXED}${MIXED}==`, MIXED],
    'a key in an address of a service': [`https://api.a.io/data/2.5/weather?q=x&appid=${HEX}`, HEX],
    'a key with a number': [`Unseal Key 1: ${HEX}`, HEX],
    'a key with its number of many': [`Recovery Key (2/5): ${HEX}`, HEX],
    'a key of a cluster': [`agent -encrypt=${KEY_BASE64} -data-dir /x`, KEY_BASE64],
    'a property of a scanner': [`scanner -Dserver.url=https://a.io -Dserver.login=${HEX}`, HEX],
    'a short value that a command decodes': ["echo 'c3VuNzI=' | base64 -d   # db password", 'c3VuNzI'],
    'a key of a cipher': [`createCipheriv('aes-256-gcm', Buffer.from('${HEX}', 'hex'), iv)`, HEX],
    'a key of a signature': [`OpenSSL::HMAC.hexdigest('SHA256', '${HEX}', body)`, HEX],
    'a key in base64 of a cipher': [`f = Fernet(b'${KEY_BASE64}')`, KEY_BASE64],
    'a key that is decoded': [`key, _ := hex.DecodeString("${HEX}")`, HEX],
    'a key of a database': [`sqlite3 app.db "PRAGMA key = \\"x'${HEX}'\\";"`, HEX],
    'a key behind the id of an application': [`search('X4ABCD12EF', '${HEX}')`, HEX],
    'the bytes of a pair of keys': [`[${Array.from({ length: 64 }, (_, i) => (97 * i + 13) % 256)}]`, '110,207,48'],
    'the signature of a request': [`Authorization: AWS4 Credential=x, Signature=${HEX}`, HEX],
    'a removed line of a diff': ["@@ -1 +1 @@\n-SECRET_KEY = '7m@9a1=a#jc1zac6#x7f@%7s'\n+x", 'jc1zac6'],
    'a sign in the value of an element': ['<Pass><Value>BQ6ToXM=zY+j</Value></Pass>', 'BQ6ToXM'],
    'a sign in the value of a variable': ['PIN_PEPPER=8wNpF_lJGNgF@C=q', 'lJGNgF'],
    'an option with a slash': ['signtool sign /f c.pfx /p AmberLantern303 a.exe', 'Lantern303'],
    'letters of a hash in a word': ["create_superuser('admin', 'a@b.io', 'kaisha7754')", 'kaisha7754'],
    'quotes in quotes of a shell': [`bash -c 'mysql -uroot -p"'"'b7GxQ2vLk9aZ'"'"'`, 'b7GxQ2vLk9aZ'],
    'an encoded password of a device': [' neighbor 10.0.0.1 password 7 0822455D0A16544541', '0822455D'],
    'a password of a user of a device': ['username bob privilege 15 secret kayak1891', 'kayak1891'],
    'a key of a stream': ['-f flv rtmp://a.a.io/live2/hb7j-e1sw-k9zm-xwj3-5bpm', 'e1sw-k9zm'],
    'a code that unlocks': ['UNLOCK_CODE=Sunfish_kayak_72', 'Sunfish_kayak'],
    'a user of a database in a file': ['user bob on +@all >q2mZxvI3pWv ~*', 'q2mZxvI3pWv'],
    'a user behind a server for mail': ['[smtp.a.io]:587 bob:uSsXpl=Ec9Qz_vBXs!EO', 'Ec9Qz'],
    'a salt in a column': ["define('AUTH_KEY',         'fX|[RE,GXaa]Yt3)z&~+C*YD{i1z%S.k');", 'GXaa'],
    'a script that fills in a form': [`await page.fill('#password', '${password}')`, password],
    'a half of a string that code joins': [
      `api_token = ("${HEX.slice(16)}" + "${HEX.slice(0, 16)}")`,
      HEX.slice(0, 12),
    ],
    'a half behind a sign of another language': [`$secret = '[redacted:secret]' . 'kayak7291';`, 'kayak7291'],
    'a half on the next line': [`String apiKey = "${HEX.slice(16)}"\n    + "${HEX.slice(0, 16)}";`, HEX.slice(0, 12)],
    'a part of a key before a colon': ['KEY = "AAAA76oWG84:[redacted:secret]"', 'AAAA76oWG84'],
    'a UUID in a header for a key': [`> Ocp-Apim-Subscription-Key: ${ID}`, ID],
    'a header for a key in a call': [`req.Header.Add("x-rapidapi-key", "${HEX}")`, HEX],
    'a header for a key of any service': [`-H "X-Acme-Key: ${ID}"`, ID],
    'a UUID as the key of a service': [`pagerduty_configs:\n  - service_key: ${ID}`, ID],
    'a seed and what it is for': ['the 2FA seed for the test account is RJKJGJNMM3XEJEDC', 'RJKJGJNMM3'],
    'a key of ours in a sentence': [`our Datadog key is ${HEX}`, HEX],
    'a code in a sentence before another line': ['my recovery code is 7aed3-fc445, use it\nPlease', '7aed3-fc445'],
    'the old and the new password': ['changed the password from "kayak_88" to "sunfish_72"', 'kayak_88'],
    'a new password after words for the old one': [
      'I changed the password from the old one to "sunfish_2015"',
      'sunfish_2015',
    ],
    'a new password after Japanese words': ['パスワードを古いものから「sunfish_2015」に変えました', 'sunfish_2015'],
    'a password that was one': ['The password used to be sunfish_2015', 'sunfish_2015'],
    'a password before its name in brackets': ["it's sunfish_2015 (the prod db password)", 'sunfish_2015'],
    'a user and a password after these words': ['Basic Auth user/pass is bob/sunfish_2015', 'sunfish_2015'],
    'the bytes of a pair of keys around a cut': [
      `[${BYTES.slice(0, 28)},1\n… 41 characters cut …\n3,${BYTES.slice(28)}]`,
      '49,146,243',
    ],
    'a list of users': ['chpasswd:\n  list: |\n    bob:3DEthac1miMy\n    eve:kayak_1972x', 'kayak_1972x'],
    'a list of users in a document': ['chpasswd <<EOF\nbob:3DEthac1miMy\nEOF', '3DEthac1miMy'],
    'a list of passwords': ['passwords:\n  - kayak_1972x\n  - sunfish_2015', 'sunfish_2015'],
    'a list of keys': [`"api_keys": [\n  "${HEX}",\n  "${ID}"\n]`, ID],
    'a user of a source of packages': ['bundle config set --global gems.a.io bob:sunfish_2015', 'sunfish_2015'],
    'a source of packages in a variable': ['BUNDLE_GEMS__A__IO: "bob:sunfish_2015"', 'sunfish_2015'],
    'a password of a source of packages': ['poetry config http-basic.corp bob sunfish_2015', 'sunfish_2015'],
    'a token of a source of packages': [`composer config bearer.repo.a.io ${ID}`, ID],
    'a token of a source in a group': [`"github-oauth": { "github.com": "${HEX}" }`, HEX],
    'a key to publish packages': [`nuget push a.nupkg ${ID} -Source x`, ID],
    'an option for a key': [`mix hex.organization auth acme --key ${HEX}`, HEX],
    'an option for a password of packages': ['conan remote login corp bob -p sunfish_2015', 'sunfish_2015'],
    'a value of the type password': ['{"type": "password", "label": "root", "val": "sunfish_2015"}', 'sunfish_2015'],
    'a value before its type': ['{"value": "sunfish_2015", "type": "password"}', 'sunfish_2015'],
    'a value in short fields': ['{"k":"db_password","v":"sunfish_2015"}', 'sunfish_2015'],
    'a value that is masked': ['{"key": "X", "value": "sunfish_2015", "masked": true}', 'sunfish_2015'],
    'a field of a page for a password': ['<field type="password" label="root">sunfish_2015</field>', 'sunfish_2015'],
    'a cookie by its attributes': [`{"name": "JSESSIONID", "value": "${HEX}", "domain": "a.io", "path": "/"}`, HEX],
    'a quoted password of a user of a database': ['redis-cli ACL SETUSER app on ">kayak1972" "~*"', 'kayak1972'],
    'a password before the state of a user': ['ACL SETUSER app +@all ~* >kayak1972 on', 'kayak1972'],
    'a command that a database monitors': ['1700.1 [0 127.0.0.1:5] "AUTH" "app" "kayak1972"', 'kayak1972'],
    'a login over IMAP': ['a001 LOGIN bob@a.io sunfish_2015', 'sunfish_2015'],
    'an answer to the prompt of a mail server': ['334 UGFzc3dvcmQ6\n> a2F5YWtzdW5maXNo', 'a2F5YWtz'],
    'a value of a registry': ['reg add HKLM\\X /v DefaultPassword /t REG_SZ /d sunfish_2015 /f', 'sunfish_2015'],
    'a value of a vault': ['vault kv put secret/x value=sunfish_2015', 'sunfish_2015'],
    'a key of an attached database': ["ATTACH 'x.db' AS e KEY 'sunfish_2015'", 'sunfish_2015'],
    'a key of a call that encrypts': ["SELECT aes_encrypt(x, 'sunfish_2015')", 'sunfish_2015'],
    'a word as the key of a signature': ["jwt.sign({ id: 1 }, 'sunfish_2015')", 'sunfish_2015'],
    'a hash of a password of a system': [`bob:$6$rounds=5000$q7Tz9KdW$${MIXED}${MIXED}:19000:0:`, MIXED],
    'a hash of a password of a directory': ['{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9gq', 'W6ph5Mm5'],
    'a password in a wrapped object of a call': ['new NetworkCredential("bob", "sunfish_2015")', 'sunfish_2015'],
    'a field that a dump of an object prints': ['    [password] => Kettle85MAP', 'Kettle85MAP'],
    'a default of a shell': ['${DB_PASSWORD:-Kettle85MAP}', 'Kettle85MAP'],
    'a password before another option': ['-o user=bob,password=Kettle85MAP,uid=1000', 'Kettle85MAP'],
    'bytes as an argument': ['client.withPassword(b"sunfish_2015")', 'sunfish_2015'],
    'a key by its Japanese name': [`マーチャント認証鍵: ${HEX}`, HEX],
    'a key behind a full-width colon': [`私钥：${HEX}`, HEX],
    'a key by its German name': [`Lizenzschlüssel: ${HEX}`, HEX],
    'a key by its French name and what it is for': [`Clé d'API : ${HEX}`, HEX],
    'a password in brackets after its Japanese name': ['パスワード(sunfish_2015)を入力してください', 'sunfish_2015'],
    'a password after a remark in Japanese': ['仮パスワード(初回変更必須) sunfish_2015', 'sunfish_2015'],
    'a password before its Japanese name and a particle': ['sunfish_2015 がパスワードです', 'sunfish_2015'],
    'a user and a password after Japanese words': ['アカウントは bob／sunfish_2015 です', 'sunfish_2015'],
    'a code in letters after its Chinese name': ['邮箱授权码：kxqwmzjtybnvdcfa', 'kxqwmzjtybnvdcfa'],
    'a code after its Spanish name': ['código de verificación: 471935', '471935'],
    'a password with a machine in German': ['das PW vom Testserver ist sunfish_2015', 'sunfish_2015'],
    'a password with a remark in French': ['mot de passe (prod) : sunfish_2015', 'sunfish_2015'],
    'a key of a terminal': [`static const char *BDK = "${HEX.toUpperCase()}";`, HEX.toUpperCase()],
    'a key of a device in an array': [`const char APPKEY[] = "${HEX.toUpperCase()}";`, HEX.toUpperCase()],
    'a part of a key in groups': ['ZMK clear component 1: 2E46 4921 446C 58AC 2E46 7484', '446C 58AC'],
    'a key in the place of a user': [`curl --user ${HEX}: https://a.io/v1`, HEX],
    'a key as the user of an address': [`curl https://${HEX}:@a.io/v1`, HEX],
    'a part of an address behind its option': [`--rpc-url https://node-7.a.io/${MIXED}abc_D/`, MIXED],
    'a part of the address of a calendar': [`https://a.io/calendar/${HEX}@b.io/reachcalendar.ics`, HEX],
    'a password of a keychain': ['security create-keychain -p sunfish72 build.keychain', 'sunfish72'],
    'a password between capitalized words': ['ipmitool -H h -U ADMIN -P Badger4Saffron power on', 'Badger4Saffron'],
    'a login of a command with a plus': ["steamcmd +login bob 'sunfish72' +quit", 'sunfish72'],
    'a password that a command with options reads': [
      'echo sunfish_72 | p4 -p ssl:a.io:1666 -u bob login',
      'sunfish_72',
    ],
    'a short option for a secret': ['tool configure -i abc25k -s qi80rmzeizxhv94if14tpbqoyr5ok4', 'qi80rmzeizxhv94'],
    'a user of Oracle without a host': ['expdp bob/sunfish72 directory=DP', 'sunfish72'],
    'a user of a server for versions': ['cvs -d :pserver:bob:sunfish72@a.io:/repo login', 'sunfish72'],
    'a quoted password of a share': ['net use Z: \\\\fs01\\share "sunfish72" /user:CORP\\bob', 'sunfish72'],
    'a user in a script for FTP': ['open ftp.a.io\nuser bob sunfish72\nbinary', 'sunfish72'],
    'a seed in groups': ["oathtool --totp -b 'mku6 goa7 3dlj d3hu tjkf tbm2'", '3dlj d3hu'],
    'a user of a modem': [' pp auth myname bob@a.io sunfish72', 'sunfish72'],
    'a key of a tunnel': ['ipsec ike pre-shared-key 1 text sunfish72', 'sunfish72'],
    'a key of a wireless network': ['SSID: office-5g  KEY: sunfish72', 'sunfish72'],
    'a column in Japanese': ['環境名,接続先,パスワード\n本番,a.io,SunfishKayak97!', 'SunfishKayak97'],
    'a column in Spanish': ['usuario,contraseña,host\nbob,SunfishKayak97,srv1', 'SunfishKayak97'],
    'a user and a password alone on a line': ['"bob" "sunfish_2015"', 'sunfish_2015'],
    'a password of a client of a modem': ['bob * sunfish_2015 *', 'sunfish_2015'],
    'a password before a remark': ['Range("B3").Value = "sunfish_2015" \' パスワード', 'sunfish_2015'],
    'a password in an element before a remark': ['<td>sunfish_2015</td> <!-- password -->', 'sunfish_2015'],
    'a value of COBOL': ['05 WS-DB-PASSWORD PIC X(8) VALUE "5RFV65L2".', '5RFV65L2'],
    'a password of a profile': ['CRTUSRPRF USRPRF(BOB) PASSWORD(7LM4MVLP)', '7LM4MVLP'],
    'a key of a store of cookies': [`sessions.NewCookieStore([]byte("${HEX}"))`, HEX],
    'a key in a list of a call': [`new Keygrip(['${HEX}'])`, HEX],
    'a password that opens a keystore': ['ks.load(in, "sunfish72".toCharArray())', 'sunfish72'],
    'a password that a call hashes': ["Hash::make('sunfish_2015')", 'sunfish_2015'],
    'a user and a password that a call encodes': ["btoa('bob:sunfish_2015')", 'sunfish_2015'],
    'a key at the end of a sentence that announces it': [
      `Generated a new client secret for the application shop-frontend (shown once): ${ID}`,
      ID,
    ],
    'a mixed password before its name': [
      'I changed it to yV2.ZbzCpj_QY.~x1#SX as the new admin password.',
      'ZbzCpj_QY',
    ],
    'a password that is compared': ['if (!"sunfish_2015".equals(password)) return', 'sunfish_2015'],
    'a password as the first of two that are compared': ['strcmp("sunfish_2015", password)', 'sunfish_2015'],
    'a value with its type in YAML': ['password: !!str sunfish#7735', 'sunfish#7735'],
    'a default behind a comma': ["config('DB_PASSWORD', default='sunfish_2015')", 'sunfish_2015'],
    'entities in a password': ['<password>Timber&amp;1lNE&lt;542</password>', '1lNE'],
    'percent codes in a password': ['GET /login?user=bob&pwd=Rocket%2B3cEERw%25 200', '3cEERw'],
    'a quote in a password in JSON in JSON': ['{"b":"{\\"password\\":\\"Canyon\\\\\\"t7HBJ298\\"}"}', 't7HBJ298'],
    'an assignment in base64 of UTF-16': [
      `-EncodedCommand ${Buffer.from("$password = 'sunfish_2015'", 'utf16le').toString('base64')}`,
      'AGEAcwBz',
    ],
    'a password that a program sends': ["irc.send(f'PASS oauth:88jqy5igu5lai9jes7q8naij854lrb\\r\\n')", '88jqy5igu5'],
    'a password below a heading and a label': ['Password reset.\nNew value: *6hC-iVm0mqlM2pFdSY9', 'iVm0mqlM2p'],
    'a temporary password with signs': ['A temporary password is generated for root@db: ab;Kq1Xs9-fG', 'Kq1Xs9'],
    'a call in the place of an option': [
      "-NewPassword (ConvertTo-SecureString -String 'sunfish72' -AsPlainText)",
      'sunfish72',
    ],
  }
  for (const [name, [text, secret]] of Object.entries(texts)) {
    test(`second pass: ${name} is redacted`, () => {
      expect(redactThoroughly(text)).not.toContain(secret)
      expect(redactThoroughly(text)).toMatch(/\[redacted:|\*{4}/)
    })
  }

  for (const [name, text] of Object.entries(INNOCENTS)) {
    test(`second pass: ${name} without secrets stays as it is`, () => expect(redactThoroughly(text)).toBe(text))
  }

  test('second pass: a password in the place that a command, a file or a call has for it is redacted', () => {
    const places = String.raw`
curl -su bob:PW https://a.io
curl -sSu bob:PW https://a.io
aws cloudformation deploy --parameters ParameterKey=DbPassword,ParameterValue=PW
aws rds add-tags --tags Key=db_password,Value=PW
mc alias set minio http://localhost:9000 minioadm PW
bw unlock PW
mkpasswd -m sha-512 PW
rar a -hpPW x.rar
echo "::add-mask::PW"
bob {noop}PW
networksetup -setairportnetwork en0 HomeNet PW
tn.read_until(b"Password: ") tn.write(b"PW\n")
send -- "PW\r"
ws.Unprotect "PW"
keychain.set("PW", forKey: "userPassword")
{"sensitive": true, "value": "PW"}
.open "host=db", "sa", "PW"
htpasswd -bc f bob PW
dscl . -passwd /Users/bob PW
security import c.p12 -P PW
useradd -m -p PW bob
tool config set --secret db PW
variable "db_password" { default = "PW"
"type": "random_password", "result": "PW"
password <- "PW"
parser.add_argument("--password", default="PW")
page.type("#login-password input", "PW")
{"username": "bob", "key": "PWq7Tz9KdW2x"}
pbkdf2_sha256$260000$PWq7Tz9KdW2xBv5RmP8s
scrypt$16384$8$1$PWq7Tz9KdW2xBv5RmP8s`
      .trim()
      .split('\n')
    for (const secret of ['Sommer2024', 'tr0ub4dor', 'kjhgf7261', 'BlueFish77', 'Kp9$vTq2xWz']) {
      const left = places.filter((place) => redactThoroughly(place.replace('PW', () => secret)).includes(secret))
      expect(left, secret).toEqual([])
    }
  })

  test('second pass: ids, hashes and names of files that look like tokens stay', () => {
    const unlike = [
      `msg_01${MIXED} user_2${MIXED} IC_kwDOQr3Tmc7syHCn`,
      `etag: W/"bf96-${MIXED}" in index-${MIXED}.js`,
      `pvc-${ID} job-${ID} https://x.io/commit/a51f429772d1e796744244128c9feeab4c26a854`,
      `commit fedb820a40887b7ed20013dbff31f78a6c42c65c, wfStep=${ID}`,
      'const chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"',
    ]
    for (const text of unlike) expect(redactThoroughly(text)).toBe(text)
  })

  test('second pass: names, versions and words near a word for a password stay', () => {
    const unlike = [
      'the password is hashed with sha256 or argon2id, see RFC 7519 and x509 in oauth2_login_v2.ts',
      'const tokenizer = "cl100k_base" // the password of a user is never printed',
      '--- PASS: TestGradientCells256 (0.00s)\n=== RUN   TestColor256Fallback',
      'users:\n  - id: user_42\nadmin: see docs/admin/page12',
      'exit code 1234, zip code 94043, Code Snippets: 1257',
      'passphrase "enter the phrase of your key"',
      'password fields have 12, 24, 36 and 48 columns',
      'the password page is forgot-password-reset-form, and the login page sign-in-new-users',
      'uses: Azure/static-web-apps-deploy@1a947af9992250f3bc2e68ad0754c0b0c11566c9',
      'new Parser("words.txt", "utf8", "node20x2")',
      '$ cat tokens.md\nabcdefgh-1234',
      '$ npm run print-token-types\nsrc/tokens2.ts',
      'const jwk = { kty: "RSA", d: encodeBase64Url(number), p: primeNumberOfKey }',
      '<key>password</key>\n<string>required</string>',
      `tokens:\n  input: 1200\ncommit: ${HEX}`,
      '| user42 | reset password |\n| id | value_1 |',
      "INSERT INTO users (mail, password) VALUES ('a@b.io', NULL), ('password', '')",
      'tool --show-token dbToken "text of the page"',
      'toolskey = "VS%0.f0COMNTOOLS" % version',
      'passphrase: enter the words that you use\nDB_PASSWORD="this value has four words"',
      'token       description\nsecret      varchar(255)\npassword    required',
      "define('CACHE_KEY', 'the name of the cache of pages')",
      '-token: string\n-key = value2\n+x',
      'user turned on >output and localhost:3000 GET:abc12345',
      'ffmpeg -i a rtmp://localhost/live/stream1',
      'https://a.io/?access_token=$TOKEN&state=ss345asyht&scope=all',
      `[${Array.from({ length: 64 }, (_, i) => i)}]`,
      `const sum = createHash('md5').update(text).digest('hex') === '${HEX}'`,
      `X-Idempotency-Key: ${ID}\ncache-key: ${ID}, primary key ${ID}, the cache key for it is ${HEX}`,
      'const alphabet = "abcdefghijklmnopqrstuvwxyz" +\n  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"',
      `[${Array.from({ length: 30 }, (_, i) => i)},\n… 99 characters cut …\n${BYTES.toSorted((a, b) => a - b)}]`,
      'users:\n  - name: user_42\n  - role:admin_role_2',
      'tokens: max_tokens_2024, min_tokens_2025\nsecrets:\n  - db_password_v2',
      '{"type": "token", "value": "name2x1"} {"kind": "keyword", "text": "const"}',
      '{"name": "theme", "value": "dark-blue-4000-and-more", "domain": "a.io"}',
      "createHash('sha512-256') jwt.verify(token, 'HS256-or-other', publicKey)",
      'if (kind === "level2x3" || password === undefined) return // the password',
      'mkdir -p /c/Users/dev8/AppData/Local/Temp/claude/D--oh-my-posh/597d17fc && git show -s fedb820a40887b7ed2001',
      'POST /api/workflows/5b794718-5e9c-488c-952b-97387754535a/trigger?secret=wrong-secret',
      'component.error = component.error || "HTTP URIs must have a host"',
      'useradd -k /etc/skel2 bob && connect src/main2 && open ftp\nuser id_of_page2',
      '姓名,部署,内線\n山田,開発2課,4021',
      '4E0B 51E1 52FA 5343 53C9 53E3 571F 58EB',
      'This requires the key-codes to be sent.\n\n\t\t*vt100-fun* *xterm-function-keys*',
      `bundle component: app2024\nthe new token is valid for the commit: ${HEX}`,
    ]
    for (const text of unlike) expect(redactThoroughly(text)).toBe(text)
  })

  test('second pass: the first lines of what prints a secret are removed, other lines stay', () => {
    const printed = (command: string, stdout: string): string => {
      const response = { stdout, stderr: '', interrupted: false }
      const payload = { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't', session_id: 's' }
      const event = recordedAs({ ...payload, cwd: '/x', tool_input: { command }, tool_response: response })
      return JSON.stringify(event && redactStoredEvent(event))
    }
    expect(printed('argocd admin initial-password', 'b7GxQ2vLk9\n\nChange it now.')).not.toContain('b7GxQ2vLk9')
    expect(printed('argocd admin initial-password', 'b7GxQ2vLk9\n\nChange it now.')).toContain('Change it now')
    expect(printed('git log --format=%H src/auth', '4fc8f30a\n5ac8f30b')).toContain('4fc8f30a')
  })

  test('second pass: numbers and lists that look like cards and tables stay', () => {
    const unlike = [
      'U+4E00 4E01 5115 5180 5291 5293 52F5 52FE',
      `order ${card.slice(0, 15)}${(Number(card[15]) + 1) % 10} of 2026`,
      `sha ${card}abcdef and v1.${card}`,
      "  'password', 'passwd',\n  'repository', 'username',\n",
      'import {\n  PrivateKey,\n  PublicKey,\n} from "keys"\n',
    ]
    for (const text of unlike) expect(redactThoroughly(text)).toBe(text)
  })

  test('second pass: an event never gets longer, and a second time changes nothing', () => {
    for (const [i, format] of FORMATS.entries()) {
      const event = recordedAs(format.make(seededRandom(i + 7)).payload)
      if (event === undefined) throw new Error(`${format.name} is not recorded`)
      const clean = redactStoredEvent(event)
      expect(encodeLogLine(clean).length, format.name).toBeLessThanOrEqual(encodeLogLine(event).length)
      expect(redactStoredEvent(clean), format.name).toEqual(clean)
      expect(redactStoredEvent(redactStoredEvent(clean))).toBe(redactStoredEvent(clean))
    }
  })

  /** A vector whose base64 has what looks like a token, at any place. */
  const vectorWith = (token: string, at: number): string => {
    const numbers = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i + at) / 20)
    const base64 = Buffer.from(numbers.buffer).toString('base64')
    return base64.slice(0, at) + token + base64.slice(at + token.length)
  }

  test('second pass: a vector is no text, whatever its base64 looks like', () => {
    for (let at = 0; at < 1_900; at += 4) {
      const vector = vectorWith(`/EAA${'Pj4Q'.repeat(20)}`, at)
      expect(redactThoroughly(vector)).not.toBe(vector)
      const event = storing({ embedding: { model: 'm', vector } })
      expect(redactStoredEvent(event)).toBe(event)
      const batch = systemEvent({ kind: 'memory.batch', stored: [event.memory], changes: [] } as const, { now: 0 })
      expect(redactStoredEvent(batch)).toBe(batch)
    }
  })

  test('second pass: random vectors stay as they are', () => {
    for (let n = 0; n < 2_000; n += 1) {
      const numbers = Float32Array.from({ length: 384 }, () => random.below(1e6) / 1e6 - 0.5)
      const event = storing({ embedding: { model: 'm', vector: Buffer.from(numbers.buffer).toString('base64') } })
      expect(redactStoredEvent(event)).toBe(event)
    }
  })

  test('second pass: what is in the place of a vector and is none is searched', () => {
    const event = storing({ embedding: { model: 'm', vector: `API_TOKEN=${key}` } })
    expect(JSON.stringify(redactStoredEvent(event))).not.toContain(key)
    const metadata = { embedding: { model: 'm', vector: vectorWith(`/EAA${'Pj4Q'.repeat(20)}`, 8) } }
    expect(redactStoredEvent(storing({ metadata }))).not.toEqual(storing({ metadata }))
  })

  test('second pass: the vector of a text with a secret goes with the secret', () => {
    const embedding = { model: 'm', vector: vectorWith('', 0) }
    const event = storing({ content: `sudo: echo '${password}' | sudo -S reboot`, embedding })
    const { memory } = redactStoredEvent(event) as typeof event
    expect(memory.content).not.toContain(password)
    expect(memory.embedding).toBeUndefined()
  })

  test('second pass: ids and hashes of 16 digits are no card numbers', () => {
    const id = card as EventId
    const importSource = { origin: 'import:claude-mem', location: 'x', item: '1', hash: card } as const
    for (const event of [
      storing({ events: [id], importSource }),
      systemEvent({ kind: 'recall.judged', recall: id, helped: [] } as const, { now: 0 }),
    ])
      expect(redactStoredEvent(event)).toBe(event)
    expect(JSON.stringify(redactStoredEvent(storing({ content: `paid with ${card}` })))).not.toContain(card)
  })

  test('second pass: an event without secrets is returned as it is, with its ids', () => {
    const event = recordedAs({ session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: 'テストを直して。' })
    if (event === undefined) throw new Error('not recorded')
    expect(redactStoredEvent(event)).toBe(event)
  })
})
