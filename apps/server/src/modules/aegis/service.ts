import type { Actor } from '../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Activity } from '../../kernel/lifecycle/activity.ts'
import { createAcknowledger } from './acknowledger.ts'
import type { AegisApi } from './api.ts'
import { errors } from './errors.ts'
import { createKillList } from './kill-list.ts'
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
import { createLease } from './lease.ts'
import { acknowledge, awaitAcknowledged, type Enforced } from './propagation.ts'
import type { KillSwitch } from './schemas.ts'

export interface AegisServices {
  readonly api: AegisApi
  readonly parts: KillSwitchParts
  readonly lease: Activity
}

export function createAegis(kernel: Kernel, countSecondPeople: KillSwitchParts['countSecondPeople']): AegisServices {
  const list = createKillList()
  const parts: KillSwitchParts = { kernel, list, countSecondPeople }
  const acknowledger = createAcknowledger((enforced) => acknowledge(kernel, enforced))
  const handIn = (enforced: readonly Enforced[]): void =>
    kernel.background('acknowledging kill switches', acknowledger.handIn(enforced))
  const reread = async (): Promise<boolean> => {
    const applied = await list.refresh(() => readActive(kernel))
    handIn(applied ?? [])
    return applied !== null
  }
  const lease = createLease({ kernel, reread })
  kernel.live.on(killSwitchTopic, (id, data) => {
    if (!isKillSwitch(data.active)) return list.lift(id)
    const killSwitch = data.active
    const aborted = list.apply(killSwitch)
    // Where it was activated it is noted in the same transaction; who enforces it already has handed that in.
    if (data.by !== kernel.node && aborted !== null) handIn([{ killSwitch, aborted }])
  })
  return {
    parts,
    lease,
    api: {
      matchKillSwitch: (subject) => list.match(subject, kernel.clock.now()),
      matchKillSwitchOfRunning: (subject) => list.matchRunning(subject, kernel.clock.now()),
      killListFresh: lease.fresh,
      onActivation: list.onActivation,
      activateKillSwitch: async (scope, actor, request) =>
        known(kernel, await inOwnTransaction({ parts, reread, scope, actor }, request)),
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
  caller: Caller & { readonly reread: () => Promise<boolean> },
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

/** The switch is in force whatever comes now, so what cannot be read of its way to other instances is no failure. */
async function known(kernel: Kernel, killSwitch: KillSwitch): Promise<KillSwitch> {
  try {
    return await awaitAcknowledged(kernel, killSwitch)
  } catch (error) {
    kernel.log.warn({ err: error, killSwitch: killSwitch.id }, 'how far a kill switch got could not be read')
    return killSwitch
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
