import type { Static } from 'typebox'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { job } from '../../../kernel/jobs/tables.ts'
import type { Job, jobStatuses } from './schema.ts'

export type JobRow = Static<typeof job.row>
export type JobStatus = (typeof jobStatuses)[number]

/** A job that waits for another attempt has failed so far; one that a newer one replaced is called off. */
export function statusOf({ status, error }: Pick<JobRow, 'status' | 'error'>): JobStatus {
  if (status === 'waiting') return error === null ? 'queued' : 'failed'
  if (status === 'done') return 'completed'
  return status === 'replaced' ? 'cancelled' : status
}

const conditions: Readonly<Record<JobStatus, SqlPart>> = {
  queued: sql`(status = 'waiting' and error is null)`,
  running: sql`status = 'running'`,
  completed: sql`status = 'done'`,
  failed: sql`(status = 'waiting' and error is not null)`,
  dead: sql`status = 'dead'`,
  cancelled: sql`status in ('replaced', 'cancelled')`,
}

export const isIn = (status: JobStatus): SqlPart => conditions[status]

interface Reader {
  /** Texts of errors may name machines and statements. */
  readonly operator: boolean
  /** Of the job's kind; null for a kind that is gone. */
  readonly maxAttempts: number | null
}

export function jobView(row: JobRow, { operator, maxAttempts }: Reader): Job {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    kind: row.kind,
    status: statusOf(row),
    attempts: row.attempts,
    max_attempts: maxAttempts,
    run_at: row.run_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    progress: row.progress,
    last_error: row.error === null ? null : errorView(row.error, operator),
    payload_digest: canonicalHash(row.payload),
    result: row.result,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.finished_at ?? row.started_at ?? row.created_at,
  }
}

/** The queue keeps `<class>: <message>`. */
function errorView(text: string, operator: boolean): { class: string; message: string | null } {
  const at = text.indexOf(': ')
  const [name, message] = at === -1 ? [text, text] : [text.slice(0, at), text.slice(at + 2)]
  return { class: /^\w{1,100}$/.test(name) ? name : 'Error', message: operator ? message : null }
}
