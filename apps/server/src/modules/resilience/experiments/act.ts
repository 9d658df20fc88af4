/** Actions of people on an experiment. Tested in experiments.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, type Held, hold } from '../../../kernel/resource/resource.ts'
import { needOtherPerson } from '../../../kernel/second-person/people.ts'
import { writeJournal } from '../chaos/journal.ts'
import { announceStop } from '../chaos/news.ts'
import type { ExperimentAction, ExperimentRow, Status } from '../declared/experiment-schema.ts'
import { experimentResource } from '../declared/experiment-tables.ts'
import { errors } from '../errors/errors.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { start } from './create-experiment.ts'
import { experimentAborted, toldOf } from './events.ts'
import { refuseStopped } from './refusals.ts'
import { arm, disarm } from './schedule.ts'

const action = 'resilience.experiment.act'

interface Acting {
  readonly id: string
  readonly actor: Actor
  readonly body: ExperimentAction
  /** Whether the lever of the platform is engaged. */
  readonly platformStopped: boolean
}

interface Step extends Acting {
  readonly held: Held<ExperimentRow>
  readonly note: { readonly reason?: string }
}

/** @throws API-001, API-013, AUTH-004, RES-010, RES-013, RES-014 */
export async function act(
  { kernel }: Pick<ResilienceServices, 'kernel'>,
  tx: Tx,
  acting: Acting,
): Promise<ExperimentRow> {
  const { id, actor, body } = acting
  const step = steps[body.action]
  if (step === undefined)
    throw apiErrors
      .validation({ what: 'The lever is moved with the id `all`.' })
      .at([{ detail: 'Use /chaos/experiments/all/actions.', pointer: '/action' }])
  const held = await hold(tx, experimentResource, { id, precondition: anyVersion })
  const { status } = held.row
  if (!step.from.includes(status)) throw errors.wrongState({ status, action: body.action })
  const note = body.note === undefined ? {} : { reason: body.note }
  const row = await step.run(kernel, tx, { ...acting, held, note })
  await writeJournal(kernel, tx, id, [{ kind: body.action, data: { by: actor.userId, note: body.note ?? null } }])
  return row
}

interface Move {
  readonly from: readonly Status[]
  readonly run: (kernel: Kernel, tx: Tx, step: Step) => Promise<ExperimentRow>
}

const steps: { readonly [Name in ExperimentAction['action']]?: Move } = {
  approve: { from: ['pending_approval'], run: approve },
  abort: { from: ['pending_approval', 'scheduled', 'ready', 'checking', 'injecting', 'recovering'], run: abort },
  finish: { from: ['injecting'], run: finish },
}

async function approve(kernel: Kernel, tx: Tx, { actor, held, note, platformStopped }: Step): Promise<ExperimentRow> {
  if (!holds(actor.permissions, 'resilience:admin')) throw authErrors.forbidden({ permission: 'resilience:admin' })
  const { created_by: by, created_at: at } = held.row
  needOtherPerson({ by, atMs: Date.parse(at) }, actor, () =>
    errors.secondPerson({ what: 'Another person than the author approves the experiment.' }),
  )
  const { mode, ttl_seconds: seconds } = held.row
  if (mode !== 'scheduled') await refuseStopped(kernel, tx, { seconds, platformStopped })
  const status = mode === 'scheduled' ? 'scheduled' : 'ready'
  const changes = { status, approved_by: actor.userId } as const
  const approved = await change(kernel, tx, held, { action, changes, ...note })
  if (mode === 'scheduled') await arm(kernel, tx, approved)
  else await start(tx, approved)
  return approved
}

async function abort(kernel: Kernel, tx: Tx, { id, held, note }: Step): Promise<ExperimentRow> {
  // Nothing runs it, so nothing else ends it.
  const isWaiting = ['pending_approval', 'scheduled'].includes(held.row.status)
  if (held.row.status === 'scheduled') await disarm(tx, id)
  const end = { status: 'aborted', verdict: 'inconclusive', finished_at: kernel.clock.iso() } as const
  const changes = { stop_wanted: true, abort_cause: 'person', ...(isWaiting ? end : {}) }
  const aborted = await change(kernel, tx, held, { action, changes, ...note })
  await announceStop(tx, id)
  if (isWaiting) await tx.emit(experimentAborted, id, toldOf(aborted))
  return aborted
}

async function finish(kernel: Kernel, tx: Tx, { id, held, note }: Step): Promise<ExperimentRow> {
  const finishing = await change(kernel, tx, held, { action, changes: { stop_wanted: true }, ...note })
  await announceStop(tx, id)
  return finishing
}
