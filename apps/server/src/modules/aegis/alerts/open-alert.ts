/**
 * The one way into the table of alerts. Promises that hits of one rule about one group are one alert while it is open, in
 * any number of transactions at a time; that a closed one opens no other before its cool-down is over; and that hits of a
 * suppression are counted. Tested in alerts.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { add, hold, newRow, write } from '../../../kernel/resource/resource.ts'
import type { DirectRuleKey } from '../rules/declared/direct.ts'
import type { RuleRow } from '../rules/declared/schema.ts'
import { rules } from '../rules/declared/tables.ts'
import { countSuppressed } from '../rules/suppressions/suppressions.ts'
import { alertCreated, alertEvent, alertUpdated } from './declared/events.ts'
import { fingerprintOf, type Group } from './declared/fingerprint.ts'
import type { AlertRow, Entity, Evidence } from './declared/schema.ts'
import { alertResource, alerts } from './declared/tables.ts'
import type { Severity } from './declared/words.ts'
import { mergedHits, withHits } from './merge.ts'
import { dueTimes, laterBy, nextDue } from './sla.ts'
import { note } from './timeline.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

/** The part of a rule that an alert needs. */
export type AlertRule = Pick<RuleRow, 'id' | 'version' | 'name' | 'level' | 'tags' | 'cooldown_seconds'>

export interface AlertRequest {
  /** The rule, or the key of one whose alerts are opened by their module (`rules/pack/direct.ts`). */
  readonly rule: DirectRuleKey | AlertRule
  /** Values of the fields that tell one alert of the rule from another, by the name of the field. */
  readonly groupBy: Group
  /** Default: the name of the rule. At most 256 characters are kept. */
  readonly title?: string
  /** Default: the level of the rule. */
  readonly severity?: Severity
  /** Things that it is about, as `{ type: 'agent', id, name }`. */
  readonly entities: readonly Entity[]
  /** Evidence, oldest first. Entries with the id of an earlier one replace it; 50 are kept. */
  readonly evidence: readonly Evidence[]
  /** Added to those of the rule. */
  readonly tags?: readonly string[]
  /** Fields that suppressions may match besides those of the group. */
  readonly fields?: Group
  /** Occurrences; default 1. */
  readonly count?: number
}

export interface OpenedAlert {
  readonly id: string
  readonly status: AlertRow['status']
  /** False where an open alert was hit again. */
  readonly opened: boolean
}

/**
 * Opens an alert, or counts in the one that is open for the same rule and group, in the caller's transaction, and emits
 * `aegis.alert.created` or `aegis.alert.updated`.
 * @returns null where there is no alert: the rule is not enabled, or a suppression counted the hit
 */
export async function openAlert(kernel: Parts, tx: Tx, request: AlertRequest): Promise<OpenedAlert | null> {
  const rule = typeof request.rule === 'string' ? await directRule(tx, request.rule) : request.rule
  if (rule === null) return null
  const { groupBy, fields = {}, count = 1 } = request
  const isSuppressed = await countSuppressed(kernel, tx, { ruleId: rule.id, fields: { ...fields, ...groupBy }, count })
  if (isSuppressed) return null
  const fingerprint = fingerprintOf(rule.id, groupBy)
  await tx.lock('aegis.alert', fingerprint)
  const latest = await latestOf(tx, fingerprint)
  const hits = hitsOf(kernel, request)
  if (latest !== null && !isOver(latest, kernel.clock.iso())) return hitAgain(kernel, tx, latest, hits)
  return openNew(kernel, tx, { rule, request, fingerprint })
}

async function directRule(tx: Tx, key: DirectRuleKey): Promise<AlertRule | null> {
  return tx.first(sql<RuleRow>`
    select ${rules.columns} from aegis_detection_rule where pack_key = ${key} and status = 'enabled'`)
}

function latestOf(tx: Tx, fingerprint: string): Promise<AlertRow | null> {
  return tx.first(sql<AlertRow>`
    select ${alerts.columns} from aegis_alert where fingerprint = ${fingerprint}
    order by created_at desc, id desc limit 1`)
}

/** Whether its cool-down is over, so that the next hit opens another alert. */
function isOver({ status, resolved_at, closed_at, cooldown_seconds }: AlertRow, now: string): boolean {
  if (status !== 'resolved' && status !== 'closed') return false
  const ended = closed_at ?? resolved_at
  return ended === null || laterBy(ended, cooldown_seconds * 1_000) <= now
}

function hitsOf({ clock }: Parts, { entities, evidence, count = 1 }: AlertRequest) {
  const times = evidence.map(({ at }) => at).toSorted()
  const now = clock.iso()
  return { count, entities, evidence, firstAt: times[0] ?? now, lastAt: times.at(-1) ?? now }
}

async function hitAgain(
  kernel: Parts,
  tx: Tx,
  { id }: AlertRow,
  hits: ReturnType<typeof hitsOf>,
): Promise<OpenedAlert> {
  const held = await hold(tx, alertResource, { id, precondition: anyVersion })
  const row = await write(kernel, tx, held, withHits(held.row, hits))
  const isQuiet = row.status === 'suppressed' || row.status === 'resolved' || row.status === 'closed'
  if (!isQuiet) await tx.emit(alertUpdated, row.id, alertEvent(row))
  return { id: row.id, status: row.status, opened: false }
}

interface Opening {
  readonly rule: AlertRule
  readonly request: AlertRequest
  readonly fingerprint: string
}

async function openNew(kernel: Parts, tx: Tx, opening: Opening): Promise<OpenedAlert> {
  const row = newAlert(kernel, tx, opening)
  await add(tx, alertResource, row)
  await note(kernel, tx, row.id, { kind: 'opened', at: row.created_at, to_value: 'new' })
  await tx.emit(alertCreated, row.id, alertEvent(row))
  return { id: row.id, status: row.status, opened: true }
}

function newAlert(kernel: Parts, tx: Tx, { rule, request, fingerprint }: Opening): AlertRow {
  const stamps = newRow(kernel, tx)
  const severity = request.severity ?? rule.level
  const clocked = {
    status: 'new' as const,
    acknowledged_at: null,
    resolved_at: null,
    suppressed_until: null,
    breached: [],
    ...dueTimes(severity, stamps.created_at),
  }
  return {
    ...stamps,
    ...clocked,
    ...mergedHits(hitsOf(kernel, request)),
    rule_id: rule.id,
    rule_version: rule.version,
    title: (request.title ?? rule.name).slice(0, 256),
    severity,
    resolution: null,
    fingerprint,
    group_by: { ...request.groupBy },
    tags: [...new Set([...rule.tags, ...(request.tags ?? [])])].slice(0, 20),
    assignee_user_id: null,
    suppressed_by: null,
    closed_at: null,
    cooldown_seconds: rule.cooldown_seconds,
    paused_ms: 0,
    due_at: nextDue(clocked),
  }
}
