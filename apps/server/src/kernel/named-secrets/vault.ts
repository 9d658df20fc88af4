import { readFile } from 'node:fs/promises'
import Type from 'typebox'
import { EgressError } from '../egress/errors.ts'
import type { EgressResponse } from '../egress/exchange.ts'
import type { Egress } from '../egress/fetch.ts'
import { fits } from '../schema/fits.ts'
import { SecretUnreadable } from './unreadable.ts'

/** Where the secrets of one tenant are. */
export interface VaultPlace {
  readonly url: string
  readonly tokenFile: string
  /** Below /v1/. */
  readonly path: string
  readonly namespace: string | null
}

const timeouts = { connectMs: 2000, firstByteMs: 5000, idleMs: 5000, totalMs: 8000 }
const mostBytes = 262_144

/** A field of an entry of a KV engine. @throws SecretUnreadable */
export async function readVault(
  egress: Egress,
  place: VaultPlace,
  { name, field }: { readonly name: string; readonly field: string },
): Promise<string> {
  const token = await tokenOf(place)
  const namespace = place.namespace === null ? {} : { 'x-vault-namespace': place.namespace }
  try {
    const response = await egress.fetch({
      url: `${place.url}/v1/${place.path}/${name}`,
      method: 'GET',
      headers: { accept: 'application/json', 'x-vault-token': token, ...namespace },
      timeouts,
      maxBytes: mostBytes,
    })
    return fieldOf(await entryOf(response, name), name, field)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new SecretUnreadable(`The vault cannot be reached (${error.brief}).`, { final: false, cause: error })
  }
}

async function tokenOf({ tokenFile }: VaultPlace): Promise<string> {
  try {
    const token = (await readFile(tokenFile, 'utf8')).trim()
    if (/^[\x21-\x7e]+$/.test(token)) return token
  } catch (error) {
    throw new SecretUnreadable('The file with the token of the vault cannot be read.', { final: false, cause: error })
  }
  throw new SecretUnreadable('The file with the token of the vault holds none.', { final: false })
}

async function entryOf(response: EgressResponse, name: string): Promise<unknown> {
  const { status } = response
  if (status !== 200) {
    response.cancel()
    if (status === 404) throw new SecretUnreadable(`The vault has no entry ${name} for this tenant.`)
    if (status === 403) throw new SecretUnreadable(`The vault does not let its token read the entry ${name}.`)
    throw new SecretUnreadable(`The vault answered with status ${status}.`, { final: false })
  }
  try {
    const entry: unknown = JSON.parse(new TextDecoder().decode(await response.bytes()))
    return entry
  } catch (error) {
    if (error instanceof EgressError) throw error
    throw new SecretUnreadable('The vault answered with something else than JSON.', { final: false })
  }
}

const Entry = Type.Object({ data: Type.Record(Type.String(), Type.Unknown()) })

type Fields = Readonly<Record<string, unknown>>

/** Version 2 of the engine wraps the fields once more, beside their metadata. */
function fieldOf(entry: unknown, name: string, field: string): string {
  const fields: Fields = fits(Entry, entry) ? entry.data : {}
  const inner: Fields = fits(Entry, fields) && 'metadata' in fields ? fields.data : fields
  const value = Object.hasOwn(inner, field) ? inner[field] : undefined
  if (typeof value === 'string') return value
  throw new SecretUnreadable(`The entry ${name} of the vault has no text field ${field}.`)
}
