/**
 * The Transit engine of HashiCorp Vault or OpenBao as the keeper of the key-encryption key: that key lies beside the data
 * as `vault:v<n>:<base64>`, and only the engine opens it. The token is read at each use, so that an agent may renew it.
 * Tested in vault.test.ts.
 */
import Type, { type Static, type TObject } from 'typebox'
import type { Egress } from '../../egress/fetch.ts'
import { fits } from '../../http/fits.ts'
import { askService, readCredential, readJson } from './ask.ts'
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
  const { status, text } = await askService(egress, 'vault', { url, headers, body: JSON.stringify(body) })
  if (status === 200) return dataOf(text, answer)
  // 4xx is a no, such as of a token without the right or a key that is not there; 5xx is sealed, standby or ill.
  throw new KeyServiceError(`the vault answers ${status} to ${act}`, {
    final: status >= 400 && status < 500 && status !== 429,
  })
}

function dataOf<S extends TObject>(text: string, answer: S): Static<S> {
  const said = readJson(text)
  const data = typeof said === 'object' && said !== null && 'data' in said ? said.data : null
  if (fits(answer, data)) return data
  throw new KeyServiceError('the vault answers in a form that is not known', { final: false })
}

async function tokenOf({ tokenFile }: TransitPlace): Promise<string> {
  const token = await readCredential(tokenFile, 'the file with the token of the vault')
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new KeyServiceError('the file with the token of the vault holds none', { final: true })
}
