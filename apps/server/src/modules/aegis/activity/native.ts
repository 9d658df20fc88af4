/** Reads native events, each by itself: a wrong one is rejected with its reason and the others are taken. Pure. */
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { callIdOf } from './join/answer-id.ts'
import { type ActivityRecord, noDetails, type ReadBatch, type Rejected } from './record/record.ts'
import type { EventType } from './record/words.ts'
import { ActivityEvent } from './schema.ts'

const check = lazyCheck(ActivityEvent)

/** Members without which an event of the type says nothing. */
const needed: Readonly<Partial<Record<EventType, 'model' | 'tool' | 'destination'>>> = {
  ...{ 'llm.call': 'model', 'tool.call': 'tool', egress: 'destination' },
}

export function readEvents(events: readonly unknown[]): ReadBatch {
  const records: ActivityRecord[] = []
  const rejected: Rejected[] = []
  for (const [index, event] of events.entries()) {
    const read = readEvent(event)
    if ('reason' in read) rejected.push({ index, ...read })
    else records.push(read)
  }
  return { records, rejected, ignored: 0 }
}

function readEvent(event: unknown): ActivityRecord | Omit<Rejected, 'index'> {
  const [wrong] = check(event)
  if (wrong !== undefined)
    return { event_id: idIn(event), reason: `${wrong.pointer || 'The event'}: ${wrong.detail}`.slice(0, 300) }
  const valid = event as ActivityEvent
  const member = needed[valid.type]
  if (member !== undefined && valid[member] === undefined)
    return { event_id: valid.event_id, reason: `/${member}: An event of the type ${valid.type} needs this field.` }
  const { destination = null, outcome = 'succeeded' } = valid
  return {
    ...noDetails,
    ...valid,
    call_id: valid.type === 'llm.call' ? answerIdIn(valid) : null,
    source: 'native',
    time: new Date(valid.time).toISOString(),
    destination: destination?.toLowerCase() ?? null,
    outcome: valid.type === 'error' && valid.outcome === undefined ? 'unknown' : outcome,
  }
}

/** Named as OpenTelemetry names it. */
function answerIdIn({ attributes }: ActivityEvent): string | null {
  const id = attributes?.['gen_ai.response.id']
  return typeof id === 'string' && id !== '' ? callIdOf(id) : null
}

function idIn(event: unknown): string | null {
  const id = typeof event === 'object' && event !== null && 'event_id' in event ? event.event_id : null
  return typeof id === 'string' ? id.slice(0, 128) : null
}
