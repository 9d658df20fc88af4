/** Takes OpenLineage events, one or a list: each valid event of a list counts, whatever the others are. */
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { ReceivedBytes } from '../../../kernel/module/route.ts'
import { type FormFault, formFaults, type Json } from '../engine/event-form.ts'
import { errors } from '../errors/errors.ts'
import { lineageReceived } from './events.ts'
import { beginStoring, storeEvent } from './store.ts'

const mostEvents = 1_000
const mostFaults = 20

type Parts = Pick<Kernel, 'clock' | 'random'>

/** @throws API-001 for a body that is no JSON */
export function bodyOf({ content }: ReceivedBytes): unknown {
  try {
    return JSON.parse(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8'))
  } catch (error) {
    throw apiErrors
      .validation({ what: 'The body is not JSON.' })
      .at([{ detail: 'is not JSON', pointer: '' }])
      .causedBy(error)
  }
}

/** @throws DGOV-006 */
export async function receiveOne(parts: Parts, tx: Tx, event: unknown) {
  const faults = formFaults(event)
  if (faults.length > 0)
    throw errors
      .eventInvalid({ what: `The event is not OpenLineage 2-0-2: ${faults[0]?.pointer} ${faults[0]?.detail}.` })
      .at(faults.slice(0, mostFaults).map(({ pointer, detail }) => ({ pointer, detail })))
  await beginStoring(tx)
  const { id, duplicate, warnings } = await storeEvent(parts, tx, event as Json)
  if (!duplicate) await tx.emit(lineageReceived, id, { events: 1, first_event_id: id })
  await tx.audit('data_gov.lineage.create', { target: `data_gov_lineage_event:${id}`, after: { duplicate } })
  return { event_id: id, duplicate, warnings: warnings.slice(0, mostFaults) }
}

/** @throws API-001 for too many, DGOV-007 where all are refused */
export async function receiveMany(parts: Parts, tx: Tx, events: readonly unknown[]) {
  if (events.length === 0 || events.length > mostEvents)
    throw apiErrors
      .validation({ what: `A list has 1 to ${mostEvents} events.` })
      .at([{ detail: `has ${events.length} events`, pointer: '' }])
  const judged = events.map((event, index) => ({ event, index, faults: formFaults(event) }))
  const bad = judged.filter(({ faults }) => faults.length > 0)
  if (bad.length === events.length)
    throw errors
      .batchRefused({ count: events.length })
      .at(
        bad
          .slice(0, mostFaults)
          .flatMap(({ index, faults }) =>
            faults.slice(0, 1).map(({ pointer, detail }) => ({ pointer: `/${index}${pointer}`, detail })),
          ),
      )
  await beginStoring(tx)
  const done = []
  const sharing = { clock: parts.clock, random: parts.random, known: new Map<string, string>() }
  for (const { event, faults } of judged)
    if (faults.length === 0) done.push(await storeEvent(sharing, tx, event as Json))
  const [first] = done
  await tellMany(tx, done)
  await tx.audit('data_gov.lineage.create', {
    target: `data_gov_lineage_event:${first?.id ?? 'none'}`,
    after: { received: events.length, successful: done.length },
  })
  return batchAnswer({ received: events.length, done, bad })
}

type Done = Awaited<ReturnType<typeof storeEvent>>

async function tellMany(tx: Tx, done: readonly Done[]): Promise<void> {
  const fresh = done.filter(({ duplicate }) => !duplicate)
  const [first] = fresh
  if (first !== undefined) await tx.emit(lineageReceived, first.id, { events: fresh.length, first_event_id: first.id })
}

interface Batch {
  readonly received: number
  readonly done: readonly Done[]
  readonly bad: readonly { readonly index: number; readonly faults: readonly FormFault[] }[]
}

function batchAnswer({ received, done, bad }: Batch) {
  return {
    status: bad.length === 0 ? ('success' as const) : ('partial_success' as const),
    summary: {
      ...{ received, successful: done.length, duplicates: done.filter(({ duplicate }) => duplicate).length },
      ...{ failed: bad.length, retriable: 0, non_retriable: bad.length },
    },
    failed_events: bad.map(({ index, faults }) => ({
      index,
      reason: faults
        .slice(0, 3)
        .map(({ pointer, detail }) => `${pointer} ${detail}`)
        .join('; '),
      retriable: false,
    })),
    warnings: done.flatMap(({ warnings }) => warnings).slice(0, mostFaults),
  }
}
