/**
 * API keys: made for oneself or a service account, never wider than their maker; narrowed, rotated, revoked. How a key
 * is checked at a request is the kernel's part. Tested in api-keys.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import { holds, permissionSet } from '../../../kernel/access/permissions.ts'
import { hashApiKey, makeApiKey } from '../../../kernel/auth/api-keys.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { type Held, hold, newRow } from '../../../kernel/resource/resource.ts'
import { enter } from '../directory/directory.ts'
import { errors } from '../errors/errors.ts'
import { assertRoomFor } from '../quotas/quotas.ts'
import { assertCanGrant, assertDominates } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import { knownPermissions } from '../roles/roles.ts'
import type { ApiKey, CreateApiKey } from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { ssoConnections } from '../sso/tables.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { users } from '../tables/users.ts'
import { endReplaced, mayAct } from './changes.ts'
import { apiKeyCreated, apiKeyRotated } from './events.ts'
import { assertWithinKey, mintingKey } from './family.ts'
import {
  assertLife,
  assertNetworks,
  dayMs,
  defaultLifeDays,
  defaultOverlapHours,
  type KeyReach,
  keptEnd,
} from './rules.ts'
import { apiKeyResource, type KeyRow, keyView } from './views.ts'

export interface NewKey extends KeyReach {
  readonly name: string
  readonly kind: KeyRow['kind']
  readonly sso_connection_id: string | null
  readonly owner_id: string
  readonly replaces_id: string | null
  readonly parent_id: string | null
}

/** @throws API-001, API-013, AUTH-004, AUTH-009, IAM-003, IAM-008, IAM-009, IAM-012 */
export async function createApiKey(
  services: IamServices,
  tx: Tx,
  { actor, body }: { readonly actor: Actor; readonly body: CreateApiKey },
): Promise<ApiKey & { secret: string }> {
  assertFreshSession(actor, services.kernel.clock)
  const minting = await mintingKey(tx, actor)
  const replaced =
    body.replaces_id === undefined ? null : await replaceable(services, tx, { actor, id: body.replaces_id })
  if (replaced === null && body.overlap_hours !== undefined) {
    throw errors.keyRule({ what: 'An overlap goes with the key that is replaced.' })
  }
  const key = await wantedKey(services, tx, { actor, body, replaced: replaced?.row ?? null, minting })
  if (minting !== null) await assertWithinKey(tx, minting, key)
  assertCanGrant(actor, permissionSet(key.scopes))
  await assertOwner(services, tx, { actor, ownerId: key.owner_id })
  await assertRoomFor(tx, 'api_keys', services.kernel.clock.iso())
  const made = await insertKey(services, tx, { key, actor })
  if (replaced !== null) {
    const hours = body.overlap_hours ?? defaultOverlapHours
    await endReplaced(services, tx, { held: replaced, newId: made.id, hours, actor })
  }
  const row = await apiKeys.need(tx, made.id)
  const view = keyView(row, services.kernel.clock.iso())
  await tx.audit(replaced === null ? 'iam.api_key.create' : 'iam.api_key.rotate', {
    target: `api_key:${made.id}`,
    about: key.owner_id,
    after: view,
  })
  const data = { api_key_id: made.id, owner_id: key.owner_id, actor_id: actor.userId }
  if (replaced === null) await tx.emit(apiKeyCreated, `api-key/${made.id}`, data)
  else await tx.emit(apiKeyRotated, `api-key/${made.id}`, { ...data, replaces_id: replaced.row.id })
  return { ...view, secret: made.secret }
}

/** A key that may be replaced: alive, not replaced before, and the actor's to act on. */
async function replaceable(
  services: IamServices,
  tx: Tx,
  ask: { readonly actor: Actor; readonly id: string },
): Promise<Held<KeyRow>> {
  const { actor, id } = ask
  const allow = (key: KeyRow) => mayAct(services, tx, { actor, key })
  const held = await hold(tx, apiKeyResource, { id, precondition: anyVersion, allow })
  if (keyView(held.row, services.kernel.clock.iso()).status !== 'active') {
    throw errors.keyRule({ what: 'Only an active key that was not replaced yet can be replaced.' })
  }
  return held
}

interface Wish {
  readonly actor: Actor
  readonly body: CreateApiKey
  /** Its settings stand where the body says nothing. */
  readonly replaced: KeyRow | null
  /** The key that the actor calls with. */
  readonly minting: KeyRow | null
}

async function wantedKey(services: IamServices, tx: Tx, { actor, body, replaced, minting }: Wish): Promise<NewKey> {
  const now = services.kernel.clock.now()
  const settings = await settingsOf(tx, tx.tenantId)
  const name = body.name ?? replaced?.name
  const kind = kindOf({ actor, body, replaced, minting })
  const scopes = kind === 'scim' ? [] : (body.scopes ?? replaced?.scopes)
  if (name === undefined || scopes === undefined) throw missing(name === undefined ? '/name' : '/scopes')
  if (replaced !== null && body.owner_id !== undefined && body.owner_id !== replaced.owner_id) {
    throw errors.keyRule({ what: 'A key keeps its owner when it is replaced.' })
  }
  const usualDays = Math.min(defaultLifeDays, settings.api_key_max_days)
  const usualEnd = new Date(now + usualDays * dayMs).toISOString()
  const expires = body.expires_at === undefined ? earlier(usualEnd, minting?.expires_at) : keptEnd(body.expires_at)
  // By default a key inherits the limits of the key it is made with.
  const usual = replaced ?? minting
  const cidrs = body.allowed_cidrs ?? usual?.allowed_cidrs ?? []
  assertLife(expires, { ...settings, now })
  assertNetworks(cidrs)
  return {
    name,
    kind,
    sso_connection_id: await connectionOf(tx, { kind, body, replaced }),
    scopes: knownPermissions(scopes),
    owner_id: replaced?.owner_id ?? body.owner_id ?? actor.userId,
    expires_at: expires,
    allowed_cidrs: cidrs,
    rate_limit_per_minute:
      body.rate_limit_per_minute === undefined ? (usual?.rate_limit_per_minute ?? null) : body.rate_limit_per_minute,
    replaces_id: replaced?.id ?? null,
    parent_id: minting?.id ?? null,
  }
}

/**
 * A key of the kind `scim` provisions people with its owner's rights and has no scopes, so that it opens nothing else.
 * @throws AUTH-004, IAM-012
 */
function kindOf({ actor, body, replaced, minting }: Wish): KeyRow['kind'] {
  const kind = body.kind ?? replaced?.kind ?? 'api'
  if (replaced !== null && kind !== replaced.kind)
    throw errors.keyRule({ what: 'A key keeps its kind when it is replaced.' })
  if (kind !== 'scim') return kind
  // It acts with all the rights of its owner, which no key has more than a part of.
  if (minting !== null) throw errors.keyRule({ what: 'A key of the kind scim is made by a person.' })
  if (!holds(actor.permissions, 'iam:admin')) throw authErrors.forbidden({ permission: 'iam:admin' })
  if (body.scopes !== undefined) throw errors.keyRule({ what: 'A key of the kind scim has no scopes.' })
  return kind
}

/** The connection a directory's key belongs to, which the keys that follow it keep. @throws API-013, IAM-012 */
async function connectionOf(
  tx: Tx,
  { kind, body, replaced }: Pick<Wish, 'body' | 'replaced'> & Pick<NewKey, 'kind'>,
): Promise<string | null> {
  const { sso_connection_id: wanted } = body
  if (wanted === undefined) return replaced?.sso_connection_id ?? null
  if (kind !== 'scim') throw errors.keyRule({ what: 'Only a key of the kind scim belongs to a connection.' })
  if (replaced !== null && replaced.sso_connection_id !== wanted)
    throw errors.keyRule({ what: 'A key keeps its connection when it is replaced.' })
  return (await ssoConnections.need(tx, wanted)).id
}

function missing(pointer: string) {
  const detail = 'A new key needs a name and scopes.'
  return apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}

const earlier = (end: string, bound: string | undefined): string =>
  bound !== undefined && Date.parse(bound) < Date.parse(end) ? bound : end

/** Oneself, or with iam:admin a service account one dominates. */
async function assertOwner(
  services: IamServices,
  tx: Tx,
  ask: { readonly actor: Actor; readonly ownerId: string },
): Promise<void> {
  const { actor, ownerId } = ask
  const owner = await findSubject(tx, ownerId, services.kernel.clock.now())
  const own = ownerId === actor.userId
  if (!own && !holds(actor.permissions, 'iam:admin')) throw authErrors.forbidden({ permission: 'iam:admin' })
  if (owner === null) throw apiErrors.notFound({ what: users.noun })
  if (!owner.active) throw errors.keyRule({ what: 'The owner is not active.' })
  if (own) return
  if (owner.type !== 'service') throw errors.keyRule({ what: "A person's keys are made by that person." })
  assertDominates(actor, owner)
}

/** Stores a key and its place in the directory; the caller has checked the rights. Answers the secret, once. */
export async function insertKey(
  { kernel }: IamServices,
  tx: Tx,
  { key, actor }: { readonly key: NewKey; readonly actor: Actor },
): Promise<{ id: string; secret: string }> {
  const made = makeApiKey(kernel.random)
  const row = {
    ...newRow(kernel, tx),
    ...key,
    created_by: actor.userId,
    session_id: actor.sessionId,
    key_id: made.keyId,
    secret_hash: hashApiKey(kernel.platformKeys, made),
  }
  await insertMany(tx, apiKeys, [row])
  await enter(tx, kernel.platformKeys, { kind: 'api_key', value: made.keyId, subject: row.id })
  return { id: row.id, secret: made.text }
}
