/** The sealed credential of a server: bound to its row and to the origin it was given for. Tested in servers.test.ts. */
import Type from 'typebox'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { fits } from '../../../../kernel/schema/fits.ts'
import type { AuthFacts, AuthInput, ServerRow } from '../declared/server-schema.ts'
import { servers } from '../declared/tables.ts'

const Sealed = Type.Object({ origin: Type.String(), value: Type.String() })
const addressOf = (id: string) => ({ table: servers.name, column: 'secret', rowId: id })

type SecretPlace = Pick<ServerRow, 'id' | 'url'> & { readonly auth: AuthFacts }

/** A secret goes to one origin: that of the server, or of its token endpoint. */
const originOf = ({ url, auth }: SecretPlace): string => new URL(auth.token_url ?? url).origin

export async function sealSecret(
  { tenantKeys, liveSecrets }: Pick<Kernel, 'tenantKeys' | 'liveSecrets'>,
  tenantId: TenantId,
  { place, value }: { readonly place: SecretPlace; readonly value: string },
): Promise<Uint8Array> {
  liveSecrets.add({ owner: tenantId, name: `credential of MCP server ${place.id} of tenant ${tenantId}`, value })
  const text = JSON.stringify({ origin: originOf(place), value })
  return tenantKeys.encrypt(tenantId, addressOf(place.id), new TextEncoder().encode(text))
}

/** Null where the server has none, or where it was given for another origin. */
export async function openSecret(
  { tenantKeys, liveSecrets }: Pick<Kernel, 'tenantKeys' | 'liveSecrets'>,
  tenantId: TenantId,
  row: SecretPlace & Pick<ServerRow, 'secret'>,
): Promise<string | null> {
  if (row.secret === null) return null
  const bytes = await tenantKeys.decrypt(tenantId, addressOf(row.id), row.secret)
  const sealed: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!fits(Sealed, sealed) || sealed.origin !== originOf(row)) return null
  liveSecrets.add({
    owner: tenantId,
    name: `credential of MCP server ${row.id} of tenant ${tenantId}`,
    value: sealed.value,
  })
  return sealed.value
}

export const noAuth: AuthFacts = {
  type: 'none',
  header: null,
  token_url: null,
  client_id: null,
  scopes: [],
  audience: null,
}

/** Headers that belong to the protocol or the connection. */
const taken =
  /^(?:mcp-.*|content-.*|accept(?:-.*)?|host|connection|cookie|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|keep-alive)$/i

/**
 * The facts of a credential, checked. @throws API-001 for a member that its type does not have or misses
 * @param isKept whether a secret that is stored already may stay
 */
export function authOf(input: AuthInput | undefined, isKept: boolean): AuthFacts {
  if (input === undefined) return noAuth
  const { type, header = null, token_url = null, client_id = null, scopes = [], audience = null, secret } = input
  const wants = {
    header: type === 'header',
    token_url: type === 'oauth_client',
    client_id: type === 'oauth_client',
    audience: type === 'oauth_client' && audience !== null,
  }
  const given = { header, token_url, client_id, audience }
  for (const name of ['header', 'token_url', 'client_id', 'audience'] as const) {
    if (wants[name] && given[name] === null) throw wrong(name, `A credential of type ${type} needs ${name}.`)
    if (!wants[name] && given[name] !== null) throw wrong(name, `A credential of type ${type} has no ${name}.`)
  }
  if (header !== null && taken.test(header)) throw wrong('header', 'This header belongs to the protocol.')
  if (type === 'none' && secret !== undefined) throw wrong('secret', 'A credential of type none has no secret.')
  if (type !== 'none' && secret === undefined && !isKept)
    throw wrong('secret', `A credential of type ${type} needs its secret.`)
  return { type, header, token_url, client_id, scopes, audience }
}

function wrong(member: string, detail: string) {
  return apiErrors.validation({ what: 'The credential is not valid.' }).at([{ detail, pointer: `/auth/${member}` }])
}
