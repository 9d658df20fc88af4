import type { Kernel } from '../../../kernel/kernel.ts'
import { checkpointCreated } from '../audit-log/events.ts'
import { jobDeadLettered } from '../jobs/events.ts'

/** Makes events of what the kernel's loops tell. */
export function tellNotices({ notices }: Pick<Kernel, 'notices'>): void {
  notices.jobDied.listen((tx, { id, kind, attempts, errorClass }) =>
    tx.emit(jobDeadLettered, `job/${id}`, { job_id: id, kind, attempts, error_class: errorClass.slice(0, 100) }),
  )
  notices.checkpointMade.listen((tx, { size, headHash }) =>
    tx.emit(checkpointCreated, 'audit_log', { size, head_hash: headHash }),
  )
}
