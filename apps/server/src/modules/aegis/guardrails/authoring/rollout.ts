/**
 * Which version of a guardrail runs, how, and in which share of sessions. Promises that the version before stays enforced
 * wherever the next one is not enforced yet. Tested in guardrails.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import type { Precondition } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Versioned } from '../../../../kernel/module/route.ts'
import { type Changes, change, type Held, hold } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { guardrailRolledOut } from '../declared/events.ts'
import type { Guardrail, GuardrailRow, Rollout } from '../declared/schema.ts'
import { guardrailResource } from '../declared/tables.ts'
import type { GuardrailStatus } from '../declared/words.ts'
import { invalid } from './definition.ts'
import { versionedGuardrail, versionOf } from './view.ts'

type Mode = Rollout['mode']

const allowed: Readonly<Record<GuardrailStatus, readonly Mode[]>> = {
  draft: ['monitor'],
  monitor: ['monitor', 'enforce', 'disable', 'rollback'],
  enforce: ['monitor', 'enforce', 'disable', 'rollback'],
  disabled: ['monitor'],
  archived: [],
}

export interface RolloutRequest {
  readonly id: string
  readonly precondition: Precondition
  readonly input: Rollout
}

/** @throws API-001, API-012, API-013, AEGIS-002 */
export async function rollOut(
  kernel: Pick<Kernel, 'clock'>,
  tx: Tx,
  { input, ...wanted }: RolloutRequest,
): Promise<Versioned<Guardrail>> {
  const held = await hold(tx, guardrailResource, wanted)
  const { row } = held
  if (!allowed[row.status].includes(input.mode))
    throw errors.illegalMove({ what: 'guardrail', status: row.status, to: input.mode })
  if (input.percent !== undefined && input.mode !== 'enforce')
    throw invalid('Only the mode enforce takes a percentage.', '/percent')
  const version = versionFor(row, input)
  if ((await versionOf(tx, row.id, version)) === null)
    throw invalid(`The guardrail has no version ${version}.`, '/version')
  const changes = { ...planOf(row, input, version), auto_rollback: input.auto_rollback }
  return versionedGuardrail(await store(kernel, tx, held, { changes, automatic: false, reason: null }))
}

/** The version that is meant. @throws AEGIS-002 where there is none before the live one */
function versionFor(row: GuardrailRow, { mode, version }: Rollout): number {
  if (mode === 'disable') return row.live_version ?? row.latest_version
  if (mode !== 'rollback') return version ?? row.latest_version
  const live = row.live_version ?? 1
  const before = version ?? row.base_version ?? live - 1
  if (before < 1 || before >= live)
    throw errors.illegalMove({
      what: 'guardrail',
      status: `at version ${live}, the oldest that was asked for`,
      to: 'rollback',
    })
  return before
}

function planOf(row: GuardrailRow, { mode, percent = 100 }: Rollout, version: number): Changes<GuardrailRow> {
  const base = enforcedBefore(row)
  if (mode === 'disable') return { status: 'disabled', rollout_percent: 0, base_version: null }
  if (mode === 'monitor')
    return {
      status: 'monitor',
      live_version: version,
      rollout_percent: 0,
      base_version: base === version ? null : base,
    }
  const share = mode === 'rollback' ? 100 : percent
  const rest = share >= 100 || base === version ? null : base
  return { status: 'enforce', live_version: version, rollout_percent: share, base_version: rest }
}

/** The version that is enforced in sessions outside of the share. */
function enforcedBefore({
  status,
  rollout_percent: percent,
  live_version: live,
  base_version: base,
}: GuardrailRow): number | null {
  return status === 'enforce' && percent >= 100 ? live : base
}

interface Step {
  readonly changes: Changes<GuardrailRow>
  readonly automatic: boolean
  readonly reason: string | null
}

async function store(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  held: Held<GuardrailRow>,
  { changes, automatic, reason }: Step,
): Promise<GuardrailRow> {
  const after = await change({ clock }, tx, held, {
    action: 'aegis.guardrail.rollout',
    changes: { ...changes, rolled_out_at: clock.iso() },
    ...(reason === null ? {} : { reason }),
  })
  await tx.emit(guardrailRolledOut, after.id, {
    ...{ guardrail_id: after.id, guardrail_name: after.name, version: after.live_version ?? after.latest_version },
    mode: after.status === 'enforce' || after.status === 'monitor' ? after.status : 'disabled',
    ...{ percent: after.rollout_percent, automatic, reason },
  })
  return after
}

/** Takes a version back that did harm: the one before is enforced again, else it is only watched. */
export function rollBackByItself(
  kernel: Pick<Kernel, 'clock'>,
  tx: Tx,
  held: Held<GuardrailRow>,
  reason: string,
): Promise<GuardrailRow> {
  const { base_version: base } = held.row
  const changes: Changes<GuardrailRow> =
    base === null
      ? { status: 'monitor', rollout_percent: 0 }
      : { status: 'enforce', live_version: base, base_version: null, rollout_percent: 100 }
  return store(kernel, tx, held, { changes: { ...changes, auto_rollback: null }, automatic: true, reason })
}
