/**
 * Time-driven work on rule state: an event that did not come is a hit, and expired state is removed.
 * Tested in detection.http.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { DueAt, JobDeclaration } from '../../../../kernel/module/module.ts'
import { openAlert } from '../../alerts/open-alert.ts'
import type { RuleRow } from '../declared/schema.ts'
import { ruleStates, rules } from '../declared/tables.ts'
import { type GroupState, titleOf } from '../engine/batch.ts'
import { latenessMs } from '../engine/correlation/window.ts'

const batch = 200
const mostRemoved = 10_000

export const absenceJob: JobDeclaration<unknown> = {
  kind: 'aegis.detection.absence',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 30_000,
  due: ({ now }: DueAt) => sql`exists (
    select from aegis_rule_state state
    where state.tenant_id = tenant.id and (state.due_at <= ${now} or state.expires_at <= ${now}))`,
  run: ({ tenantId, kernel }) => kernel.db.tenant({ tenantId }, (tx) => lookForAbsence(kernel, tx)),
}

interface Missed {
  readonly rule_id: string
  readonly group_key: string
  readonly due_at: string
  readonly state: GroupState
}

export async function lookForAbsence(kernel: Kernel, tx: Tx): Promise<void> {
  const now = kernel.clock.iso()
  // Serializes with the batches of the handler, which write the same rows.
  const missed = await tx.query(sql<Missed>`
    update aegis_rule_state set due_at = null where (rule_id, group_key) in (
      select rule_id, group_key from aegis_rule_state where due_at <= ${now} order by due_at limit ${batch} for update)
    returning rule_id, group_key, ${now}::timestamptz as due_at, state`)
  const live = await tx.query(sql<RuleRow>`
    select ${rules.columns} from aegis_detection_rule
    where id = any(${missed.map(({ rule_id: id }) => id)}::uuid[]) and status = 'enabled'`)
  const byId = new Map(live.map((rule) => [rule.id, rule]))
  for (const { rule_id: id, group_key: key, due_at: at, state } of missed) {
    const rule = byId.get(id)
    if (rule === undefined) continue
    const [last] = state.kept.toReversed()
    const summary = last === undefined ? 'None came since the rule was enabled' : `The last came ${last.evidence.at}`
    await openAlert(kernel, tx, {
      rule,
      groupBy: state.group,
      title: titleOf(rule.name, state.group),
      entities: last?.entities ?? [],
      evidence: [{ id: `${key}:${at}`, source: 'absence', at, request_id: null, summary }],
    })
  }
  await removeExpired(tx, now)
}

async function removeExpired(tx: Tx, now: string): Promise<void> {
  const removed = await tx.query(sql<{ rule_id: string }>`
    delete from aegis_rule_state where (rule_id, group_key) in (
      select rule_id, group_key from aegis_rule_state where expires_at <= ${now} limit ${mostRemoved})
    returning rule_id`)
  const counts = new Map<string, number>()
  for (const { rule_id: id } of removed) counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const [id, count] of counts)
    await tx.execute(sql`
      update aegis_rule_health set groups = greatest(0, groups - ${count}) where rule_id = ${id}`)
}

/** Forgets everything that a rule remembers, which another definition could not read. */
export async function forgetStates(tx: Tx, ruleId: string): Promise<void> {
  await tx.execute(sql`delete from aegis_rule_state where rule_id = ${ruleId}`)
  await tx.execute(sql`update aegis_rule_health set groups = 0 where rule_id = ${ruleId}`)
}

/** A rule of type `absence` without groups waits for its first event from the moment it is enabled. */
export async function armAbsence(kernel: Pick<Kernel, 'clock'>, tx: Tx, rule: RuleRow): Promise<void> {
  const { type, group_by: groupBy, window_seconds: seconds } = rule.definition
  if (type === 'absence') await forgetStates(tx, rule.id)
  if (rule.status !== 'enabled' || type !== 'absence' || groupBy.length > 0 || seconds === null) return
  const now = kernel.clock.now()
  const state: GroupState = { plan: undefined, group: {}, kept: [] }
  await ruleStates.insert(tx, {
    tenant_id: tx.tenantId,
    rule_id: rule.id,
    group_key: emptyGroup,
    state,
    last_seen: new Date(now).toISOString(),
    expires_at: new Date(now + 7 * 86_400_000).toISOString(),
    due_at: new Date(now + seconds * 1_000 + latenessMs).toISOString(),
  })
}

/** Key of the one group of a rule without group fields: SHA-256 of nothing. */
const emptyGroup = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
