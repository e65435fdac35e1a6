// The token shapes of large providers, as data: a prefix, then a body of the provider's alphabet.
//
// The minimum length is below the real one on purpose: half of a truncated token is still a secret.

/** A body with fewer digits than `digitsMin` (default 0) must not look like words. */
export type TokenShape = readonly [
  kind: string,
  prefixes: string,
  alphabet: string,
  charsMin: number,
  digitsMin?: number,
]

const ALNUM = 'A-Za-z0-9'
const WORD = '\\w'
const URL64 = '\\w-'

/** Prefixes that end in `_`, `-` or `.`. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', WORD, 16],
  [
    'gitlab-token',
    'glpat- gldt- glrt- glrtr- glft- glsoat- glcbt- glptt- glagent- glimt- gloas- glffct- glwt-',
    '\\w.-',
    16,
  ],
  ['slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp- xwfp-', '\\w%/+-', 10, 2],
  ['anthropic-key', 'sk-ant-', URL64, 16],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', URL64, 16],
  ['api-key', 'sk-or-v1- sk-lf- pk-lf- sk-', ALNUM, 20, 1],
  ['api-key', 'gsk_ xai- pplx- nvapi- r8_ tvly-', URL64, 24, 2],
  ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_ whsec_', '\\w+/=', 10, 1],
  ['elevenlabs-key', 'sk_', '0-9a-f', 40],
  ['sendgrid-key', 'SG.', '\\w.-', 40, 2],
  ['mailgun-key', 'key-', '0-9a-f', 32],
  ['npm-token', 'npm_', ALNUM, 30],
  ['pypi-token', 'pypi-', URL64, 16, 1],
  ['hugging-face-token', 'hf_ api_org_', ALNUM, 30],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', '0-9a-f', 32],
  ['heroku-key', 'HRKU-', URL64, 30],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_ shptka_', ALNUM, 16],
  ['new-relic-key', 'NRAK- NRII- NRJS- NRRA-', URL64, 16],
  ['doppler-token', 'dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. dp.said.', '\\w.-', 24, 1],
  ['vault-token', 'hvs. hvb. hvr.', URL64, 20],
  ['databricks-token', 'dapi- dkea- dose-', '0-9a-f', 32],
  ['supabase-key', 'sbp_ sb_secret_', URL64, 20, 1],
  ['linear-key', 'lin_api_ lin_oauth_ lin_wh_', WORD, 20],
  ['notion-token', 'ntn_ secret_', ALNUM, 40],
  ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', ALNUM, 20],
  ['netlify-token', 'nfp_ nfc_ nfo_ nfu_ nfb_', ALNUM, 30],
  ['cloudflare-token', 'cfut_ cfat_ cfk_ v1.0-', URL64, 40, 4],
  ['grafana-token', 'glc_ glsa_', '\\w+/=', 30],
  ['1password-token', 'ops_', '\\w+/=-', 100],
  ['figma-token', 'figd_ figo_', URL64, 30],
  ['docker-token', 'dckr_pat_ dckr_oat_', URL64, 20],
  ['age-key', 'AGE-SECRET-KEY- AGE-SECRET-KEY-PQ-', 'A-Z0-9', 20],
  ['google-oauth', 'GOCSPX- ya29.', URL64, 20],
  ['square-token', 'sq0csp- sq0atp- sq0idp-', URL64, 20],
  ['tailscale-key', 'tskey-auth- tskey-api- tskey-client-', URL64, 16],
  ['mail-key', 'xkeysib- xsmtpsib-', URL64, 40],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '\\w.-', 30],
  ['postman-key', 'PMAK-', '0-9a-f-', 40],
  ['sentry-token', 'sntrys_ sntryu_', '\\w+/=', 40],
  ['telemetry-key', 'phx_ phs_ dt0c01.', '\\w.-', 30, 2],
  ['pinecone-key', 'pcsk_', WORD, 40],
  ['langsmith-key', 'lsv2_pt_ lsv2_sk_', '0-9a-f_', 32],
  ['sourcegraph-token', 'sgp_', WORD, 40],
  ['package-token', 'rubygems_ CLOJARS_ apify_api_ CCIPAT_ bkua_ pul-', WORD, 32, 2],
  ['contentful-token', 'CFPAT-', URL64, 30],
  ['dropbox-token', 'sl. sl.u. sl.B', URL64, 100],
  ['sonar-token', 'sqp_ squ_ sqa_', '0-9a-f', 30],
  ['render-key', 'rnd_', ALNUM, 24, 2],
  ['adobe-secret', 'p8e-', ALNUM, 24, 2],
  ['flutterwave-key', 'FLWSECK_TEST- FLWSECK-', '\\w-', 24, 2],
  ['payment-key', 'duffel_live_ duffel_test_ shippo_live_ shippo_test_', URL64, 30, 2],
  ['frameio-token', 'fio-u-', URL64, 40],
  ['service-token', 'ico- pnu_ rdme_ tfp_ aio_ dnkey- tss_ ATCTT3', WORD, 28, 2],
  ['fly-token', 'fm1_ fm2_ fo1_', '\\w+/=', 40],
]

/**
 * The first characters of such tokens; a pattern of the token, whose group 1 is not secret; and a pattern of the part
 * before it that belongs to it.
 */
export type IrregularTokenShape = readonly [kind: string, starts: string, source: string, before?: string]

/** Tokens without such a prefix. */
export const IRREGULAR_TOKEN_SHAPES: readonly IrregularTokenShape[] = [
  ['aws-access-key', 'AKIA ASIA ABIA ACCA', '....[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['aws-bedrock-key', 'ABSK', '[A-Za-z0-9+/=]{44,}'],
  ['google-api-key', 'AIza', '[\\w-]{34,}'],
  ['google-oauth', '1//0', '....[\\w-]{30,}'],
  ['gitlab-token', 'GR1348941', '[\\w-]{25,}'],
  ['databricks-token', 'dapi', 'dapi[0-9a-f]{32}(?:-\\d)?'],
  ['alibaba-key', 'LTAI', '[A-Za-z0-9]{16,30}(?![A-Za-z0-9])'],
  ['atlassian-token', 'ATATT3 ATCTT3', '[\\w=.-]{26,}'],
  ['atlassian-token', 'ATBB', '[A-Za-z0-9]{28,}'],
  ['airtable-token', 'pat', '[A-Za-z0-9]{17}\\.[0-9a-f]{40,}'],
  ['artifactory-key', 'AKCp', '[A-Za-z0-9]{54,}'],
  ['artifactory-key', 'cmVmd', '[A-Za-z0-9]{64}(?![A-Za-z0-9])'],
  ['azure-devops-token', 'JQQJ9', '[A-Za-z0-9]{24}AZ[A-Za-z0-9]{6}', '[A-Za-z0-9]{52}$'],
  ['clickhouse-key', '4b1d', '[A-Za-z0-9]{42}(?![A-Za-z0-9])'],
  ['easypost-key', 'EZAK EZTK', '[A-Za-z0-9]{58}(?![A-Za-z0-9])'],
  ['meta-token', 'EAA', '[A-Za-z0-9]{50,}'],
  [
    'mailchimp-key',
    '-us1 -us2 -us3 -us4 -us5 -us6 -us7 -us8 -us9',
    '...\\d{1,2}(?![\\w-])',
    '(?<![A-Za-z0-9])[0-9a-f]{32}$',
  ],
  ['nuget-key', 'oy2', '[a-z0-9]{46}(?![A-Za-z0-9])'],
  ['openshift-token', 'sha256~', '.{7}[\\w-]{30,}'],
  ['resend-key', 're_', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}'],
  ['yandex-key', 'AQVN', '[\\w-]{39,}'],
  ['password-hash', '$2a$ $2b$ $2y$', '.{4}\\d\\d\\$[./A-Za-z0-9]{53}', '(?<!\\w)$'],
  ['teams-webhook', '.webhook.office.com/', '([\\w./]{1,60}?webhookb?2?/)[\\w@/-]{30,}'],
  ['workflow-signature', '.logic.azure.com', '(\\S{1,300}[?&]sig=)[\\w%-]{20,}'],
  ['twilio-key', 'SK', '..[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['new-relic-key', 'NRAL', '....(?![A-Za-z0-9])', '[0-9a-f]{36}$'],
  ['telegram-token', ':AA', '...[\\w-]{30,}', '\\d{8,10}$'],
  ['azure-client-secret', 'Q~', '..[\\w.~-]{28,}', '[\\w.~-]{3}\\d$'],
  ['slack-webhook', 'hooks.slack', '(hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/)[\\w/+-]{16,}'],
  [
    'discord-webhook',
    'discord.com/api/ discordapp.com/api/',
    '([a-z.]{1,20}/api/(?:v\\d{1,2}/)?webhooks/\\d{1,20}/)[\\w-]{30,}',
  ],
  ['terraform-token', '.atlasv1.', '.{9}[\\w=-]{50,}', '[A-Za-z0-9]{14}$'],
]

/** A token of three parts, found by its dots. */
export const DISCORD_TOKEN: IrregularTokenShape = [
  'discord-token',
  '.',
  '\\.[\\w-]{6}\\.[\\w-]{27,}',
  '[MNO][\\w-]{22,27}$',
]
