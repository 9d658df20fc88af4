/**
 * The form of OpenLineage 2-0-2 events: what is required, and where an event does not have it. Facets are taken as they
 * are, but for the one character that no database keeps. Tested in lineage.test.ts and in the module's bad-input.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'

export interface FormFault {
  /** JSON Pointer in the event. */
  readonly pointer: string
  readonly detail: string
}

export type Json = Readonly<Record<string, unknown>>

export const eventTypes = ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] as const
export type EventType = (typeof eventTypes)[number]

const instant = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d\d:\d\d)$/i
const uri = /^[a-z][a-z0-9+.-]*:\S+$/i
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const mostDatasets = 2_000
/** Characters of a name. */
export const mostName = 2_000

/** Faults of an event, in its own order; none where it is valid. */
export function formFaults(event: unknown): readonly FormFault[] {
  if (!isRecord(event)) return [{ pointer: '', detail: 'is not an object' }]
  return [
    ...timeFaults(event.eventTime),
    ...textFaults(event, 'producer', uri, 'a URI'),
    ...textFaults(event, 'schemaURL', uri, 'a URI'),
    ...kindFaults(event),
    ...['inputs', 'outputs'].flatMap((member) => datasetsFaults(event, member)),
    ...nulFaults(event),
  ]
}

/** The first NUL in a text or a name of a member. */
function nulFaults(event: Json): readonly FormFault[] {
  if (!JSON.stringify(event).includes(String.raw`\u0000`)) return []
  const pointer = nulIn(event, '')
  return pointer === null ? [] : [{ pointer, detail: 'has a NUL character' }]
}

function nulIn(value: unknown, pointer: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? pointer : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, one] of Object.entries(value)) {
    const found = name.includes('\0') ? pointer : nulIn(one, `${pointer}/${name}`)
    if (found !== null) return found
  }
  return null
}

/** The instant in ISO 8601, UTC. @param text as `formFaults` accepts it */
export const instantOf = (text: string): string => new Date(text.replace(/:60(?=[.Z+-])/i, ':59')).toISOString()

function timeFaults(value: unknown): readonly FormFault[] {
  const pointer = '/eventTime'
  if (typeof value !== 'string') return [{ pointer, detail: 'is required' }]
  if (!instant.test(value)) return [{ pointer, detail: 'is no date and time with a time zone (RFC 3339)' }]
  const at = Date.parse(value.replace(/:60(?=[.Z+-])/i, ':59'))
  // The database and every comparison take these years.
  const inRange = at >= Date.UTC(1970, 0, 1) && at < Date.UTC(3000, 0, 1)
  return inRange ? [] : [{ pointer, detail: 'is no time between the years 1970 and 2999' }]
}

function textFaults(event: Json, name: string, pattern: RegExp, form: string, base = ''): readonly FormFault[] {
  const value = event[name]
  const pointer = `${base}/${name}`
  if (value === undefined) return [{ pointer, detail: 'is required' }]
  return typeof value === 'string' && value.length <= mostName && pattern.test(value)
    ? []
    : [{ pointer, detail: `is not ${form}` }]
}

function kindFaults(event: Json): readonly FormFault[] {
  if (event.dataset !== undefined) {
    const both = event.run !== undefined || event.job !== undefined
    return [
      ...(both ? [{ pointer: '/dataset', detail: 'stands beside a run or a job' }] : []),
      ...nameFaults(event.dataset, '/dataset'),
    ]
  }
  if (event.job === undefined) return [{ pointer: '/job', detail: 'is required' }]
  return [...nameFaults(event.job, '/job'), ...(event.run === undefined ? [] : runFaults(event))]
}

function runFaults({ run, eventType }: Json): readonly FormFault[] {
  const known = eventType === undefined || eventTypes.some((type) => type === eventType)
  return [
    ...(isRecord(run)
      ? textFaults(run, 'runId', uuid, 'a UUID', '/run')
      : [{ pointer: '/run', detail: 'is not an object' }]),
    ...(known ? [] : [{ pointer: '/eventType', detail: `is none of ${eventTypes.join(', ')}` }]),
  ]
}

function nameFaults(value: unknown, pointer: string): readonly FormFault[] {
  if (!isRecord(value)) return [{ pointer, detail: 'is not an object' }]
  const named = ['namespace', 'name'].flatMap((name) =>
    textFaults(value, name, /./s, 'a text of 1 to 2,000 characters', pointer),
  )
  const facets = value.facets === undefined || isRecord(value.facets)
  return facets ? named : [...named, { pointer: `${pointer}/facets`, detail: 'is not an object' }]
}

function datasetsFaults(event: Json, member: string): readonly FormFault[] {
  const list = event[member]
  if (list === undefined) return []
  if (!Array.isArray(list)) return [{ pointer: `/${member}`, detail: 'is not a list' }]
  if (list.length > mostDatasets) return [{ pointer: `/${member}`, detail: `has more than ${mostDatasets} datasets` }]
  return list.flatMap((dataset, at) => nameFaults(dataset, `/${member}/${at}`))
}
