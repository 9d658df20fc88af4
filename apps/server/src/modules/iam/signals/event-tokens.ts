/**
 * Our events in the form other systems understand: Security Event Tokens (RFC 8417) of CAEP 1.0 and RISC 1.0.
 * Pure. Tested in signals.test.ts.
 */
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'

const caep = 'https://schemas.openid.net/secevent/caep/event-type'
const risc = 'https://schemas.openid.net/secevent/risc/event-type'

type Claims = Readonly<Record<string, unknown>>
export type SignalEvent = Pick<LoggedEvent, 'id' | 'channel' | 'time' | 'tenantId' | 'data'>

interface Signal {
  readonly type: string
  readonly claims: (data: Claims) => Claims
}

const initiator = ({ actor_id: actor, user_id: user }: Claims): string => {
  if (actor === null || actor === undefined) return 'system'
  return actor === user ? 'user' : 'admin'
}

const reason = ({ reason: text }: Claims): Claims => (typeof text === 'string' ? { reason_admin: { en: text } } : {})

const credential = (credential_type: string, change_type: string): Signal => ({
  type: `${caep}/credential-change`,
  claims: (data) => ({ credential_type, change_type, initiating_entity: initiator(data) }),
})

const account = (name: string): Signal => ({ type: `${risc}/account-${name}`, claims: () => ({}) })

/** Our own values, which CAEP allows, stand for credentials it has no value for. */
const credentialTypes: Readonly<Record<string, string>> = {
  password: 'password',
  totp: 'app',
  passkey: 'passkey',
  recovery_codes: 'recovery-codes',
}
const changeTypes: Readonly<Record<string, string>> = { created: 'create', updated: 'update', deleted: 'delete' }

const byChannel: Readonly<Record<string, Signal | ((data: Claims) => Signal)>> = {
  'iam.session.created': { type: `${caep}/session-established`, claims: () => ({}) },
  'iam.session.revoked': {
    type: `${caep}/session-revoked`,
    claims: (data) => ({ initiating_entity: initiator(data), ...reason(data) }),
  },
  'iam.credential.changed': ({ credential: kind, change }) =>
    credential(credentialTypes[String(kind)] ?? String(kind), changeTypes[String(change)] ?? 'update'),
  'iam.api_key.created': credential('api-key', 'create'),
  'iam.api_key.rotated': credential('api-key', 'update'),
  'iam.api_key.revoked': credential('api-key', 'revoke'),
  'iam.user.activated': account('enabled'),
  'iam.user.suspended': account('disabled'),
  'iam.user.locked': account('disabled'),
  'iam.user.deactivated': account('disabled'),
  'iam.user.erased': account('purged'),
}

export const signaledChannels: readonly string[] = Object.keys(byChannel)

/** Data of a token. Free text about a person is left out: only the reasons of sessions are words of ours. */
export function toldOf({ channel, data }: Pick<SignalEvent, 'channel' | 'data'>): Claims {
  const { reason: written, ...rest } = data
  return channel === 'iam.session.revoked' && written !== undefined ? { ...rest, reason: written } : rest
}

export interface Naming {
  readonly issuer: string
  readonly audience: string
  /** Null where people are named by their id. */
  readonly email: string | null
  /** Unix seconds. */
  readonly now: number
}

/** The subject of the event. */
export function subjectId({ data }: Pick<SignalEvent, 'data'>): string {
  return String(data.user_id ?? data.owner_id)
}

/** The payload of a token; the same id for the same event, so that a receiver can drop what it has. */
export function eventToken(event: SignalEvent, naming: Naming): Claims {
  const { id: jti, channel, data, time } = event
  const found = byChannel[channel]
  if (found === undefined) throw new Error(`nobody is told of ${channel}`)
  const { type, claims } = typeof found === 'function' ? found(data) : found
  const event_timestamp = Math.floor(Date.parse(time) / 1000)
  return {
    iss: naming.issuer,
    aud: naming.audience,
    iat: naming.now,
    jti,
    sub_id: subjectOf(event, naming),
    events: { [type]: { event_timestamp, ...claims(data) } },
  }
}

/** RFC 9493: a person, and of a session also which one, in which tenant. */
function subjectOf(event: SignalEvent, { issuer, email }: Naming): Claims {
  const user = email === null ? { format: 'iss_sub', iss: issuer, sub: subjectId(event) } : { format: 'email', email }
  const { session_id: session } = event.data
  if (typeof session !== 'string') return user
  const opaque = (id: string): Claims => ({ format: 'opaque', id })
  return { format: 'complex', user, session: opaque(session), tenant: opaque(event.tenantId) }
}
