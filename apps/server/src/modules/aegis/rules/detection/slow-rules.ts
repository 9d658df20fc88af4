/**
 * Rules that cost more than they may: one that takes longer than a millisecond for one event of a hundred is disabled, one
 * with too many groups forgets the oldest, and both open an alert. Tested in detection.http.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { anyVersion } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { change, hold } from '../../../../kernel/resource/resource.ts'
import { openAlert } from '../../alerts/open-alert.ts'
import type { HealthRow } from '../declared/schema.ts'
import { ruleResource } from '../declared/tables.ts'
import type { LiveRule } from './cache.ts'
import { p99Of, storeHealth } from './health.ts'
import { dropOldest, mostGroups } from './states.ts'

/** Microseconds that 99 of 100 evaluations of a rule stay below. */
const mostUs = 1_024

/** Evaluations before a rule is judged: the first ones are slow for all. */
const leastMeasured = 1_000

export interface Judged {
  readonly health: readonly HealthRow[]
  readonly rules: ReadonlyMap<string, LiveRule>
}

export async function refuseSlow(kernel: Kernel, tx: Tx, { health, rules }: Judged): Promise<void> {
  for (const row of health) {
    const rule = rules.get(row.rule_id)
    if (rule === undefined) continue
    if (row.groups > mostGroups) await forgetGroups(kernel, tx, rule, row)
    const measured = row.durations.reduce((sum, count) => sum + count, 0)
    if (measured >= leastMeasured && (p99Of(row.durations) ?? 0) > mostUs) await disable(kernel, tx, rule)
  }
}

async function forgetGroups(kernel: Kernel, tx: Tx, rule: LiveRule, row: HealthRow): Promise<void> {
  const dropped = await dropOldest(tx, rule.id, row.groups - mostGroups)
  await storeHealth(tx, [{ ...row, groups: row.groups - dropped }])
  await tellOf(kernel, tx, { key: 'rule_too_many_groups', rule, summary: `${dropped} groups were dropped` })
}

async function disable(kernel: Kernel, tx: Tx, rule: LiveRule): Promise<void> {
  const held = await hold(tx, ruleResource, { id: rule.id, precondition: anyVersion })
  if (held.row.status !== 'enabled') return
  await change(kernel, tx, held, {
    action: 'aegis.detection_rule.update',
    changes: { status: 'disabled', channels: [] },
    reason: 'It took more than a millisecond for one event of a hundred.',
  })
  await tellOf(kernel, tx, { key: 'rule_too_slow', rule, summary: 'The rule was disabled' })
}

interface Told {
  readonly key: 'rule_too_many_groups' | 'rule_too_slow'
  readonly rule: LiveRule
  readonly summary: string
}

async function tellOf(kernel: Kernel, tx: Tx, { key, rule, summary }: Told): Promise<void> {
  const at = kernel.clock.iso()
  await openAlert(kernel, tx, {
    rule: key,
    groupBy: { rule_id: rule.id },
    entities: [{ type: 'detection_rule', id: rule.id, name: rule.name }],
    evidence: [{ id: `${key}:${at}`, source: 'aegis.detection_rule', at, request_id: null, summary }],
  })
}
