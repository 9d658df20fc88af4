/**
 * The credential that an upstream is called with. It is the server's own: nothing of the caller's goes upstream. Tokens
 * bought with a client secret (RFC 6749, section 4.4) are kept until a minute before their end. Tested in proxy.test.ts.
 */
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import { objectOf } from '../wire/json-rpc.ts'
import { UpstreamFault } from './fault.ts'
import type { UpstreamParts, UpstreamServer } from './server.ts'

interface Token {
  readonly value: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

export interface Credentials {
  headers(server: UpstreamServer): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>
}

const leastLeftMs = 60_000
const mostTokens = 1_000
const usualSeconds = 300
const mostBytes = 65_536

export function createCredentials(parts: UpstreamParts): Credentials {
  const held = new Map<string, Promise<Token>>()
  const bought = async (server: UpstreamServer): Promise<Record<string, string>> => {
    const name = sha256(JSON.stringify([server.id, server.auth, server.secret]), 'base64')
    const known = await held.get(name)?.catch(() => null)
    if (known !== undefined && known !== null && known.expiresAt - parts.clock.now() > leastLeftMs)
      return { authorization: `Bearer ${known.value}` }
    const asked = buy(parts, server)
    if (held.size >= mostTokens) held.clear()
    held.set(name, asked)
    asked.catch(() => held.delete(name))
    return { authorization: `Bearer ${(await asked).value}` }
  }
  return {
    headers: (server) => {
      const { auth, secret } = server
      if (auth.type === 'none' || secret === null) return {}
      return auth.type === 'header' ? { [(auth.header ?? 'authorization').toLowerCase()]: secret } : bought(server)
    },
  }
}

/** @throws UpstreamFault */
async function buy(
  { egress, clock }: UpstreamParts,
  { auth, secret, internal, timeouts }: UpstreamServer,
): Promise<Token> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (auth.scopes.length > 0) form.set('scope', auth.scopes.join(' '))
  if (auth.audience !== null) form.set('resource', auth.audience)
  const client = [auth.client_id ?? '', secret ?? ''].map(encodeURIComponent).join(':')
  const totalMs = Math.min(timeouts.call_ms, 30_000)
  const answer = await egress
    .fetch({
      url: auth.token_url ?? '',
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(client).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: form.toString(),
      timeouts: { connectMs: timeouts.connect_ms, firstByteMs: totalMs, idleMs: totalMs, totalMs },
      maxBytes: mostBytes,
      publicOnly: !internal,
    })
    .then(async (response) => ({ status: response.status, text: Buffer.from(await response.bytes()).toString() }))
    .catch((error: unknown) => {
      throw UpstreamFault.of(error, 'The token endpoint of the server was not reached')
    })
  const token = readToken(answer.status === 200 ? answer.text : '')
  if (token === null)
    throw new UpstreamFault('credential', `The token endpoint of the server answered ${answer.status}`)
  return { value: token.value, expiresAt: clock.now() + token.seconds * 1_000 }
}

function readToken(text: string): { readonly value: string; readonly seconds: number } | null {
  try {
    const { access_token: value, expires_in: seconds } = objectOf(JSON.parse(text))
    if (typeof value !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(value)) return null
    return { value, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : usualSeconds }
  } catch {
    return null
  }
}
