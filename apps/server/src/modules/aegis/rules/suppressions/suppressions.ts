/**
 * Suppressions of a rule: hits whose fields have all its values are counted and open no alert. Each has a reason and ends
 * within 90 days. Tested in alerts.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { json, sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Group } from '../../alerts/declared/fingerprint.ts'
import type { NewSuppression } from '../../alerts/declared/schema.ts'
import type { SuppressionRow } from '../declared/schema.ts'
import { suppressions } from '../declared/tables.ts'

const longestMs = 90 * 86_400_000

export interface Suppressible {
  readonly ruleId: string
  readonly fields: Group
  readonly count: number
}

/** Counts the hits at the oldest suppression that has them. Answers whether there is one. */
export async function countSuppressed(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { ruleId, fields, count }: Suppressible,
): Promise<boolean> {
  const counted = await tx.execute(sql`
    update aegis_suppression set hits = hits + ${count}, last_hit_at = ${clock.iso()}
    where id = (
      select id from aegis_suppression
      where rule_id = ${ruleId} and expires_at > ${clock.iso()} and match <@ ${json(fields)}::jsonb
      order by created_at, id limit 1)`)
  return counted > 0
}

export function suppressionsOf(tx: Tx, ruleIds: readonly string[]): Promise<readonly SuppressionRow[]> {
  return tx.query(sql<SuppressionRow>`
    select ${suppressions.columns} from aegis_suppression
    where rule_id = any(${[...ruleIds]}::uuid[]) order by created_at, id`)
}

export interface Wanted {
  readonly ruleId: string
  readonly by: string
  readonly input: Omit<NewSuppression, 'match'> & { readonly match: Group }
  /** Of the member `expires_at` in the request. */
  readonly pointer: string
}

/** @throws API-001 for an end that is past or more than 90 days away */
export async function addSuppression(kernel: Kernel, tx: Tx, wanted: Wanted): Promise<SuppressionRow> {
  const { ruleId, by, input, pointer } = wanted
  const inMs = Date.parse(input.expires_at) - kernel.clock.now()
  if (inMs <= 0 || inMs > longestMs) {
    const detail = 'A suppression ends in the future and at most 90 days from now.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer }])
  }
  const row: SuppressionRow = {
    tenant_id: tx.tenantId,
    id: kernel.random.uuid(),
    rule_id: ruleId,
    match: { ...input.match },
    reason: input.reason,
    expires_at: input.expires_at,
    created_by: by,
    created_at: kernel.clock.iso(),
    hits: 0,
    last_hit_at: null,
  }
  await suppressions.insert(tx, row)
  return row
}
