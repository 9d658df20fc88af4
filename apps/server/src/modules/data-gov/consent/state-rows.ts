/** Reads the state of a person in one statement, for memory and for the API. */
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { ConsentRow, NoticePurpose, SubjectRow } from '../declared/consent-schema.ts'
import type { PurposeState, SubjectState } from '../engine/decide.ts'

type Recorded = Pick<
  ConsentRow,
  'purpose' | 'basis' | 'state' | 'categories' | 'recipients' | 'valid_until' | 'occurred_at' | 'event_id'
>

export interface StateRow extends Recorded {
  readonly subject_id: string
  readonly status: SubjectRow['status']
  readonly gpc_at: string | null
  /** Null for a person without any record. */
  readonly id: string | null
  readonly outdated: boolean
  readonly noticed: readonly NoticePurpose[] | null
}

/** @param hash keyed hash of one identifier */
export const statesStatement = (hash: string): SqlPart<StateRow> => sql<StateRow>`
  select s.id as subject_id, s.status, s.gpc_at, c.id, c.purpose, c.basis, c.state, c.categories, c.recipients,
    c.valid_until, c.occurred_at, c.event_id, n.purposes as noticed,
    exists (
      select from data_gov_notice newer
      where newer.key = c.notice_key and newer.edition > c.notice_edition and newer.material_change
        and newer.effective_from <= now()
        and newer.purposes @> jsonb_build_array(jsonb_build_object('purpose', c.purpose))) as outdated
  from data_gov_alias a
  join data_gov_subject s on s.id = a.subject_id
  left join data_gov_consent c on c.subject_id = s.id
  left join data_gov_notice n on n.id = c.notice_id
  where a.hash = ${hash}`

/** Null without any row. */
export function stateOf(rows: readonly StateRow[]): SubjectState | null {
  const [first] = rows
  if (first === undefined) return null
  const purposes = rows.flatMap((row): [string, PurposeState][] =>
    row.id === null ? [] : [[row.purpose, purposeState(row, row.id)]],
  )
  return {
    id: first.subject_id,
    status: first.status,
    gpcAt: first.gpc_at === null ? null : Date.parse(first.gpc_at),
    purposes: new Map(purposes),
  }
}

function purposeState(row: StateRow, id: string): PurposeState {
  const { categories, recipients, basis, state, outdated } = row
  return {
    ...{ recordId: id, eventId: row.event_id, state, basis, categories, recipients, outdated },
    validUntil: row.valid_until === null ? null : Date.parse(row.valid_until),
    occurredAt: Date.parse(row.occurred_at),
    saleOrSharing: (row.noticed ?? []).some((one) => one.purpose === row.purpose && one.sale_or_sharing === true),
  }
}
