/**
 * The Transit engine of HashiCorp Vault or OpenBao as the keeper of the key-encryption key: that key lies beside the data
 * as `vault:v<n>:<base64>`, and only the engine opens it. The token is read at each use, so that an agent may renew it.
 * Tested in vault.test.ts.
 */
import Type, { type Static, type TObject } from 'typebox'
import type { Egress } from '../../egress/fetch.ts'
import { askJson, readCredential } from './ask.ts'
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

const Locked = Type.Object({
  data: Type.Object({ ciphertext: Type.String({ pattern: '^vault:v[0-9]+:[A-Za-z0-9+/=]+$' }) }),
})
const Opened = Type.Object({ data: Type.Object({ plaintext: Type.String() }) })
const Made = Type.Object({
  data: Type.Object({ ...Locked.properties.data.properties, ...Opened.properties.data.properties }),
})

export function createVaultTransit(egress: Pick<Egress, 'fetch'>, place: TransitPlace): KeyService {
  const asked = async <S extends TObject>({ act, body, answer }: Asked<S>): Promise<Static<S>> => {
    const question = { url: addressOf(place, act), headers: await headersOf(place), body: JSON.stringify(body) }
    return askJson(egress, { service: { name: 'vault', act }, question, answer })
  }
  return {
    name: 'vault',
    prefix: 'vault:',
    make: async () => {
      const { data } = await asked({ act: 'datakey/plaintext', body: { bits: 256 }, answer: Made })
      return { key: Buffer.from(data.plaintext, 'base64'), locked: data.ciphertext }
    },
    unlock: async (locked) => {
      const { data } = await asked({ act: 'decrypt', body: { ciphertext: locked }, answer: Opened })
      return Buffer.from(data.plaintext, 'base64')
    },
    relock: async (locked) =>
      (await asked({ act: 'rewrap', body: { ciphertext: locked }, answer: Locked })).data.ciphertext,
  }
}

interface Asked<S extends TObject> {
  readonly act: string
  readonly body: object
  readonly answer: S
}

const addressOf = ({ url, mount, key }: TransitPlace, act: string): string =>
  `${url}/v1/${mount}/${act}/${encodeURIComponent(key)}`

async function headersOf(place: TransitPlace): Promise<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'x-vault-token': await tokenOf(place),
    ...(place.namespace === null ? {} : { 'x-vault-namespace': place.namespace }),
  }
}

async function tokenOf({ tokenFile }: TransitPlace): Promise<string> {
  const token = await readCredential(tokenFile, 'the file with the token of the vault')
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new KeyServiceError('the file with the token of the vault holds none', { final: true })
}
