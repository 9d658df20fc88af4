/** State of rule groups, read and written once for a batch. Tested in detection.http.test.ts. */
import { sha256 } from '../../../../kernel/crypto/digest.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { insertRows } from '../../../../kernel/db/rows.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { ruleStates } from '../declared/tables.ts'
import { type GroupState, type Matched, type StateChange, stateKey } from '../engine/batch.ts'
import type { LiveRule } from './cache.ts'

/** Groups of one rule that are kept; of more those seen last. */
export const mostGroups = 100_000

/** Of the key as it is stored: the values of a group may be long. */
const hashed = (key: string): string => sha256(key, 'base64url')

interface Stored {
  readonly rule_id: string
  readonly group_key: string
  readonly state: GroupState
}

/** State of the groups of matched rules, by `stateKey`. */
export async function loadStates(
  tx: Tx,
  matched: readonly Matched<LiveRule>[],
): Promise<ReadonlyMap<string, GroupState>> {
  const wanted = new Map<string, string>()
  for (const { rule, key } of matched)
    if (rule.compiled.plan !== null) wanted.set(`${rule.id}\n${hashed(key)}`, stateKey(rule.id, key))
  if (wanted.size === 0) return new Map()
  const pairs = [...wanted.keys()].map((pair) => pair.split('\n'))
  const rows = await tx.query(sql<Stored>`
    select rule_id, group_key, state from aegis_rule_state
    where (rule_id, group_key) in (
      select * from unnest(${pairs.map(([rule = '']) => rule)}::uuid[], ${pairs.map(([, key = '']) => key)}::text[]))`)
  return new Map(rows.map(({ rule_id: rule, group_key: key, state }) => [wanted.get(`${rule}\n${key}`) ?? '', state]))
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Writes what changed, and answers how many groups each rule has more than before. */
export async function saveStates(
  tx: Tx,
  changes: readonly StateChange[],
  before: ReadonlyMap<string, GroupState>,
): Promise<ReadonlyMap<string, number>> {
  const grown = new Map<string, number>()
  if (changes.length === 0) return grown
  const rows = changes.map(({ ruleId, key, state, lastSeen, expiresAt, dueAt }) => ({
    tenant_id: tx.tenantId,
    rule_id: ruleId,
    group_key: hashed(key),
    state,
    last_seen: iso(lastSeen),
    expires_at: iso(expiresAt),
    due_at: dueAt === null ? null : iso(dueAt),
  }))
  await tx.execute(sql`${insertRows(ruleStates, rows)}
    on conflict (tenant_id, rule_id, group_key) do update set
      state = excluded.state, last_seen = excluded.last_seen, expires_at = excluded.expires_at, due_at = excluded.due_at`)
  for (const { ruleId, key } of changes)
    if (!before.has(stateKey(ruleId, key))) grown.set(ruleId, (grown.get(ruleId) ?? 0) + 1)
  return grown
}

/** Drops the groups seen least recently that a rule has too many, and answers how many. */
export function dropOldest(tx: Tx, ruleId: string, tooMany: number): Promise<number> {
  return tx.execute(sql`
    delete from aegis_rule_state where rule_id = ${ruleId} and group_key in (
      select group_key from aegis_rule_state where rule_id = ${ruleId} order by last_seen limit ${tooMany})`)
}
