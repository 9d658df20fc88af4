/**
 * Keys of Google's cloud: the file of a service account, as it is or in base64, or an access token obtained elsewhere.
 * Promises that the private key signs here and goes nowhere. Tested in vertex.test.ts.
 */
import Type from 'typebox'
import { accountIn, type ServiceAccount, tokenRequest } from '../../../../../kernel/google/service-account.ts'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { Asking, KeyForm } from '../../adapter.ts'
import type { Send, ShortLived } from '../../credentials.ts'
import { faultOfStatus, scrub, UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'

const scope = 'https://www.googleapis.com/auth/cloud-platform'

/** The text of the file, where the key is one. */
function fileIn(value: string): string | null {
  const text = value.trim()
  if (text.startsWith('{')) return text
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8').trim() : ''
  return decoded.startsWith('{') ? decoded : null
}

export const vertexKeyForm: KeyForm = {
  problemOf: (value) => {
    const file = fileIn(value)
    if (file === null)
      return /^[\x21-\x7e]+$/.test(value) ? null : 'Send the file of a service account or an access token.'
    return accountIn(file) === null ? 'This is no file of a service account with a private key.' : null
  },
  nameOf: (value) => {
    const file = fileIn(value)
    const account = file === null ? null : accountIn(file)
    return account === null ? value : (account.private_key_id ?? account.client_email)
  },
}

/**
 * The access token for requests; obtained with the service account's key if that is the configured secret.
 * @throws UpstreamFault
 */
export async function accessToken({ secret, credentials, now }: Asking): Promise<string | null> {
  if (secret === null) return null
  const file = fileIn(secret.value)
  if (file === null) return secret.value
  const account = accountIn(file)
  if (account === null) throw new UpstreamFault('credential', 'the key is no service account')
  return credentials.token(file, (send) => bought(account, { send, now }))
}

interface Purchase {
  readonly send: Send
  readonly now: number
}

async function bought(account: ServiceAccount, { send, now }: Purchase): Promise<ShortLived> {
  const request = await tokenRequest(account, { scope, now })
  if (request === null) throw new UpstreamFault('credential', 'the private key of the service account cannot be read')
  const { status, body } = await send({ ...request, method: 'POST' })
  if (status < 200 || status >= 300) throw refusal(status, body)
  const token = parseJson(body)
  if (!fits(Token, token)) throw new UpstreamFault('invalid', 'the answer to its key is no token')
  return { value: token.access_token, expiresAt: now + token.expires_in * 1000 }
}

const Token = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' }),
  expires_in: Type.Number({ minimum: 1, maximum: 86_400 }),
})

/** RFC 6749, section 5.2: a code. Anything else may be the words of a service that sells no tokens. */
const Refusal = Type.Object({ error: Type.String({ pattern: '^[a-z_]{1,60}$' }) })

/** The token server answers an expired or unknown key with a bad request. */
function refusal(status: number, body: string): UpstreamFault {
  if (status >= 500 || status === 429) return faultOfStatus(status, '', null)
  let why = 'the key was refused'
  try {
    const found: unknown = JSON.parse(body)
    if (fits(Refusal, found)) why = scrub(`${why}: ${found.error}`)
  } catch {
    // Not JSON: the status says enough.
  }
  return new UpstreamFault('credential', why, { status })
}
