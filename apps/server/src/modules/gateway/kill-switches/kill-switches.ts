import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { type AegisApi, aegisErrors, type KillSwitch, killSwitchEvent } from '../../aegis/api.ts'
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

/** A switch may end by itself after at most this long, in milliseconds. */
const longestLifeMs = 30 * 86_400_000

/** The gateway's door to the one kill-switch table. @throws GW-030, GW-001, API-001, AUTH-004 */
export async function activateKillSwitch(
  { aegis, iam, kernel, snapshots }: GatewayServices,
  scope: TenantScope,
  actor: Actor,
  input: ActivateKillSwitch,
): Promise<KillSwitchResource> {
  const wide = input.scope === 'tenant' || input.scope === 'platform'
  if (wide !== (input.value === undefined))
    throw wrong('/value', wide ? 'This scope takes no value.' : 'This scope needs a value.')
  const expiresAt = input.expires_at === undefined ? null : Date.parse(input.expires_at)
  if (expiresAt !== null && (expiresAt <= kernel.clock.now() || expiresAt > kernel.clock.now() + longestLifeMs)) {
    throw wrong('/expires_at', 'This must lie in the next 30 days.')
  }
  const missing = missingTarget(await snapshots.get(scope.tenantId), input)
  if (missing !== null) throw errors.unknownTarget({ what: missing })
  if (namesIds(input)) {
    const nobody = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => missingName(iam, tx, { actor, input }))
    if (nobody !== null) throw errors.unknownTarget({ what: nobody.detail }).at([nobody])
  }
  const row = await translated(() =>
    aegis.activateKillSwitch(scope, actor, {
      scope: input.scope,
      value: input.value ?? null,
      level: input.level ?? 'hard',
      reason: input.reason,
      exempt: input.except ?? [],
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      source: 'gateway',
      also: (tx, stored) => tx.emit(gatewayKillSwitchActivated, stored.id, killSwitchEvent(stored, actor.userId)),
    }),
  )
  return resourceOf(row)
}

/** Why a switch would stop nobody, in words: whoever pulls one must not believe that it does something. Null where it may. */
function missingTarget(
  { providers, routes = [] }: TenantSnapshot,
  { scope, value = '' }: ActivateKillSwitch,
): string | null {
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

const namesIds = ({ scope, except = [] }: ActivateKillSwitch): boolean =>
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
}

/** @throws GW-030, API-012, API-013, AUTH-004, AEGIS-009 with the member `confirm_token` */
export async function deactivateKillSwitch(
  { aegis }: GatewayServices,
  scope: TenantScope,
  actor: Actor,
  { id, input, precondition }: KillSwitchEnd,
): Promise<KillSwitchResource> {
  const row = await translated(() =>
    aegis.deactivateKillSwitch(scope, actor, {
      id,
      reason: input.reason,
      confirmToken: input.confirm_token ?? null,
      precondition,
      also: (tx, ended) => tx.emit(gatewayKillSwitchDeactivated, ended.id, killSwitchEvent(ended, actor.userId)),
    }),
  )
  return resourceOf(row)
}

/** The owner of the table speaks of its own errors; at this door they have the gateway's codes. */
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
  return { ...found, items: found.items.map((row) => new Versioned(resourceOf(row), row.version)) }
}

function resourceOf({ exempt, version: _, ...row }: KillSwitch): KillSwitchResource {
  return { ...row, except: exempt }
}
