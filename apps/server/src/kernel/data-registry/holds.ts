/**
 * Legal holds stop every deletion of data, by age, on request, with its tenant or by hand. Statements that remove
 * rows check for themselves (`notHeld`), so that a hold placed while they run covers all remaining rows. Ending
 * a right or a credential is no deletion of data and goes on: a revoked grant stays revoked. Tested in holds.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Tx } from '../db/port.ts'
import { identifier, join, type SqlPart, sql } from '../db/sql.ts'
import { apiErrors } from '../errors/errors.ts'
import type { DeclaredTable } from './declarations.ts'
import { concerns, type DataSubject } from './subject.ts'
import { dataHold, type HoldRow } from './tables.ts'

export interface Holds {
  /** The caller checks rights and leaves the audit entry. */
  place(tx: Tx, hold: NewHold): Promise<HoldRow>
  /** The rows that it kept are removed by the next run of the job concerned. @throws API-013 for one that is released already */
  release(tx: Tx, id: string): Promise<HoldRow>
  /** Those in force, the oldest first. */
  active(tx: Tx): Promise<readonly HoldRow[]>
}

export interface NewHold {
  /** The proceeding that it is for, up to 200 characters. */
  readonly matter: string
  /** Of tables (`registry.declarations`); default all. */
  readonly categories?: readonly string[]
  /** Default: everybody's data, and data that belongs to no person. */
  readonly subject?: DataSubject
}

export function createHolds({ clock, random }: HoldParts): Holds {
  return {
    place: async (tx, { matter, categories = [], subject = { userIds: [] } }) => {
      const hold: HoldRow = {
        ...{ tenant_id: tx.tenantId, id: random.uuid(), matter, categories: [...categories] },
        user_ids: [...subject.userIds],
        aliases: (subject.aliases ?? []).map((alias) => alias.toLowerCase()),
        ...{ placed_by: tx.origin.actor?.userId ?? null, placed_at: clock.iso() },
        ...{ released_by: null, released_at: null },
      }
      await dataHold.insert(tx, hold)
      return hold
    },
    release: async (tx, id) => {
      const released = await tx.first(sql<HoldRow>`
        update data_hold set released_at = ${clock.iso()}, released_by = ${tx.origin.actor?.userId ?? null}::uuid
        where id = ${id} and released_at is null
        returning ${dataHold.columns}`)
      if (released === null) throw apiErrors.notFound({ what: dataHold.noun })
      return released
    },
    active: (tx) =>
      tx.query(sql<HoldRow>`
        select ${dataHold.columns} from data_hold where released_at is null order by placed_at, id`),
  }
}

interface HoldParts {
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid'>
}

/**
 * A condition for statements that remove rows: no hold in force covers the row. Of copies it is always true.
 * @param as the table's name or alias in the statement
 */
export function notHeld(table: DeclaredTable, as = table.name): SqlPart {
  if (table.data.isCopy === true) return sql`true`
  return sql`not exists (${covering(table, as)})`
}

function covering(table: DeclaredTable, as: string): SqlPart {
  const values = { userIds: sql`hold.user_ids`, aliases: sql`hold.aliases` }
  const people = [concerns(table, 'owned', { values, as }), concerns(table, 'named', { values, as })]
  const covered = [
    sql`(hold.user_ids = '{}'::uuid[] and hold.aliases = '{}'::text[])`,
    ...people.filter((part) => part !== null),
  ]
  return sql`
    select hold.matter from data_hold hold
    where hold.tenant_id = ${identifier(as)}.tenant_id and hold.released_at is null
      and (hold.categories = '{}'::text[] or ${table.data.category}::text = any(hold.categories))
      and (${join(covered, ' or ')})`
}

/** Before a row is removed by hand. @throws API-032 */
export async function assertNotHeld(tx: Tx, table: DeclaredTable, id: string): Promise<void> {
  if (table.scope !== 'tenant' || table.data.isCopy === true) return
  const name = identifier(table.name)
  const found = await tx.first(sql<{ matter: string }>`
    select held.matter from ${name}
    cross join lateral (${covering(table, table.name)} order by hold.placed_at limit 1) held
    where ${name}.id = ${id}`)
  if (found !== null) throw apiErrors.onHold({ matter: found.matter })
}

/** Before all data of a person is removed. @throws API-032 */
export async function assertSubjectNotHeld(tx: Tx, { userIds, aliases = [] }: DataSubject): Promise<void> {
  const found = await tx.first(sql<{ matter: string }>`
    select matter from data_hold
    where released_at is null and ((user_ids = '{}'::uuid[] and aliases = '{}'::text[])
      or user_ids && ${[...userIds]}::uuid[] or aliases && ${aliases.map((alias) => alias.toLowerCase())}::text[])
    order by placed_at limit 1`)
  if (found !== null) throw apiErrors.onHold({ matter: found.matter })
}

/** The matter of a hold in force on any data of the tenant, or of one category; null where there is none. */
export const heldMatter = (category: string | null) => sql<{ matter: string }>`
  select matter from data_hold
  where released_at is null
    and (${category}::text is null or categories = '{}'::text[] or ${category}::text = any(categories))
  order by placed_at limit 1`
