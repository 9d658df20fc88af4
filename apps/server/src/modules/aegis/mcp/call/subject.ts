import type { KeyAncestor } from '../../../../kernel/access/actor.ts'
import type { Caller } from './types.ts'

/** A call as kill switches are asked about it. */
export interface CallSubject {
  readonly tenantId: string
  readonly tenantsAbove: readonly { readonly id: string }[]
  readonly userId: string
  readonly keyId: string | null
  readonly keyAncestors: readonly KeyAncestor[]
  readonly agentId: string
  readonly agentTags: readonly string[]
  readonly provider: null
  readonly model: null
  readonly route: null
  readonly mcpServers: readonly string[]
  readonly tools: readonly string[]
}

/** The caller as kill switches know it, with the tool where one is called. */
export function subjectOf({ actor, agent, server, tenantId }: Caller, tool: string | null): CallSubject {
  const { tenantsAbove = [], userId, keyId, keyAncestors = [] } = actor
  const { slug } = server.row
  return {
    ...{ tenantId, tenantsAbove, userId, keyId, keyAncestors, agentId: agent.id, agentTags: agent.tags },
    ...{ provider: null, model: null, route: null, mcpServers: [slug] },
    tools: tool === null ? [] : [tool, `${slug}/${tool}`],
  }
}
