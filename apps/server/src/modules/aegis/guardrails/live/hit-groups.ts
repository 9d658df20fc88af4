/** Hits that are reported in one event. Pure. Tested in recorder.test.ts. */

import { isUuid } from '../../../../kernel/auth/token-checks.ts'
import type { EventData } from '../../../../kernel/events/catalogue/catalogue.ts'
import type { guardrailTriggered } from '../declared/events.ts'
import type { Hit } from '../engine/combine.ts'
import type { EvaluationContext } from '../engine/context.ts'

export interface HitGroup {
  readonly key: string
  readonly tenantId: string
  readonly minute: number
  readonly count: number
  readonly data: Omit<EventData<typeof guardrailTriggered>, 'count'>
}

/** Enforced hits are reported one by one for each call; monitored ones by agent, server and tool. */
export function hitGroup(context: EvaluationContext, hit: Hit, minute: number): HitGroup {
  const { tenantId, agent, user, session, server, tool, request } = context
  const { guardrailId, name, kind, version, action, enforced, failed, tags } = hit
  const data = {
    ...{ guardrail_id: guardrailId, guardrail_name: name, version, kind, action, enforced, failed },
    agent_id: uuidOf(agent?.id),
    user_id: enforced ? uuidOf(user?.id) : null,
    session_id: enforced ? (session?.id.slice(0, 128) ?? null) : null,
    request_id: enforced ? (request.id?.slice(0, 128) ?? null) : null,
    server: server?.slug.slice(0, 256) ?? null,
    tool: tool?.name.slice(0, 256) ?? null,
    tags: [...tags],
  }
  const key = JSON.stringify([tenantId, minute, data])
  return { key, tenantId, minute, count: 1, data }
}

const uuidOf = (id: string | undefined): string | null => (id !== undefined && isUuid(id) ? id : null)
