/** Which kill-switch scopes the modules of this installation enforce. */
import { definePort } from '../../../kernel/module/ports/port.ts'

export const killSwitchScopes = [
  'platform',
  'tenant',
  'provider',
  'model',
  'route',
  'key',
  'user',
  'agent',
  'agents_by_tag',
  'mcp_server',
  'tool',
] as const
export type KillSwitchScope = (typeof killSwitchScopes)[number]

/**
 * Scopes that the module names in each subject of its kill-switch checks (`AegisApi.matchKillSwitch`). A switch of a
 * scope that no module enforces is refused by name: an operator must not believe that it stops something.
 */
export const enforcedScopesPort = definePort<readonly KillSwitchScope[]>({
  name: 'aegis.enforced_scopes',
  cardinality: 'many',
})
