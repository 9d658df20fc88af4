/**
 * The Transit engine of HashiCorp Vault or OpenBao as the keeper of the key-encryption key: that key lies beside the data
 * as `vault:v<n>:<base64>`, and only the engine opens it. The token is read at each use, so that an agent may renew it.
 * Tested in vault.test.ts.
 */
import { readFile } from 'node:fs/promises'
import Type, { type Static, type TObject } from 'typebox'
import { Value } from 'typebox/value'
import { EgressError } from '../../egress/errors.ts'
import type { Egress } from '../../egress/fetch.ts'
import { type KeyService, KeyServiceError } from './service.ts'

export interface TransitPlace {
  readonly url: string
  readonly tokenFile: string
  /** Where the engine is mounted, below /v1/. */
  readonly mount: string
  /** The engine's key: of an AEAD type, such as aes256-gcm96. */
  readonly key: string
  readonly namespace: string | null
}

const timeouts = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 8_000 }
const mostBytes = 65_536

const Locked = Type.Object({ ciphertext: Type.String({ pattern: '^vault:v[0-9]+:[A-Za-z0-9+/=]+$' }) })
const Opened = Type.Object({ plaintext: Type.String() })
const Made = Type.Object({ ciphertext: Locked.properties.ciphertext, plaintext: Type.String() })

export function createVaultTransit(egress: Pick<Egress, 'fetch'>, place: TransitPlace): KeyService {
  const ask = <S extends TObject>(act: string, body: object, answer: S) => post(egress, place, { act, body, answer })
  return {
    name: 'vault',
    prefix: 'vault:',
    make: async () => {
      const { plaintext, ciphertext } = await ask('datakey/plaintext', { bits: 256 }, Made)
      return { key: Buffer.from(plaintext, 'base64'), locked: ciphertext }
    },
    unlock: async (locked) => Buffer.from((await ask('decrypt', { ciphertext: locked }, Opened)).plaintext, 'base64'),
    relock: async (locked) => (await ask('rewrap', { ciphertext: locked }, Locked)).ciphertext,
  }
}

interface Asked<S extends TObject> {
  readonly act: string
  readonly body: object
  readonly answer: S
}

async function post<S extends TObject>(
  egress: Pick<Egress, 'fetch'>,
  place: TransitPlace,
  { act, body, answer }: Asked<S>,
): Promise<Static<S>> {
  const headers = {
    'content-type': 'application/json',
    'x-vault-token': await tokenOf(place),
    ...(place.namespace === null ? {} : { 'x-vault-namespace': place.namespace }),
  }
  const url = `${place.url}/v1/${place.mount}/${act}/${encodeURIComponent(place.key)}`
  try {
    const text = Buffer.from(JSON.stringify(body))
    const response = await egress.fetch({ url, method: 'POST', headers, body: text, timeouts, maxBytes: mostBytes })
    const { status } = response
    const said = Buffer.from(await response.bytes()).toString('utf8')
    if (status === 200) return dataOf(said, answer)
    // 4xx is a no, such as of a token without the right or a key that is not there; 5xx is sealed, standby or ill.
    throw new KeyServiceError(`the vault answers ${status} to ${act}`, {
      final: status >= 400 && status < 500 && status !== 429,
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const why = error.rule === null ? error.kind : `refused: ${error.rule}`
    throw new KeyServiceError(`the vault cannot be reached (${why})`, { final: error.rule !== null, cause: error })
  }
}

function dataOf<S extends TObject>(text: string, answer: S): Static<S> {
  const data: unknown = parsed(text)
  if (Value.Check(answer, data)) return data
  throw new KeyServiceError('the vault answers in a form that is not known', { final: false })
}

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  } catch {
    // Something between here and the vault answers in its place.
    return null
  }
}

async function tokenOf({ tokenFile }: TransitPlace): Promise<string> {
  try {
    const token = (await readFile(tokenFile, 'utf8')).trim()
    if (/^[\x21-\x7e]+$/.test(token)) return token
  } catch (error) {
    throw new KeyServiceError('the file with the token of the vault cannot be read', { final: true, cause: error })
  }
  throw new KeyServiceError('the file with the token of the vault holds none', { final: true })
}
