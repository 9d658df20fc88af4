import type { Permission } from '../../../kernel/access/permissions.ts'

/** Permissions that keys of agents may carry. */
export const agentScopes = ['gateway:write', 'aegis:write'] as const satisfies readonly Permission[]
export type AgentScope = (typeof agentScopes)[number]
