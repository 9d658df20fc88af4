import type { DeadJob, MadeCheckpoint, Notice } from '../../../kernel/notices/notices.ts'
import { checkpointCreated } from '../audit-log/events.ts'
import { jobDeadLettered } from '../jobs/events.ts'

/** Makes an event of a job that failed for the last time. */
export const tellDeadJob: Notice<DeadJob> = (tx, { id, kind, attempts, errorClass }) =>
  tx.emit(jobDeadLettered, `job/${id}`, { job_id: id, kind, attempts, error_class: errorClass.slice(0, 100) })

/** Makes an event of a checkpoint that is kept. */
export const tellCheckpoint: Notice<MadeCheckpoint> = (tx, { size, headHash }) =>
  tx.emit(checkpointCreated, 'audit_log', { size, head_hash: headHash })
