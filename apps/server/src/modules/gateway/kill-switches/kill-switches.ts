import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import { type AegisApi, aegisErrors, type KillSwitch, killSwitchEvent, killSwitchView } from '../../aegis/api.ts'
import type { MissingTarget, NamedTarget } from '../../aegis/ports/kill-targets.ts'
import { errors } from '../declared/errors.ts'
import { aliasedModel, mayHave } from '../plan/targets.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import type { Provider } from '../providers/provider.ts'
import { gatewayKillSwitchActivated, gatewayKillSwitchDeactivated } from '../schemas/events.ts'
import type {
  ActivateKillSwitch,
  DeactivateKillSwitch,
  KillSwitchFilter,
  KillSwitchResource,
} from '../schemas/kill-switch.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { missingName } from './kill-switch-names.ts'

/** The gateway's API to the shared kill-switch table. @throws GW-030, GW-001, API-001, AEGIS-005, AUTH-004 */
export async function activateKillSwitch(
  services: GatewayServices,
  scope: TenantScope,
  actor: Actor,
  input: ActivateKillSwitch,
): Promise<KillSwitchResource> {
  const wide = input.scope === 'tenant' || input.scope === 'platform'
  if (wide !== (input.value === undefined))
    throw wrong('/value', wide ? 'This scope takes no value.' : 'This scope needs a value.')
  const { value = null, except = [] } = input
  const missing = await missingOf(services, { scope, actor, target: { scope: input.scope, value, except } })
  if (missing !== null) throw errors.unknownTarget({ what: missing.detail }).at([missing])
  const { aegis } = services
  const row = await translated(() =>
    aegis.activateKillSwitch(scope, actor, {
      scope: input.scope,
      value,
      level: input.level ?? 'hard',
      reason: input.reason,
      exempt: except,
      expiresAt: input.expires_at === undefined ? null : new Date(input.expires_at).toISOString(),
      source: 'gateway',
      also: (tx, stored) => tx.emit(gatewayKillSwitchActivated, stored.id, killSwitchEvent(stored, actor.userId)),
    }),
  )
  return killSwitchView(row)
}

/** Reason why a switch would stop no calls, and the field at fault; null if its target exists. */
export async function missingOf(
  { iam, kernel, snapshots }: GatewayServices,
  { scope, actor, target }: NamedTarget,
): Promise<MissingTarget | null> {
  const missing = missingTarget(await snapshots.get(scope.tenantId), target)
  if (missing !== null) return { detail: missing, pointer: '/value' }
  if (!namesIds(target)) return null
  return kernel.db.tenant({ ...scope, readOnly: true }, (tx) => missingName(iam, tx, { actor, target }))
}

/**
 * Reason in words why a switch would stop no calls: the operator must not believe that it has an effect. Null if it
 * may.
 */
function missingTarget(
  { providers, routes = [] }: TenantSnapshot,
  { scope, value }: NamedTarget['target'],
): string | null {
  if (value === null) return null
  if (scope === 'provider')
    return providers.some(({ name }) => name === value) ? null : `There is no provider ${value}.`
  if (scope === 'route') return routes.some(({ name }) => name === value) ? null : `There is no route named ${value}.`
  if (scope !== 'model') return null
  const meant = providers.flatMap((provider) => {
    const model = aliasedModel(provider, value)
    return model === null ? [] : [`${provider.name}/${model}`]
  })
  if (meant.length > 0) return `${value} is another name of ${meant.join(' and ')}. Name what it stands for.`
  const has = providers.some(
    (provider) => mayHave(provider, value) || mayHave(provider, withoutPrefix(provider, value)),
  )
  return has ? null : `No provider has a model ${value}.`
}

const namesIds = ({ scope, except }: NamedTarget['target']): boolean =>
  scope === 'user' || scope === 'key' || scope === 'agent' || except.length > 0

const withoutPrefix = ({ name }: Provider, model: string): string =>
  model.startsWith(`${name}/`) ? model.slice(name.length + 1) : model

function wrong(pointer: string, detail: string) {
  return apiErrors.validation({ what: 'One field of the body is not valid.' }).at([{ detail, pointer }])
}

export interface KillSwitchEnd {
  readonly id: string
  readonly input: DeactivateKillSwitch
  readonly precondition: Precondition
  readonly repeatable: RepeatableCall
}

/** @throws GW-030, API-012, API-013, AUTH-004, AEGIS-009 with the member `confirm_token` */
export async function deactivateKillSwitch(
  { aegis }: GatewayServices,
  scope: TenantScope,
  actor: Actor,
  { id, input, precondition, repeatable }: KillSwitchEnd,
): Promise<KillSwitchResource> {
  const row = await translated(() =>
    aegis.deactivateKillSwitch(scope, actor, {
      id,
      reason: input.reason,
      call: repeatable,
      precondition,
      also: (tx, ended) => tx.emit(gatewayKillSwitchDeactivated, ended.id, killSwitchEvent(ended, actor.userId)),
    }),
  )
  return killSwitchView(row)
}

/** The table's owner throws its own errors; this API translates them to the gateway's codes. */
async function translated(work: () => Promise<KillSwitch>): Promise<KillSwitch> {
  try {
    return await work()
  } catch (error) {
    const known =
      error instanceof ProblemError && [aegisErrors.exists.code, aegisErrors.illegalMove.code].includes(error.code)
    throw known ? errors.killSwitchConflict({ what: error.message }).causedBy(error) : error
  }
}

export async function listKillSwitches(
  aegis: AegisApi,
  tx: Tx,
  page: PageRequest,
  { status = 'active', ...rest }: KillSwitchFilter,
): Promise<Page<Versioned<KillSwitchResource>>> {
  const found = await aegis.listKillSwitches(tx, page, { status, ...rest })
  return { ...found, items: found.items.map((row) => new Versioned(killSwitchView(row), row.version)) }
}
