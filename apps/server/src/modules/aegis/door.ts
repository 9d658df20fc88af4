/** AEGIS's own door to the one kill-switch table. Tested in kill-switches.test.ts. */
import type { Actor } from '../../kernel/access/actor.ts'
import type { TenantScope } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { apiErrors } from '../../kernel/errors/errors.ts'
import type { MissingTarget, NamedTarget } from './ports/kill-targets.ts'
import type { ActivateKillSwitch, KillSwitch } from './schemas.ts'
import type { AegisServices } from './service.ts'

type Door = Pick<AegisServices, 'api' | 'parts'>

const nothingAlong = async (): Promise<void> => {}

/** @throws API-001, AEGIS-003, AEGIS-005, AUTH-004 */
export async function pull(
  door: Door,
  scope: TenantScope,
  actor: Actor,
  input: ActivateKillSwitch,
): Promise<KillSwitch> {
  const { value = null, except = [] } = input
  const missing = await missingOf(door, { scope, actor, target: { scope: input.scope, value, except } })
  if (missing !== null) throw apiErrors.validation({ what: missing.detail }).at([missing])
  return door.api.activateKillSwitch(scope, actor, {
    ...{ scope: input.scope, value, level: input.level ?? 'hard', reason: input.reason, exempt: except },
    expiresAt: input.expires_at === undefined ? null : new Date(input.expires_at).toISOString(),
    ...{ source: 'aegis', also: nothingAlong },
  })
}

/** A tag is known here; everything else by the module that has it. A name of a tool is taken as it is. */
async function missingOf({ parts }: Door, named: NamedTarget): Promise<MissingTarget | null> {
  const { scope, target } = named
  if (target.scope === 'agents_by_tag' && target.value !== null) {
    const statement = sql<{ id: string }>`select id from aegis_agent where ${target.value} = any(tags) limit 1`
    if ((await parts.kernel.db.read(scope.tenantId, statement)).length === 0)
      return { detail: `There is no agent with the tag ${target.value}.`, pointer: '/value' }
  }
  for (const { scopes, missing } of parts.killTargets()) {
    const isAsked = (target.value !== null && scopes.includes(target.scope)) || target.except.length > 0
    const found = isAsked ? await missing(named) : null
    if (found !== null) return found
  }
  return null
}
