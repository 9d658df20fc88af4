import type { Actor } from '../../kernel/auth/actor.ts'
import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Activity } from '../../kernel/module.ts'
import type { AegisApi } from './api.ts'
import { errors } from './errors.ts'
import { createKillList, killListRefresher } from './kill-list.ts'
import {
  type Activation,
  activate,
  type Deactivation,
  deactivate,
  type KillSwitchParts,
  killSwitchTopic,
  listKillSwitches,
  readActive,
} from './kill-switches.ts'
import type { KillSwitch } from './schemas.ts'
import type { People } from './second-person.ts'

/** A list this old is not trusted: the instance refuses calls until it has heard from the database again. */
const leaseMs = 10_000
const rereadMs = 15_000

export interface AegisServices {
  readonly api: AegisApi
  readonly parts: KillSwitchParts
  readonly refresher: Activity
}

export function createAegis(kernel: Kernel, people: People): AegisServices {
  const list = createKillList()
  const parts: KillSwitchParts = { kernel, list, people }
  const reread = (): Promise<void> => list.refresh(() => readActive(kernel))
  kernel.live.on(killSwitchTopic, (id, data) => {
    if (isKillSwitch(data.active)) list.apply(data.active)
    else list.lift(id)
  })
  return {
    parts,
    refresher: killListRefresher({
      read: reread,
      repeat: (run) => kernel.clock.every(rereadMs, run),
      failed: (error) => kernel.log.error({ err: error }, 'the kill list could not be read'),
    }),
    api: {
      matchKillSwitch: (subject) => list.match(subject, kernel.clock.now()),
      killListFresh: () => kernel.live.lastContactMs() <= leaseMs,
      onActivation: list.onActivation,
      activateKillSwitch: (scope, actor, request) => inOwnTransaction({ parts, reread, scope, actor }, request),
      deactivateKillSwitch: (scope, actor, request) => endInOwnTransaction({ parts, scope, actor }, request),
      listKillSwitches,
    },
  }
}

function isKillSwitch(value: unknown): value is KillSwitch {
  return typeof value === 'object' && value !== null && 'level' in value && 'scope' in value
}

/** Runs inside the same transaction as the change, for the caller's own event. */
export type AlongWith = (tx: Tx, killSwitch: KillSwitch) => Promise<void>

interface Caller {
  readonly parts: KillSwitchParts
  readonly scope: TenantScope
  readonly actor: Actor
}

async function inOwnTransaction(
  caller: Caller & { readonly reread: () => Promise<void> },
  request: Activation & { readonly also: AlongWith },
): Promise<KillSwitch> {
  const { parts, scope, actor, reread } = caller
  try {
    return await parts.kernel.db.tenant(scope, async (tx) => {
      const killSwitch = await activate(parts, tx, actor, request)
      await request.also(tx, killSwitch)
      return killSwitch
    })
  } catch (error) {
    // It may have been applied in memory before the transaction failed.
    parts.kernel.background('kill list after a failed activation', reread())
    throw error
  }
}

async function endInOwnTransaction(
  caller: Caller,
  request: Deactivation & { readonly also: AlongWith },
): Promise<KillSwitch> {
  const { parts, scope, actor } = caller
  const outcome = await parts.kernel.db.tenant(scope, async (tx) => {
    const result = await deactivate(parts, tx, actor, request)
    if (result.kind === 'ended') await request.also(tx, result.killSwitch)
    return result
  })
  if (outcome.kind === 'ended') return outcome.killSwitch
  throw outcome.token === null
    ? errors.secondPerson()
    : errors.secondPerson().withMembers({ confirm_token: outcome.token })
}
