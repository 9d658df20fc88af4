/**
 * Families of keys: a key made with another one never reaches further than that, and ends with it. Promises that no path
 * of making, replacing or changing keys lets a key shed a limit of its own. Tested in family.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type Sql, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { errors } from '../errors/errors.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { isNarrowing, type KeyReach, keptEnd } from './rules.ts'
import type { KeyRow } from './views.ts'

/** Keys above a key; each request with a key is checked against all of them. */
const mostAncestors = 8

/** The parts of a key that its family needs: its end, and every limit of the chain. */
export type FamilyMember = Pick<
  KeyRow,
  'id' | 'owner_id' | 'scopes' | 'allowed_cidrs' | 'rate_limit_per_minute' | 'expires_at'
> & {
  /** False where the key follows the one above as its replacement: then that one ends first, as planned. */
  readonly ends_with: boolean
}

/** The keys above one, nearest first. */
export const ancestorsStatement = (keyId: string): Sql<FamilyMember> => sql<FamilyMember>`
  with recursive chain (id, parent_id, replaces_id, depth) as (
    select id, parent_id, replaces_id, 0 from iam_api_key where id = ${keyId}
    union all
    select k.id, k.parent_id, k.replaces_id, c.depth + 1
    from chain c join iam_api_key k on k.id = c.parent_id)
  select k.id, k.owner_id, k.scopes, k.allowed_cidrs, k.rate_limit_per_minute, k.expires_at,
    below.replaces_id is distinct from k.id as ends_with
  from chain a
  join iam_api_key k on k.id = a.id
  join chain below on below.depth = a.depth - 1
  order by a.depth`

/** The keys that meet a condition, and all made with them. */
export const familyOf = (condition: SqlPart): SqlPart => sql`
  id in (
    with recursive family (id) as (
      select id from iam_api_key where ${condition}
      union
      select k.id from iam_api_key k join family f on k.parent_id = f.id)
    select id from family)`

/**
 * The key that the actor calls with, held until the end so that it cannot end meanwhile; null for a person.
 * @throws AUTH-004 for a key that may not write identities
 */
export async function mintingKey(tx: Tx, actor: Actor): Promise<KeyRow | null> {
  if (actor.keyId === null) return null
  const permission = 'iam:write'
  if (!holds(actor.permissions, permission)) throw authErrors.forbidden({ permission })
  const row = await apiKeys.needForUpdate(tx, actor.keyId)
  if (row.revoked_at !== null) throw errors.keyRule({ what: 'The key was revoked.' })
  return row
}

/** @throws IAM-012 when the wish reaches further than the key it is made or changed with, in any respect */
export async function assertWithinKey(tx: Tx, key: KeyRow, wanted: KeyReach): Promise<void> {
  const above = await tx.query(ancestorsStatement(key.id))
  if (above.length >= mostAncestors) {
    throw errors.keyRule({ what: `A key stands at most ${mostAncestors} keys below the one a person made.` })
  }
  assertWithin([key, ...above.map(unending)], wanted)
}

/** @throws IAM-012 when a change of the key would reach further than the keys it was made with */
export async function assertWithinAncestors(tx: Tx, key: KeyRow, wanted: KeyReach): Promise<void> {
  if (key.parent_id !== null) assertWithin((await tx.query(ancestorsStatement(key.id))).map(unending), wanted)
}

function assertWithin(bounds: readonly KeyReach[], wanted: KeyReach): void {
  if (!bounds.every((bound) => isNarrowing(bound, wanted))) {
    throw errors.keyRule({
      what: 'A key cannot give more than it has: scopes, networks, rate limit and end have to lie within its own.',
    })
  }
}

/** A key that was replaced has ended as planned, which bounds no end of its replacement. */
const unending = (member: FamilyMember): KeyReach =>
  member.ends_with ? member : { ...member, expires_at: keptEnd(null) }
