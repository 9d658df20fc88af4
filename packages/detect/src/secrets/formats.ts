import { base62Checksum } from '../text/crc32.ts'

export interface SecretFormat {
  readonly type: string
  /** Literal beginnings; the search stops only at these. */
  readonly prefixes: readonly string[]
  /** Sticky pattern from the prefix on, at most 8,192 characters, bounded repeats only. */
  readonly pattern: RegExp
  readonly score: number
  /** What the shape cannot say: check sums, structure. */
  readonly holds?: (value: string) => boolean
}

/** GitHub and npm: the last six characters are the checksum of what stands between the prefix and them. */
const checksumAfterPrefix = (value: string): boolean => base62Checksum(value.slice(4, -6)) === value.slice(-6)

const checksumOfAll = (value: string): boolean => base62Checksum(value.slice(0, -7)) === value.slice(-6)

/** Mixed enough not to be a documentation sample such as `sk-xxxxxxxx`. */
const isVaried = (value: string): boolean => new Set(value.slice(-24)).size >= 8

export const secretFormats: readonly SecretFormat[] = [
  {
    type: 'parapet_api_key',
    prefixes: ['ppt_'],
    pattern: /ppt_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/y,
    score: 0.99,
    holds: checksumOfAll,
  },
  {
    type: 'anthropic_api_key',
    prefixes: ['sk-ant-'],
    pattern: /sk-ant-[a-z]{3,10}\d{2}-[A-Za-z0-9_-]{60,128}/y,
    score: 0.99,
    holds: isVaried,
  },
  {
    type: 'openai_api_key',
    prefixes: ['sk-'],
    pattern:
      /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,200}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48}/y,
    score: 0.98,
    holds: isVaried,
  },
  { type: 'openrouter_api_key', prefixes: ['sk-or-'], pattern: /sk-or-v1-[0-9a-f]{64}/y, score: 0.99, holds: isVaried },
  {
    type: 'aws_access_key_id',
    prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}/y,
    score: 0.97,
    // The ids of the vendor's manuals.
    holds: (value) => !value.endsWith('EXAMPLE'),
  },
  {
    type: 'github_token',
    prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /gh[pousr]_[A-Za-z0-9]{36}/y,
    score: 0.99,
    holds: checksumAfterPrefix,
  },
  {
    type: 'github_token',
    prefixes: ['github_pat_'],
    pattern: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/y,
    score: 0.99,
    holds: isVaried,
  },
  {
    type: 'gitlab_token',
    prefixes: ['glpat-', 'glrt-', 'gldt-', 'glcbt-', 'glptt-', 'glsoat-'],
    pattern: /gl(?:pat|rt|dt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,64}/y,
    score: 0.97,
    holds: isVaried,
  },
  {
    type: 'slack_token',
    prefixes: ['xox', 'xapp-'],
    pattern:
      /xox[abeoprs]-(?:\d-)?[0-9A-Za-z]{8,64}(?:-[0-9A-Za-z]{6,128}){1,4}|xapp-\d-[A-Z0-9]{8,16}-\d{8,16}-[0-9a-f]{32,128}/y,
    score: 0.98,
    holds: isVaried,
  },
  {
    type: 'slack_webhook',
    prefixes: ['https://hooks.slack.com/'],
    pattern:
      /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]{6,14}\/[AB][A-Z0-9]{6,16}\/[A-Za-z0-9]{16,40}/y,
    score: 0.98,
  },
  {
    type: 'stripe_key',
    prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    pattern: /[rs]k_(?:live|test)_[0-9A-Za-z]{16,200}|whsec_[0-9A-Za-z+/]{32,64}/y,
    score: 0.98,
    holds: isVaried,
  },
  { type: 'google_api_key', prefixes: ['AIza'], pattern: /AIza[A-Za-z0-9_-]{35}/y, score: 0.98, holds: isVaried },
  {
    type: 'google_oauth_secret',
    prefixes: ['GOCSPX-'],
    pattern: /GOCSPX-[A-Za-z0-9_-]{28}/y,
    score: 0.98,
    holds: isVaried,
  },
  { type: 'sendgrid_key', prefixes: ['SG.'], pattern: /SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/y, score: 0.99 },
  { type: 'twilio_key', prefixes: ['SK'], pattern: /SK[0-9a-f]{32}/y, score: 0.9, holds: isVaried },
  { type: 'npm_token', prefixes: ['npm_'], pattern: /npm_[A-Za-z0-9]{36}/y, score: 0.99, holds: checksumAfterPrefix },
  { type: 'pypi_token', prefixes: ['pypi-AgE'], pattern: /pypi-AgE[A-Za-z0-9_-]{50,512}/y, score: 0.99 },
  { type: 'huggingface_token', prefixes: ['hf_'], pattern: /hf_[A-Za-z]{34,40}/y, score: 0.96, holds: isVaried },
  {
    type: 'digitalocean_token',
    prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: /do[por]_v1_[0-9a-f]{64}/y,
    score: 0.99,
  },
  { type: 'databricks_token', prefixes: ['dapi'], pattern: /dapi[0-9a-f]{32}(?:-\d)?/y, score: 0.96, holds: isVaried },
  {
    type: 'shopify_token',
    prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /shp(?:at|ca|pa|ss)_[0-9a-f]{32}/y,
    score: 0.99,
  },
]
