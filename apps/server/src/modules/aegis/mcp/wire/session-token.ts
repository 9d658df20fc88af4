/**
 * Session ids that hold their session: sealed, so that every instance opens them and nobody else can read, change or make
 * one. Presented by another tenant, agent, key or for another server they open nothing. Tested in wire.test.ts.
 */
import Type, { type Static } from 'typebox'
import { boundTo, open, seal } from '../../../../kernel/crypto/envelope.ts'
import type { Random } from '../../../../kernel/crypto/random.ts'
import type { PlatformKeys } from '../../../../kernel/keys/port.ts'
import { fits } from '../../../../kernel/schema/fits.ts'

const Session = Type.Object({
  /** Tells conversations apart. */
  id: Type.String(),
  /** The upstream's own session; null where it has none. */
  upstream: Type.Union([Type.String(), Type.Null()]),
  /** Revision spoken with the client. */
  version: Type.String(),
  /** Of the upstream. */
  era: Type.Union([Type.Literal('legacy'), Type.Literal('modern')]),
  /** The client, as it calls itself. */
  client: Type.String(),
  capabilities: Type.Record(Type.String(), Type.Unknown()),
  /** Unix milliseconds. */
  expires: Type.Integer(),
})
export type Session = Static<typeof Session>

/** Whose session it is and with which server. */
export interface SessionHolder {
  readonly tenantId: string
  readonly agentId: string
  readonly keyId: string | null
  readonly serverId: string
}

export interface SessionTokens {
  seal(holder: SessionHolder, session: Session): string
  /** Null for an id that is not the holder's, is over, or was never given out. */
  open(holder: SessionHolder, token: string): Session | null
}

export const sessionLifeMs = 24 * 3_600_000
const longestToken = 8_192

interface Parts {
  readonly platformKeys: Pick<PlatformKeys, 'derive'>
  readonly random: Pick<Random, 'bytes'>
  readonly clock: { now(): number }
}

export function createSessionTokens({ platformKeys, random, clock }: Parts): SessionTokens {
  const key = platformKeys.derive('aegis-mcp-session')
  const context = ({ tenantId, agentId, keyId, serverId }: SessionHolder) =>
    boundTo('mcp-session', tenantId, agentId, keyId ?? '', serverId)
  return {
    seal: (holder, session) => {
      const plaintext = Buffer.from(JSON.stringify(session))
      const sealed = seal({ key, keyVersion: 1, nonce: random.bytes(12), context: context(holder), plaintext })
      return Buffer.from(sealed).toString('base64url')
    },
    open: (holder, token) => {
      if (token.length > longestToken) return null
      const session = opened(key, context(holder), token)
      return session !== null && session.expires > clock.now() ? session : null
    },
  }
}

function opened(key: Uint8Array, context: Uint8Array, token: string): Session | null {
  try {
    const session: unknown = JSON.parse(Buffer.from(open(key, context, Buffer.from(token, 'base64url'))).toString())
    return fits(Session, session) ? session : null
  } catch {
    return null
  }
}
