/**
 * Every setting the process reads at start: its environment name, form, default and one line of explanation. The
 * reference page and `--explain` are made from this table. Settings that may change while running live in the database.
 * Tested in load.test.ts.
 */
import { availableParallelism } from 'node:os'
import { blobSettings } from './blobs.ts'
import { checkpointSettings } from './checkpoints.ts'
import { egressProxySettings } from './egress-proxy.ts'
import { baseUrl, flag, list, optional, type Setting, text, url, whole, word, words } from './forms.ts'
import { gatewaySettings } from './gateway.ts'
import { kekAzureSettings, kekGoogleSettings, kekKmsSettings, kekVaultSettings } from './key-service.ts'
import { otelSettings } from './otel.ts'
import { risks } from './risks.ts'
import { roleSettings } from './roles.ts'

export type { Setting }

const vendorPattern = /^[a-z0-9]{1,40}$/

function vendor(value: string | undefined): string {
  const name = text('parapet')(value)
  if (!vendorPattern.test(name)) throw new Error('must be 1 to 40 lower-case letters and digits')
  return name
}

/** One processor stays with the event loop. */
function defaultThreads(): number {
  return Math.max(1, Math.min(2, availableParallelism() - 1))
}

export const settings = {
  ...roleSettings,
  host: { env: 'PARAPET_HOST', doc: 'Address to listen on.', read: text('127.0.0.1') },
  port: { env: 'PARAPET_PORT', doc: 'Port to listen on; 0 takes a free one.', read: whole(8080, 0, 65_535) },
  publicUrl: {
    env: 'PARAPET_PUBLIC_URL',
    doc: 'Address clients use; part of tokens, links and event sources.',
    read: baseUrl(),
  },
  dataDir: { env: 'PARAPET_DATA_DIR', doc: 'Folder of the embedded database, keys and files.', read: text('./data') },
  databaseUrl: {
    env: 'PARAPET_DATABASE_URL',
    doc: 'PostgreSQL 15 or later; without it the embedded database is used.',
    secret: true,
    read: url(['postgres:', 'postgresql:']),
  },
  databasePoolSize: {
    env: 'PARAPET_DATABASE_POOL_SIZE',
    doc: 'Connections to PostgreSQL, besides up to four that only add records of calls.',
    read: whole(10, 2, 200),
  },
  valkeyUrl: {
    env: 'PARAPET_VALKEY_URL',
    doc: 'Valkey or Redis for shared limits and cache: rediss:// for TLS, user and password in the address.',
    secret: true,
    read: url(['redis:', 'rediss:', 'valkey:', 'valkeys:']),
  },
  natsUrl: {
    env: 'PARAPET_NATS_URL',
    doc: 'NATS with JetStream for the event bus between instances: tls:// for TLS, user and password in the address.',
    secret: true,
    read: url(['nats:', 'tls:']),
  },
  servicesCaFile: {
    env: 'PARAPET_SERVICES_CA_FILE',
    doc: 'File with the certificates (PEM) of who signs those of Valkey, NATS, the syslog receiver and the proxy for calls to the outside; default those that Node knows.',
    read: optional,
  },
  ...gatewaySettings,
  ...egressProxySettings,
  allowedOrigins: {
    env: 'PARAPET_ALLOWED_ORIGINS',
    doc: 'Comma-separated browser origins that may open the WebSocket; the public URL always may.',
    read: list,
  },
  trustedProxies: {
    env: 'PARAPET_TRUSTED_PROXIES',
    doc: 'Comma-separated CIDRs whose X-Forwarded-For is believed.',
    read: list,
  },
  connectionsPerAddress: {
    env: 'PARAPET_CONNECTIONS_PER_ADDRESS',
    doc: 'Connections that one address (of IPv6 one /64 network) may hold open; trusted proxies may hold any number.',
    read: whole(1000, 1, 1_000_000),
  },
  shutdownGraceMs: {
    env: 'PARAPET_SHUTDOWN_GRACE_MS',
    doc: 'Milliseconds that running calls have to finish once the process is told to stop; model calls that run longer are broken off, with some seconds to say so. A supervisor that kills the process has to wait 20 s longer.',
    read: whole(30_000, 0, 3_600_000),
  },
  acceptedRisks: {
    env: 'PARAPET_ACCEPTED_RISKS',
    doc: 'What the start would refuse and is meant all the same: http, proxy, login, clock, debug, secrets, files, with commas between them.',
    read: words(risks),
  },
  threads: {
    env: 'PARAPET_THREADS',
    doc: 'Threads for work that would stop the event loop; default one less than there are processors, at most 2.',
    read: (value: string | undefined) => whole(defaultThreads(), 1, 64)(value),
  },
  longThreads: {
    env: 'PARAPET_LONG_THREADS',
    doc: 'Further threads for long jobs, such as simulations; the threads of calls are never theirs.',
    read: whole(1, 1, 64),
  },
  threadMemoryMb: {
    env: 'PARAPET_THREAD_MEMORY_MB',
    doc: 'Mebibytes of objects that one thread may hold; a task that needs more fails, and nothing else does.',
    read: whole(2_048, 128, 65_536),
  },
  settingsFile: {
    env: 'PARAPET_SETTINGS_FILE',
    doc: 'JSON of settings by key (`GET /api/v1/admin/config`) that hold where nobody has set others; read at start.',
    read: optional,
  },
  vendor: { env: 'PARAPET_VENDOR', doc: 'Vendor segment of event types.', read: vendor },
  logLevel: {
    env: 'PARAPET_LOG_LEVEL',
    doc: 'Least level that is logged.',
    read: word(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  },
  accessLog: { env: 'PARAPET_ACCESS_LOG', doc: 'One line per request.', read: flag(true) },
  keyEncryptionKey: {
    env: 'PARAPET_KEY_ENCRYPTION_KEY',
    doc: '32 bytes, base64, or what the key service below has locked (vault:v1:…, kms:…, google-kms:…, azure-key-vault:…); without it a key file is kept in the data folder.',
    secret: true,
    read: optional,
  },
  nextKeyEncryptionKey: {
    env: 'PARAPET_NEXT_KEY_ENCRYPTION_KEY',
    doc: '32 bytes, base64, or what the key service has locked: the key that replaces the present one. Set it everywhere, rotate `kek`, then let it take its place.',
    secret: true,
    read: optional,
  },
  ...kekVaultSettings,
  ...kekKmsSettings,
  ...kekGoogleSettings,
  ...kekAzureSettings,
  metricsToken: {
    env: 'PARAPET_METRICS_TOKEN',
    doc: 'Bearer token for /metrics; without it only the loopback address may read them.',
    secret: true,
    read: optional,
  },
  publicDocuments: {
    env: 'PARAPET_PUBLIC_DOCUMENTS',
    doc: 'Whether the OpenAPI and AsyncAPI documents and the schemas of events are served; what they describe is in the source code.',
    read: flag(true),
  },
  backupDir: {
    env: 'PARAPET_BACKUP_DIR',
    doc: 'Folder of backups, best on another disk; default <data>/backups. The key-encryption key is never in them.',
    read: optional,
  },
  ...blobSettings,
  ...checkpointSettings,
  smtpUrl: {
    env: 'PARAPET_SMTP_URL',
    doc: 'Mail relay, smtp:// (STARTTLS; ?starttls=off on a trusted network) or smtps://; without it links are answered, not mailed.',
    secret: true,
    read: url(['smtp:', 'smtps:']),
  },
  mailFrom: {
    env: 'PARAPET_MAIL_FROM',
    doc: 'Sender of letters; default parapet@ the host of the public URL.',
    read: optional,
  },
  bootstrapEmail: {
    env: 'PARAPET_BOOTSTRAP_EMAIL',
    doc: 'First administrator on an empty database, without the setup token.',
    read: optional,
  },
  bootstrapPasswordFile: {
    env: 'PARAPET_BOOTSTRAP_PASSWORD_FILE',
    doc: "File with that administrator's password; must not be readable by others.",
    read: optional,
  },
  passwordHashing: {
    env: 'PARAPET_PASSWORD_HASHING',
    doc: 'What Argon2id costs: `standard` (19 MiB, two passes; OWASP) or `strong` (64 MiB, three passes, four lanes; RFC 9106), for which each of several hashes at a time needs its memory. Stored hashes are made anew as their owners sign in.',
    read: word(['standard', 'strong'], 'standard'),
  },
  breachedPasswordsFile: {
    env: 'PARAPET_BREACHED_PASSWORDS_FILE',
    doc: 'List of SHA-1 digests in order, one a line (Have I Been Pwned hands out such a one): new passwords on it are refused.',
    read: optional,
  },
  breachedPasswordsUrl: {
    env: 'PARAPET_BREACHED_PASSWORDS_URL',
    doc: 'Service of breached passwords by range (https://api.pwnedpasswords.com/range or a copy): new passwords that it knows are refused. It is told five digits of a digest; one that does not answer refuses nothing.',
    read: baseUrl(),
  },
  ipCountryFile: {
    env: 'PARAPET_IP_COUNTRY_FILE',
    doc: "Countries of addresses in MaxMind's format (.mmdb; GeoLite2, DB-IP and IPinfo have free ones), read at start: sessions then tell where they were opened.",
    read: optional,
  },
  licenseKeys: {
    env: 'PARAPET_LICENSE_KEYS',
    doc: 'Comma-separated public keys of license distributors: key id, colon, Ed25519 key in base64url.',
    read: list,
  },
  rateLimitApi: {
    env: 'PARAPET_RATE_LIMIT_API',
    doc: 'Requests per tenant in 60 s.',
    read: whole(6000, 1, 100_000_000),
  },
  rateLimitInference: {
    env: 'PARAPET_RATE_LIMIT_INFERENCE',
    doc: 'Model calls per tenant in 60 s.',
    read: whole(3000, 1, 100_000_000),
  },
  rateLimitExpensive: {
    env: 'PARAPET_RATE_LIMIT_EXPENSIVE',
    doc: 'Expensive requests per tenant in 60 s.',
    read: whole(60, 1, 100_000_000),
  },
  rateLimitCredential: {
    env: 'PARAPET_RATE_LIMIT_CREDENTIAL',
    doc: 'Requests without a valid credential per address in 60 s.',
    read: whole(1200, 1, 100_000_000),
  },
  rateLimitStop: {
    env: 'PARAPET_RATE_LIMIT_STOP',
    doc: 'Requests that stop or revoke something, per caller in 60 s.',
    read: whole(120, 1, 100_000_000),
  },
  ...otelSettings,
} as const satisfies Record<string, Setting<unknown>>
