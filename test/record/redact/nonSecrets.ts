// Texts without secrets, as a session's tools return them. Redaction must leave each unchanged.

const sha = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

export const INNOCENTS: Readonly<Record<string, string>> = {
  typescript: `
export interface Login { readonly user: string; readonly password: string; token?: string | undefined }
export async function login({ user, password }: Login): Promise<Session> {
  const token = await issueToken(user, password)
  const secret = process.env.SESSION_SECRET ?? config.secret
  if (password === '' || !token) throw new MemoryError('LOGIN_FAILED', 'the password is wrong')
  this.apiKey = options.apiKey
  const headers = { Authorization: \`Bearer \${token}\`, 'x-api-key': apiKey, cookie: request.headers.cookie }
  return { token, secret: sign(secret), tokens: words.map((word) => tokenOf(word)), tokenType: 'Bearer' }
}
const tokenKinds = { comma: ',', string: 'string' }; for (const token of tokens) if (token.kind === 'comma') next()
type Token = { kind: 'keyword' | 'identifier'; text: string }; const MAX_TOKENS = 4096
const passwordField = screen.getByLabelText('Password'); expect(passwordField).toHaveAttribute('type', 'password')
`,
  python: `
import os
API_KEY = os.environ["OPENAI_API_KEY"]
password = getpass.getpass("Password: ")
token: str | None = None
def connect(user: str, password: str, *, secret: Optional[str] = None) -> Client:
    return Client(user=user, password=password, token=os.getenv("TOKEN"), secret=secret or default_secret())
parser.add_argument("--password", help="password for the account", default=None)
assert response.json()["token"] == token, "token mismatch"
`,
  go: `
type Config struct { Password string; Token string \`json:"token"\`; SecretKey []byte }
func (c *Config) Auth() string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(c.User + ":" + c.Password)) }
token := lexer.Next(); if token.Type != TokenEOF { return fmt.Errorf("unexpected token: %s", token.Literal) }
`,
  rust: `let token: Token = self.tokens.next().unwrap(); let password = prompt_password("Password: ")?; pub secret_key: SecretKey,`,
  shell: `
curl -H "Authorization: Bearer $GITHUB_TOKEN" -u "$USER:$PASSWORD" https://api.example.com/v1
export API_KEY=<your-api-key>; export TOKEN=\${TOKEN:?required}; PASSWORD=changeme DB_PASSWORD=your-password
echo "$DOCKER_PASSWORD" | docker login --username bob --password-stdin
mysql -u root -p mydb < dump.sql; ssh -p 2222 host; mkdir -p build/cache-v2; git log -p src/token.ts; cp -a dist out
gh auth status; docker run -p 8080:80 -u 1000:1000 nginx; PWD=/home/dev/projects/x1y2z3
`,
  workflow: `
env:
  NPM_TOKEN: \${{ secrets.NPM_TOKEN }}
  GITHUB_TOKEN: \${{ github.token }}
permissions:
  id-token: write
steps:
  - uses: actions/cache@v4
    with:
      key: \${{ runner.os }}-node-\${{ hashFiles('package-lock.json') }}
      token: \${{ secrets.GITHUB_TOKEN }}
  - run: npm publish --//registry.npmjs.org/:_authToken=\${NPM_TOKEN}
`,
  kubernetes: `
        - name: DB_PASSWORD
          valueFrom:
            secretKeyRef:
              name: db-credentials
              key: password
      imagePullSecrets: [{ name: regcred }]
`,
  lockfile: `
    "node_modules/ms": {
      "version": "2.1.3",
      "resolved": "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz",
      "integrity": "sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA==",
    "node_modules/js-tokens": { "version": "9.0.1", "license": "MIT" },
checksum = "${sha}"
golang.org/x/oauth2 v0.21.0 h1:tsimM75w1tF/uws5rbeHzIWxEqElMehnc+iW793zsZs=
`,
  diff: `
diff --git a/src/auth/token.ts b/src/auth/token.ts
index 3f1c2ab..9d0e7f4 100644
--- a/src/auth/token.ts
+++ b/src/auth/token.ts
@@ -12,7 +12,7 @@ export function refresh(token: Token): Token {
-  const secret = readSecret(path)
+  const secret = await readSecret(path, { encoding: 'utf8' })
   return sign({ ...token, expires: now + tokenTtlMs }, secret)
`,
  'git log': `
commit 9fceb02d0ae598e95dc970b74767f19372d61af8 (HEAD -> main, origin/main)
Author: Some Developer <dev@example.com>
Date:   Mon Jan 5 12:17:31 2026 +0000

    auth: rotate the token before it expires

    The password is asked for once. Token: now bound to its session. Refs #4821, 3c7eab1, d670460b4b4aece5915caf5c68d12f560a9fe3e4
`,
  logs: `
2026-01-05T12:00:00.123Z INFO  request id=0bb9a2d9-a51e-4d5a-8275-566c766a0ff2 GET https://api.example.com:8443/v1/items?page=2&sort=name 200 12ms
{"session_id":"0bb9a2d9-a51e-4d5a-8275-566c766a0ff2","tool_use_id":"toolu_01PU4UVwSzn4N9oF7G8Kk7t8","input_tokens":68232,"service_tier":"standard"}
sha256:${sha}  etag: W/"1f-VyWXfWbPCdoPbtYKKpcpKCq4QqI"  error: invalid token at line 3; secret not found: db-credentials
✓ auth > rejects a wrong password (12 ms)   ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx0Vwz3vGk8Nn0vQf4xT7mS1oE2rYcUuPq5wZbHdL6K dev@host
`,
  markdown: `
# Tokens
Set \`OPENAI_API_KEY\` (it begins with \`sk-...\`), or pass \`--token <token>\`. A GitHub token looks like \`ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\`.
Use Basic authentication or a Bearer token. Never commit a password, an API key or a private key (\`-----BEGIN PRIVATE KEY-----\`).
| option | meaning |
|---|---|
| \`--password string\` | The password to use |
| \`secret\` | the secret's name, for example \`db-credentials\` |
See https://example.com/docs/authentication#bearer-tokens, git@github.com:org/repo.git and postgres://user:password@localhost/db.
`,
  settings: `{"type": "object", "properties": {"password": {"type": "string", "description": "The password of the account"},
 "token": {"type": "string", "format": "password"}, "apiKey": {"$ref": "#/definitions/apiKey"}}, "required": ["password", "token"]}
{"login.password": "Password", "login.token": "Enter your token", "secretName": "db-credentials", "max_tokens": 1024, "tokenizer": "cl100k_base"}`,
  japanese: `
パスワードは必須です。トークンの有効期限が切れています。秘密鍵はコミットしないでください。
認証トークン：未設定　APIキーは環境変数から読みます。シークレットは <your-secret> を置き換えてください。
const トークン = 字句解析(入力) // トークンは 3 種類です。
`,
  image: `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==">`,
  pem: `
if (text.includes('-----BEGIN PRIVATE KEY-----') && text.includes('-----END PRIVATE KEY-----')) return 'pem'
-----BEGIN CERTIFICATE-----
MIIBhTCCASugAwIBAgIQIRi6zePL6mKjOipn+dNuaTAKBggqhkjOPQQDAjASMRAw
DgYDVQQKEwdBY21lIENvMB4XDTE3MTAyMDE5NDMwNloXDTE4MTAyMDE5NDMwNlow
-----END CERTIFICATE-----
`,
  'names with numbers': `
git checkout feature-login-page-12; ssh worker-node-cluster-12 # key, token, login
message.key = writer.uint32(reader.uint64()); const glsl_source_1 = step*float64;
struct cmac128_key { nettle_block16 K1 }
<div key={i} className="text-slate-400 dark:text-orange-600 border-amber-500/30">
log in, ssh: monday-call-2, omp-space-1</div>
GHSA-6xj8-qv9j-xcjq 38917d7d-9f69-4210-a3b0-eed0a9e97575 user@contoso-devbox^G
if (apiKey && !isGitHubWebhook) modules@64
`,
  'names that end with a part of a hash': `
The folder is deleted, with the memories of 2 projects: project-6f4b6612 and shop_3e1e967
dist/main.b7a56873.js and the bucket billing-785f3ec7eb32 are in the cache of worker-f5ca38
`,
  'names of hosts beside words for log-ins': `
ssh tokyo-bastion01 uptime; ssh -J jump frontend-proxy02; scp dump.sql deploy@paris-gateway02:/srv
Never ssh to mysql-primary01 directly
Always ssh through berlin-bastion02, never directly.
Never log in to oracle-primary01 as root.
kubectl exec -it payments-redis01 -- sh  # auth
the vpn host is munich-router03
root login on gateway-edge01 failed
ssh neo4j-primary01; ping web1-frontend01 # log4j-core17 auth0-tenant12
`,
  'names of hosts beside words for secrets': `
{"host": "mysql-primary12", "user": "root", "token": "[redacted:token]"}
ssh -J jump frontend-proxy12 # needs the token; scp dump.sql frontend-proxy12:/tmp # the password is in the vault
The password of tokyo-bastion12 expired; rotate the token on mysql-primary01
`,
  'names of models and tickets, and a place': `
auth.service: see ticket-triage2023
use gemini-flash-lite-2024 for auth texts
secret santa at hotel-berlin2024
`,
  'names of events with a year': `
title: "HappyNewYear2025!"
Use \`BlackFriday2024!\` as coupon
Please call it NewYearSale2025! in the header
`,
  'an id in a message': 'Look at build GHXk29sLq8Zt2b, login fails',
  'an id of a video': 'the id is dQw4w9WgXcQabc',
  'an id of a frame': 'the figma frame 1aB2cD3eF4gH',
  'the name of a suite': 'the a11yE2ETestV2 suite fails',
  'constants that count passes': 'const FIRST_PASS = 12345678; const MAX_PASS = 12345678; const PASS_COUNT = 12345678',
  names: `task-manager-service risk_assessment_model disk-usage-by-project-2026 sk-fading-circle-container npm_package_config_registry
hf_hub_download key-value-store-abstraction AKIAIOSFODNN7EXAMPLE secret_manager_secret_version token_endpoint_auth_method`,
}
