/**
 * For whom a job asks the gateway: the person that the work belongs to, with the rights of this moment. Its calls are under
 * the same policies and limits as that person's calls over HTTP.
 */
import { type Permission, permissionSet } from '../../../kernel/access/permissions.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import { formatTraceparent, newTrace } from '../../../kernel/observe/trace.ts'
import type { Asker } from '../../gateway/api.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

export interface JobAsking {
  readonly userId: string
  readonly kind: string
  /** Most that the job may do. */
  readonly ceiling: readonly Permission[]
}

/** @throws AUTH-018 where the account may not act any more */
export async function jobAsker(
  { kernel, tenantId, id, signal }: Pick<JobContext<SvcAiServices>, 'kernel' | 'tenantId' | 'id' | 'signal'>,
  { userId, kind, ceiling }: JobAsking,
): Promise<Asker> {
  const job = { kind, id }
  const actor = await kernel.auth.actAs({ tenantId, userId, ceiling: permissionSet(ceiling), job })
  return {
    actor,
    request: {
      ...{ id: `job_${id}`, path: '/api/v1/svc-ai', ip: '127.0.0.1', userAgent: `parapet-job/${kind}`, signal },
      traceparent: formatTraceparent(newTrace((bytes) => kernel.random.hex(bytes))),
      header: () => undefined,
    },
  }
}
