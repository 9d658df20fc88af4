import type { Actor } from '../../../kernel/access/actor.ts'
import { holds, permissionSet } from '../../../kernel/access/permissions.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, type Held, hold, write } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { assertCanGrant, assertDominates } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import { knownPermissions } from '../roles/roles.ts'
import type { ApiKeyDetail, PatchApiKey } from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { assertWithinAncestors, assertWithinKey, mintingKey } from './family.ts'
import { revokeKeys } from './revocation.ts'
import { assertLife, assertNetworks, isNarrowing, type KeyReach, keptEnd } from './rules.ts'
import { apiKeyResource, type KeyRow, keyDetail, keyView } from './views.ts'

/**
 * Whether the actor may act on a key: its owner in person, the key on itself, or iam:admin over an owner one dominates.
 * A key is not its owner: a leaked narrow one must not touch the owner's others.
 * @throws API-013, AUTH-004, IAM-003
 */
export async function mayAct(
  services: IamServices,
  tx: Tx,
  ask: { readonly actor: Actor; readonly key: KeyRow },
): Promise<void> {
  const { actor, key } = ask
  if (actor.kind === 'user' ? key.owner_id === actor.userId : key.id === actor.keyId) return
  const sees = key.owner_id === actor.userId || holds(actor.permissions, 'iam:read')
  if (!sees) throw apiErrors.notFound({ what: apiKeys.noun })
  if (!holds(actor.permissions, 'iam:admin')) throw authErrors.forbidden({ permission: 'iam:admin' })
  const owner = await findSubject(tx, key.owner_id, services.kernel.clock.now())
  if (owner === null) throw apiErrors.notFound({ what: apiKeys.noun })
  assertDominates(actor, owner)
}

export interface KeyChange {
  readonly actor: Actor
  readonly id: string
  readonly body: PatchApiKey
  readonly precondition: Precondition
}

/** @throws API-001, API-012, API-013, AUTH-004, IAM-003, IAM-008, IAM-012 */
export async function changeApiKey(services: IamServices, tx: Tx, ask: KeyChange): Promise<Versioned<ApiKeyDetail>> {
  const held = await heldKey(services, tx, ask)
  const { row } = held
  if (row.revoked_at !== null) throw errors.keyRule({ what: 'The key was revoked.' })
  if (row.kind === 'scim' && ask.body.scopes !== undefined)
    throw errors.keyRule({ what: 'A key of the kind scim has no scopes.' })
  const { name = row.name, ...reach } = ask.body
  const wanted: KeyReach = { ...reachOf(row), ...given(reach) }
  await assertReach(services, tx, { actor: ask.actor, row, wanted })
  const now = services.kernel.clock.iso()
  const after = await change(services.kernel, tx, held, {
    action: 'iam.api_key.change',
    about: row.owner_id,
    before: keyView(row, now),
    after: (changed) => keyView(changed, now),
    changes: {
      name,
      scopes: [...wanted.scopes],
      allowed_cidrs: [...wanted.allowed_cidrs],
      rate_limit_per_minute: wanted.rate_limit_per_minute,
      expires_at: new Date(wanted.expires_at).toISOString(),
    },
  })
  await services.kernel.auth.rightsChanged(tx, `key:${row.id}`)
  return new Versioned(await keyDetail(services, tx, after), after.version)
}

/** @throws API-012, API-013, AUTH-004, IAM-003 */
function heldKey(
  services: IamServices,
  tx: Tx,
  { actor, id, precondition }: Pick<KeyChange, 'actor' | 'id' | 'precondition'>,
): Promise<Held<KeyRow>> {
  return hold(tx, apiKeyResource, { id, precondition, allow: (key) => mayAct(services, tx, { actor, key }) })
}

function reachOf({ scopes, allowed_cidrs, rate_limit_per_minute, expires_at }: KeyRow): KeyReach {
  return { scopes, allowed_cidrs, rate_limit_per_minute, expires_at }
}

function given({ expires_at: end, ...reach }: Omit<PatchApiKey, 'name'>): Partial<KeyReach> {
  const wanted = { ...reach, ...(end === undefined ? {} : { expires_at: keptEnd(end) }) }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

/** Narrowing is free; anything else needs what making such a key would need. */
async function assertReach(
  services: IamServices,
  tx: Tx,
  change: { readonly actor: Actor; readonly row: KeyRow; readonly wanted: KeyReach },
): Promise<void> {
  const { actor, row, wanted } = change
  knownPermissions(wanted.scopes)
  assertNetworks(wanted.allowed_cidrs)
  if (wanted.expires_at !== row.expires_at) {
    const settings = await settingsOf(tx, tx.tenantId)
    assertLife(wanted.expires_at, { ...settings, now: services.kernel.clock.now() })
  }
  if (isNarrowing(reachOf(row), wanted)) return
  assertFreshSession(actor, services.kernel.clock)
  if (actor.kind === 'api_key' && row.id === actor.keyId) throw errors.keyRule({ what: 'A key cannot widen itself.' })
  const own = await mintingKey(tx, actor)
  if (own !== null) await assertWithinKey(tx, own, wanted)
  await assertWithinAncestors(tx, row, wanted)
  assertCanGrant(actor, permissionSet(wanted.scopes))
}

/** Lets a replaced key live on for the overlap, but not longer than it would have. */
export async function endReplaced(
  services: IamServices,
  tx: Tx,
  ending: { readonly held: Held<KeyRow>; readonly newId: string; readonly hours: number; readonly actor: Actor },
): Promise<void> {
  const { held, newId, hours, actor } = ending
  const old = held.row
  const { clock, auth } = services.kernel
  const end = new Date(Math.min(Date.parse(old.expires_at), clock.now() + hours * 3_600_000)).toISOString()
  await write(services.kernel, tx, held, { replaced_by_id: newId, expires_at: hours === 0 ? undefined : end })
  await auth.rightsChanged(tx, `key:${old.id}`)
  if (hours === 0)
    await revokeKeys(services, tx, {
      condition: sql`id = ${old.id}`,
      by: actor.userId,
      reason: 'replaced',
      except: newId,
    })
}

export interface KeyRemoval {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
}

/** Ends a key now. Ending it again changes nothing. @throws API-012, API-013, AUTH-004, IAM-003 */
export async function revokeApiKey(services: IamServices, tx: Tx, ask: KeyRemoval) {
  const { row } = await heldKey(services, tx, ask)
  const by = ask.actor.userId
  await revokeKeys(services, tx, {
    condition: sql`id = ${row.id}`,
    by,
    reason: by === row.owner_id ? 'owner' : 'administrator',
  })
  await tx.audit('iam.api_key.revoke', {
    target: `api_key:${row.id}`,
    before: { status: keyView(row, services.kernel.clock.iso()).status },
    after: { status: 'revoked' },
  })
  return { id: row.id, deleted: true }
}
