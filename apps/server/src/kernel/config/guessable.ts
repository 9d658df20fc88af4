/**
 * Startup secrets that an attacker would try first, and secret files that other accounts of the machine may
 * read. Neither is reported with its value. Tested in guessable.test.ts.
 */
import { stat } from 'node:fs/promises'
import type { Config } from './load.ts'
import type { FoundRisk } from './risks.ts'
import { servesOthers } from './serves-others.ts'

/** Beside those that are the user's own name; compared without digits and signs at the end, and without regard to case. */
const first = new Set(
  'admin administrator changeme change-me default example guest hello letmein mysecretpassword nats parapet pass password postgres postgresql qwerty redis root secret server super test token user valkey welcome'.split(
    ' ',
  ),
)

const leastToken = 16

/** Passwords within addresses, by the name of the setting. */
const addresses = {
  databaseUrl: 'PARAPET_DATABASE_URL',
  valkeyUrl: 'PARAPET_VALKEY_URL',
  natsUrl: 'PARAPET_NATS_URL',
  smtpUrl: 'PARAPET_SMTP_URL',
  egressProxy: 'PARAPET_EGRESS_PROXY',
} as const satisfies Partial<Record<keyof Config, string>>

type Addressed = Pick<Config, keyof typeof addresses>

export function guessable(config: Addressed & Pick<Config, 'metricsToken'>): readonly FoundRisk[] {
  const known = Object.entries(addresses).flatMap(([key, env]) => {
    const address = config[key as keyof Addressed]
    return address !== null && hasGuessablePassword(address)
      ? [`${env}: its password is one that is tried first. Draw another.`]
      : []
  })
  const { metricsToken: token } = config
  const isShort = token !== null && (token.length < leastToken || isTriedFirst(token))
  const short = `PARAPET_METRICS_TOKEN: it can be guessed. Draw ${leastToken} characters or more.`
  return [...known, ...(isShort ? [short] : [])].map((what) => ({ risk: 'secrets', what }))
}

/** An address without a password has another way to show who asks, or none is needed. */
function hasGuessablePassword(address: string): boolean {
  const { username, password } = new URL(address)
  if (password === '') return false
  const [user, word] = [decoded(username), decoded(password)]
  return word.toLowerCase() === user.toLowerCase() || isTriedFirst(word)
}

/** Digits and signs alone are no word at all: `123456` is tried before any other. */
const isTriedFirst = (word: string): boolean => {
  const letters = word.toLowerCase().replace(/[\d!.@#$%_-]{0,12}$/, '')
  return letters === '' || first.has(letters)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Not the token of a workload: it lives for minutes, and orchestrators decide how it is mounted. */
const files = {
  kekVaultTokenFile: 'PARAPET_KEK_VAULT_TOKEN_FILE',
  kekKmsCredentialFile: 'PARAPET_KEK_KMS_CREDENTIAL_FILE',
  kekGoogleCredentialFile: 'PARAPET_KEK_GOOGLE_CREDENTIAL_FILE',
  kekAzureSecretFile: 'PARAPET_KEK_AZURE_SECRET_FILE',
  gatewayVaultTokenFile: 'PARAPET_GATEWAY_VAULT_TOKEN_FILE',
  egressProxyCredentialFile: 'PARAPET_EGRESS_PROXY_CREDENTIAL_FILE',
} as const satisfies Partial<Record<keyof Config, string>>

/** Group read stays allowed, as of key files: orchestrators mount secrets that way. One that is not there yet is another's fault. */
const others = 0o027

export async function fileRisks(config: Config): Promise<readonly FoundRisk[]> {
  if (!servesOthers(config) || process.platform === 'win32') return []
  const found = await Promise.all(
    Object.entries(files).map(async ([key, env]) => {
      const path = config[key as keyof typeof files]
      const mode = path === null ? 0 : await modeOf(path)
      return (mode & others) === 0 ? [] : [`${env}: ${path} may be read or changed by others; run: chmod 640 ${path}`]
    }),
  )
  return found.flat().map((what) => ({ risk: 'files', what }))
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode
  } catch {
    // An operator who needs it says so explicitly.
    return 0
  }
}
