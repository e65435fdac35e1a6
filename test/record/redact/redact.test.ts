// Secrets never reach the log: what redaction removes and what it leaves. secretlint's rules are the reference.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactDeep, redactEnvFile } from '../../../src/record/redact/redact.ts'
import { removePrivateParts } from '../../../src/record/sanitizePayload.ts'
import { INNOCENTS } from './nonSecrets.ts'
import { scanned } from './scanner.ts'
import { drawn, keyBlock, password, SHAPES } from './secretShapes.ts'

/** Where a secret may stand in what a tool prints. */
const SURROUNDINGS: Readonly<Record<string, (secret: string) => string>> = {
  log: (secret) => `2026-01-05T12:00:00Z INFO calling the service with ${secret} attempt=1\n`,
  sentence: (secret) => `The one in use is ${secret}.\n`,
  json: (secret) => JSON.stringify({ level: 'info', value: secret, attempt: 1 }),
  'json in json': (secret) => JSON.stringify({ stdout: `${JSON.stringify({ value: secret })}\n${secret}\nend` }),
  shell: (secret) => `curl -s -H "X-Service: ${secret}" https://api.example.com/v1 | jq .\n`,
  export: (secret) => `export SERVICE_VALUE=${secret}\necho done\n`,
  code: (secret) => `const client = new Client('${secret}', { retries: 3 })\n`,
  markdown: (secret) => `| name | value |\n|---|---|\n| service | \`${secret}\` |\n`,
  japanese: (secret) => `設定の値は「${secret}」です。${secret}を確認してください。\n`,
  diff: (secret) => `@@ -1 +1 @@\n-${secret}\n+${secret}\n`,
  colours: (secret) => `\u001b[32m${secret}\u001b[0m ok\n`,
  address: (secret) => `GET https://api.example.com/v1?a=1&value=${secret} 200\n`,
}

const WINDOW = 8

/** The first run of eight characters of the secret that a text still holds. */
function traceOf(secret: string, text: string): string | undefined {
  for (let start = 0; start + WINDOW <= secret.length; start += 1) {
    const run = secret.slice(start, start + WINDOW)
    if (text.includes(run)) return run
  }
  return undefined
}

describe('record: tokens by shape', () => {
  for (const { kind, secret, known } of SHAPES) {
    const [sample] = fc.sample(secret, { numRuns: 1, seed: 1 })
    test(`record: a ${kind} (${sample!.slice(0, 6)}…) leaves no trace, whatever surrounds it`, async () => {
      const around = fc.constantFrom(...Object.values(SURROUNDINGS))
      const clean: string[] = []
      fc.assert(
        fc.property(secret, around, (one, surround) => {
          clean.push(redact(surround(one)))
          expect(traceOf(one, clean.at(-1)!)).toBeUndefined()
          expect(clean.at(-1)).toContain(`[redacted:${kind}]`)
        }),
      )
      expect(await scanned(clean.join('\n'))).toEqual([])
      // The scanner must detect the secret here, or an empty result proves nothing.
      if (known) expect(await scanned(`value ${sample} end`)).not.toEqual([])
    })
  }

  test('record: the text around a token stays', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SHAPES),
        fc.constantFrom(...Object.values(SURROUNDINGS)),
        fc.nat(),
        (shape, surround, seed) => {
          const [secret] = fc.sample(shape.secret, { numRuns: 1, seed })
          expect(redact(surround(secret!))).toBe(surround(secret!).replaceAll(secret!, `[redacted:${shape.kind}]`))
        },
      ),
    )
  })

  test('record: a truncated token is redacted as well', () => {
    const cut = SHAPES.filter(({ kind }) => /github|gitlab-token|anthropic|openai|vault|jwt/.test(kind))
    fc.assert(
      fc.property(fc.constantFrom(...cut), fc.nat(), (shape, seed) => {
        const [secret] = fc.sample(shape.secret, { numRuns: 1, seed })
        const half = secret!.slice(0, Math.max(32, Math.ceil(secret!.length * 0.75)))
        expect(traceOf(half, redact(`value ${half}`))).toBeUndefined()
      }),
    )
  })
})

describe('record: private keys', () => {
  const words = fc.constantFrom(
    'RSA PRIVATE KEY',
    'PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'EC PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  )
  const breaks = fc.constantFrom('\n', '\r\n', '\\n', '\n    ', '\n  12→', '\n+', '\\r\\n')
  const block = fc
    .tuple(words, breaks)
    .chain(([title, lineBreak]) => fc.tuple(keyBlock(title, lineBreak), fc.constant(lineBreak)))
  const lines = (body: string): string[] => body.match(/[A-Za-z0-9+/]{16,}/g) ?? []

  test('record: a private key is redacted completely, and nothing after it', async () => {
    const all: string[] = []
    fc.assert(
      fc.property(block, ([{ whole, body }]) => {
        const clean = redact(`before\n${whole}after the key`)
        for (const line of lines(body)) expect(traceOf(line, clean)).toBeUndefined()
        expect(clean).toMatch(
          /^before\n[^A-Za-z0-9]*\[redacted:private-key\][^A-Za-z0-9]*(?:12→|[nr\\])*after the key$/,
        )
        all.push(clean)
      }),
    )
    expect(await scanned(all.join('\n'))).toEqual([])
  })

  test('record: a private key truncated at either end is redacted as far as it goes', () => {
    fc.assert(
      fc.property(block, ([{ whole, body }]) => {
        const start = whole.indexOf(body)
        for (let cut = 24; cut < body.length; cut += 1) {
          const head = whole.slice(0, start + cut)
          const headLeft = redact(head)
          for (const line of lines(head)) if (line.length >= 24) expect(traceOf(line, headLeft)).toBeUndefined()
          const tail = whole.slice(start + body.length - cut)
          const tailLeft = redact(tail)
          for (const line of lines(tail)) if (line.length === 64) expect(traceOf(line, tailLeft)).toBeUndefined()
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('record: secrets by name', () => {
  const places: Readonly<Record<string, (secret: string) => string>> = {
    'an env line': (secret) => `DB_PASSWORD=${secret}\n`,
    'an exported variable': (secret) => `export API_KEY="${secret}"\n`,
    'a JSON field': (secret) => JSON.stringify({ user: 'bob', password: secret, port: 5432 }),
    'JSON inside JSON': (secret) => JSON.stringify({ body: JSON.stringify({ client_secret: secret, id: 1 }) }),
    'a YAML field': (secret) => `database:\n  user: bob\n  password: ${secret}\n  port: 5432\n`,
    'a Kubernetes variable': (secret) => `  - name: DB_PASSWORD\n    value: ${secret}\n`,
    'an assignment': (secret) => `const secret = '${secret}'\n`,
    'a typed assignment': (secret) => `password: str = "${secret}"\n`,
    'an option': (secret) => `tool login --user bob --password ${secret} --verbose\n`,
    'an option with =': (secret) => `tool login --token=${secret} --verbose\n`,
    'mysql -p': (secret) => `mysql -h db -u root -p${secret} shop < dump.sql\n`,
    'curl -u': (secret) => `curl -u bob:${secret} https://api.example.com/\n`,
    'docker login -p': (secret) => `docker login -u bob -p ${secret} registry.example.com\n`,
    'a query string': (secret) => `GET /v1/items?page=2&access_token=${secret}&sort=name 200\n`,
    'a connection string': (secret) => `Server=db;User Id=sa;Password=${secret};Encrypt=true`,
    'an address': (secret) => `postgres://bob:${secret}@db.example.com:5432/shop`,
    'an address without a user': (secret) => `redis://:${secret}@cache.example.com:6379/0`,
    'a bearer header': (secret) => `Authorization: Bearer ${secret}\n`,
    'a header in code': (secret) => `headers: { 'Authorization': 'token ${secret}', 'X-Api-Key': '${secret}' }`,
    'a cookie': (secret) => `Cookie: theme=dark; session=${secret}; lang=en\n`,
    'a cookie set': (secret) => `< Set-Cookie: sid=${secret}; Path=/; HttpOnly\n`,
    netrc: (secret) => `machine api.example.com\n  login bob\n  password ${secret}\n`,
    npmrc: (secret) => `//registry.npmjs.org/:_authToken=${secret}\nalways-auth=true\n`,
    xml: (secret) => `<server><username>bob</username><password>${secret}</password></server>`,
    'an assignment of a default': (secret) => `process.env['JWT_SECRET'] ??= '${secret}';\n`,
    'a map of Scala': (secret) => `Map("user" -> "bob", "password" -> "${secret}")`,
    'a dump of PHP': (secret) => `["password"]=>\n  string(14) "${secret}"\n`,
    'a Dockerfile': (secret) => `FROM node:20\nENV DB_PASSWORD ${secret}\n`,
    'a Japanese sentence': (secret) => `ユーザーは bob、パスワードは ${secret} です。`,
  }

  for (const [place, put] of Object.entries(places)) {
    test(`record: the secret of ${place} is redacted, and the text around it stays`, () => {
      fc.assert(
        fc.property(password, (secret) => {
          const text = put(secret)
          const clean = redact(text)
          expect(traceOf(secret, clean)).toBeUndefined()
          const [before, after] = [
            text.slice(0, text.indexOf(secret)),
            text.slice(text.lastIndexOf(secret) + secret.length),
          ]
          expect(clean.startsWith(`${before}[redacted:`)).toBe(true)
          expect(clean.endsWith(`]${after}`)).toBe(true)
        }),
      )
    })
  }

  test('record: a password in a sentence is redacted, a sentence about how passwords are stored stays', () => {
    const begins = fc.constantFrom('Shanghai', 'aesop', 'Base', 'utf', 'SHA256', 'md5', 'oauth2', 'bcrypt')
    fc.assert(
      fc.property(begins, password, (begin, rest) => {
        const text = `本番のパスワードは${begin}${rest}です。 The password is ${begin}${rest}.`
        expect(redact(text)).toBe('本番のパスワードは[redacted:password]です。 The password is [redacted:password].')
      }),
    )
    for (const kept of [
      'SHA-256',
      'sha256',
      'base64',
      'utf-8',
      'aes-256-gcm',
      'argon2id',
      'pbkdf2-sha512',
      'bcrypt-12',
      'sha3-512',
    ]) {
      const text = `パスワードは${kept}で保存する。 The password is ${kept} encoded.`
      expect(redact(text)).toBe(text)
    }
  })

  test('record: basic authorization is redacted, whatever the user and password', () => {
    fc.assert(
      fc.property(drawn('abcdefghij', 3, 8), password, (user, secret) => {
        const pair = Buffer.from(`${user}:${secret}`).toString('base64')
        expect(redact(`Authorization: Basic ${pair}\r\n`)).toBe('Authorization: Basic [redacted:authorization]\r\n')
      }),
    )
  })

  test('record: Azure keys and signatures are redacted', () => {
    const base64 = drawn('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 86)
    fc.assert(
      fc.property(base64, (key) => {
        const storage = `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key}==;EndpointSuffix=core.windows.net`
        expect(redact(storage)).toMatch(/;AccountKey=\[redacted:[a-z]+\];EndpointSuffix=core\.windows\.net$/)
        const signed = `https://shop.blob.core.windows.net/a?sv=2024-01-01&sig=${key.slice(0, 43)}%3D&se=2026-01-01`
        expect(redact(signed)).toMatch(/&sig=\[redacted:signature\]&se=2026-01-01$/)
      }),
    )
  })
})

describe('record: text without secrets stays', () => {
  for (const [name, text] of Object.entries(INNOCENTS)) {
    test(`record: ${name} comes back unchanged, and as the same value`, () => {
      expect(redact(text)).toBe(text)
      const value = { tool_response: { stdout: text, lines: text.split('\n') } }
      expect(redactDeep(value)).toBe(value)
    })
  }

  test('record: digests, identifiers and base64 without a secret’s name stay', () => {
    const digest = fc.constantFrom(7, 12, 32, 40, 64, 128).chain((length) => drawn('0123456789abcdef', length))
    const base64 = drawn('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 40, 400)
    fc.assert(
      fc.property(digest, fc.uuid(), base64, (hash, id, data) => {
        const text = `commit ${hash}\nid: ${id}\nsha512-${data}==\ndata:image/png;base64,${data}\n"etag": "${hash}"\n`
        expect(redact(text)).toBe(text)
      }),
    )
  })
})

describe('record: redaction as an operation', () => {
  const telling = fc.constantFrom(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference as a shell writes it.
    ...'password token secret api_key PASSWORD= token= "secret": Authorization: Bearer Basic Cookie: sid= --password -p mysql curl -u :// user: @host ? & ; , = : " \' ` \\" \\n { } ( ) [ ] < > $ ${ } [redacted:token] [redacted: xxxx your [private] machine login KEY= は パスワード'.split(
      ' ',
    ),
    ' ',
    '\n',
    ...['gh', 'sk', 'AK', 'ey'].map((half, place) => half + ['p_', '-', 'IA', 'J'][place]!),
    `-----BEGIN ${'RSA PRIVATE'} KEY-----`,
    `-----END ${'RSA PRIVATE'} KEY-----`,
  )
  const text = fc.array(fc.oneof(telling, telling, drawn('ABCDEFabcdef0123456789', 4, 48), fc.string()), {
    maxLength: 16,
  })

  test('record: redacting twice equals redacting once', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const once = redact(parts.join(''))
        expect(redact(once)).toBe(once)
        const env = redactEnvFile(parts.join(''))
        expect(redactEnvFile(env)).toBe(env)
      }),
      { numRuns: 3000 },
    )
  })

  test('record: redacting a value redacts each of its strings', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
        const strings = texts.map((parts) => parts.join(''))
        const fields = (list: readonly string[]) => Object.fromEntries(list.map((line, i) => [`line${i}`, line]))
        expect(redactDeep(fields(strings))).toEqual(fields(strings.map(redact)))
      }),
      { numRuns: 2000 },
    )
  })

  test('record: any JSON value can be redacted, keeps its shape, and a second time changes nothing', () => {
    const key = fc.oneof(telling, fc.string())
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text.map((parts) => parts.join('')),
        fc.integer(),
        fc.constant(null),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      object: fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        const once = redactDeep(value)
        expect(redactDeep(once)).toEqual(once)
        expect(shapeOf(once)).toEqual(shapeOf(value))
      }),
      { numRuns: 500 },
    )
  })

  /** Kinds of values and how many, in order. A number under the name of a password becomes a mark. */
  function shapeOf(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(shapeOf)
    return typeof value === 'object' && value !== null
      ? Object.values(value).map(shapeOf)
      : typeof value === 'number'
        ? 'string'
        : typeof value
  }
})

describe('record: values of any depth', () => {
  test('record: a string under a secret’s name is redacted completely, other fields stay identical', () => {
    fc.assert(
      fc.property(
        password,
        fc.constantFrom('password', 'passwd', 'client_secret', 'apiKey', 'ACCESS_KEY', 'private-key', 'token'),
        (secret, key) => {
          const value = { user: { name: 'bob' }, auth: { [key]: secret, kept: 1 } }
          const clean = redactDeep(value)
          expect(JSON.stringify(clean)).not.toContain(secret)
          expect(clean.user).toBe(value.user)
          expect(clean.auth['kept']).toBe(1)
        },
      ),
    )
  })

  test('record: a value is redacted if a column, an attribute or a field of a form names it', () => {
    const secret = 'Sunfish-Kayak-94'
    const values = [
      { columns: ['user', { name: 'password' }], rows: [['bob', secret]] },
      { '@name': 'db.password', '#text': secret },
      { element: 'パスワード入力欄', text: secret },
    ]
    for (const value of values) expect(JSON.stringify(redactDeep(value))).not.toContain('Kayak')
    const usage = {
      columns: ['model', 'tokens'],
      rows: [
        ['large', '12,345'],
        ['small', '678'],
      ],
    }
    expect(redactDeep(usage)).toBe(usage)
  })

  test('record: headers are redacted by their name', () => {
    const headers = {
      authorization: 'token abcdef123456ghijkl',
      cookie: 'theme=dark; sid=abcdef123456',
      accept: 'text/html',
    }
    expect(redactDeep({ headers })).toEqual({
      headers: {
        authorization: 'token [redacted:authorization]',
        cookie: 'theme=dark; sid=[redacted:cookie]',
        accept: 'text/html',
      },
    })
  })

  test('record: a secret in a key is redacted, and no field overwrites another', () => {
    fc.assert(
      fc.property(fc.uniqueArray(SHAPES[0]!.secret, { minLength: 2, maxLength: 4 }), (secrets) => {
        const clean = redactDeep(Object.fromEntries(secrets.map((secret, place) => [secret, place])))
        expect(Object.values(clean)).toEqual(secrets.map((_, place) => place))
        for (const secret of secrets) expect(JSON.stringify(clean)).not.toContain(secret)
      }),
    )
  })

  test('record: a value nested too deeply is left out, not passed through', () => {
    let value: unknown = 'deep down, password=hunter2'
    for (let depth = 0; depth < 5000; depth += 1) value = depth % 2 ? [value] : { in: value }
    expect(JSON.stringify(redactDeep(value))).not.toContain('deep down')
    expect(JSON.stringify(redactDeep(JSON.parse('{"__proto__": {"password": "hunter2"}}')))).toBe(
      '{"__proto__":{"password":"[redacted:password]"}}',
    )
  })
})

describe('record: env files', () => {
  const file = `# shop\nNODE_ENV=production\nexport SMTP_USER="bob"\nEMPTY=\nOTHER=$NODE_ENV\nMULTI='first\nsecond'\nLAST=x-1 # why\n`

  test('record: values of env files are redacted; names, comments, references and empty values stay', () => {
    expect(redactEnvFile(file)).toBe(
      '# shop\nNODE_ENV=[redacted:env]\nexport SMTP_USER="[redacted:env]"\nEMPTY=\nOTHER=$NODE_ENV\n' +
        "MULTI='[redacted:env]'\nLAST=[redacted:env]\n",
    )
  })

  for (const fileName of [
    '.env',
    '/app/.env.local',
    'C:\\app\\.env',
    '.envrc',
    'deploy/prod.env',
    'cat ../.env | head',
  ]) {
    test(`record: ${fileName} is an env file`, () => {
      const value = { tool_input: { content: file }, tool_response: { file: { content: file } } }
      const clean = JSON.stringify(redactDeep(value, { fileName }))
      for (const secret of ['production', 'bob', 'second', 'x-1']) expect(clean).not.toContain(secret)
    })
  }

  for (const fileName of ['.env.example', 'src/env.ts', 'environment.yaml', 'my.environment', 'process.env.ts']) {
    test(`record: ${fileName} is no env file`, () => {
      const value = { tool_input: { content: 'NODE_ENV=production\n' } }
      expect(redactDeep(value, { fileName })).toBe(value)
    })
  }

  test('record: an edit in an env file that names no key has its value redacted too', () => {
    fc.assert(
      fc.property(drawn('ABCDEFGHJKLMabcdefghjklm23456789', 30, 60), (secret) => {
        const clean = redactDeep({ old_string: 'changeme', new_string: secret }, { fileName: '.env' })
        expect(clean).toEqual({ old_string: 'changeme', new_string: '[redacted:env]' })
      }),
    )
  })
})

describe('record: text marked private', () => {
  test('record: text between private marks is removed, and all other text stays', () => {
    const words = fc.string().filter((words) => !words.includes('<'))
    const mark = fc.constantFrom('private', 'PRIVATE', 'Private')
    fc.assert(
      fc.property(words, words, words, mark, (before, inside, after, tag) => {
        expect(removePrivateParts(`${before}<${tag}>${inside}</${tag}>${after}`)).toBe(`${before}[private]${after}`)
        expect(removePrivateParts(`${before}<${tag}>${inside}<private>x</private>${inside}</${tag}>${after}`)).toBe(
          `${before}[private]${after}`,
        )
        expect(removePrivateParts(`${before}<${tag}>${inside}`)).toBe(`${before}[private]`)
        expect(removePrivateParts(before + inside)).toBe(before + inside)
      }),
    )
  })

  const variants: Readonly<Record<string, readonly [open: string, close: string]>> = {
    attributes: ['<private reason="a > b" until=2030>', '</private>'],
    'line breaks': ['<private\n  reason="x"\n>', '</private\n>'],
    'an attribute without a value': ['<private hidden>', '</private>'],
    entities: ['&lt;private&gt;', '&lt;/private&gt;'],
    'full width': ['＜private＞', '＜／private＞'],
  }
  for (const [name, [open, close]] of Object.entries(variants)) {
    test(`record: a private tag with ${name} is a private tag`, () => {
      expect(removePrivateParts(`vor ${open}the contract${close} 後`)).toBe('vor [private] 後')
    })
  }

  test('record: a placeholder, a component and a tag that closes itself are no private tags', () => {
    for (const text of [
      'use <private key> here',
      '<PrivateRoute path="/">',
      'Foo<private-key>',
      'a <private/> b',
      'a < b',
    ])
      expect(removePrivateParts(text)).toBe(text)
  })

  test('record: removing private text twice equals removing it once', () => {
    const part = fc.oneof(fc.constantFrom('<private>', '</private>', '<PRIVATE >', '<', 'private>'), fc.string())
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const once = removePrivateParts(parts.join(''))
        expect(removePrivateParts(once)).toBe(once)
      }),
    )
  })
})
