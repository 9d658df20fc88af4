/**
 * The flows that a valid OpenLineage event tells of: datasets with their fields, edges between datasets and between columns,
 * from `columnLineage` and the explicit `lineage` facet. Names are kept as they are, whatever they hold. Tested in
 * lineage.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { type EventType, type Json, mostName } from './event-form.ts'

export interface Place {
  readonly namespace: string
  readonly name: string
  /** Of a column; null for the dataset itself. */
  readonly field: string | null
}

export interface Flow {
  readonly from: Place
  readonly to: Place
  readonly level: 'dataset' | 'column'
  readonly type: 'DIRECT' | 'INDIRECT' | null
  readonly subtype: string | null
  readonly masking: boolean
  readonly source: 'event' | 'column_facet' | 'lineage_facet'
}

export interface ReadEvent {
  readonly kind: 'run' | 'job' | 'dataset'
  readonly eventType: EventType | null
  readonly runId: string | null
  readonly job: Place | null
  readonly inputs: readonly Place[]
  readonly outputs: readonly Place[]
  /** Fields of schemas and of column lineage, datasets included. */
  readonly places: readonly Place[]
  readonly flows: readonly Flow[]
  /** Datasets that a lifecycle facet says are gone. */
  readonly dropped: readonly Place[]
  readonly warnings: readonly string[]
}

/** @param event as `formFaults` accepts it */
export function readEvent(event: Json): ReadEvent {
  const kind = event.dataset !== undefined ? 'dataset' : event.run === undefined ? 'job' : 'run'
  const inputs = datasetsIn(event.inputs)
  const outputs = kind === 'dataset' ? datasetsIn([event.dataset]) : datasetsIn(event.outputs)
  const warnings: string[] = []
  const columns = outputs.flatMap((dataset) => columnFlows(dataset, inputs, warnings))
  const ends = inputs.flatMap((from) => outputs.map((to) => datasetFlow(from, to)))
  const flows = kind === 'dataset' ? columns : [...ends, ...columns]
  return {
    kind,
    eventType: typeof event.eventType === 'string' ? (event.eventType as EventType) : null,
    runId: isRecord(event.run) ? String(event.run.runId).toLowerCase() : null,
    job: isRecord(event.job) ? placeOf(event.job) : null,
    inputs: inputs.map(({ place }) => place),
    outputs: outputs.map(({ place }) => place),
    places: placesOf([...inputs, ...outputs], flows),
    flows: unique(flows, flowKey),
    dropped: outputs.filter(({ facets }) => isDropped(facets)).map(({ place }) => place),
    warnings,
  }
}

interface Dataset {
  readonly place: Place
  readonly facets: Json
}

const facetsOf = (value: Json): Json => (isRecord(value.facets) ? value.facets : {})
const placeOf = (value: Json, field: string | null = null): Place => ({
  ...{ namespace: String(value.namespace), name: String(value.name), field },
})

const datasetsIn = (list: unknown): readonly Dataset[] =>
  (Array.isArray(list) ? list : [])
    .filter(isRecord)
    .map((value) => ({ place: placeOf(value), facets: facetsOf(value) }))

const datasetFlow = (from: Dataset, to: Dataset): Flow => ({
  ...{ from: from.place, to: to.place, level: 'dataset', type: null, subtype: null, masking: false, source: 'event' },
})

const facetForms = [
  { facet: 'columnLineage', inputs: 'inputFields', source: 'column_facet' },
  { facet: 'lineage', inputs: 'inputs', source: 'lineage_facet' },
] as const

function columnFlows({ place, facets }: Dataset, inputs: readonly Dataset[], warnings: string[]): readonly Flow[] {
  return facetForms.flatMap(({ facet, inputs: member, source }) => {
    const told = facets[facet]
    if (!isRecord(told)) return []
    const fields = isRecord(told.fields) ? Object.entries(told.fields) : []
    const whole = source === 'lineage_facet' ? datasetInputs(told, place) : []
    const columns = fields.flatMap(([field, value]) => {
      if (!isName(field)) {
        warnings.push(`The facet ${facet} has a column whose name is empty or longer than ${mostName} characters.`)
        return []
      }
      return listOf(isRecord(value) ? value[member] : undefined).flatMap((input) =>
        flowsOf(input, { to: { ...place, field }, inputs, source, warnings }),
      )
    })
    return [...whole, ...columns]
  })
}

function datasetInputs(told: Json, to: Place): readonly Flow[] {
  return listOf(told.inputs)
    .filter((input) => isNamed(input) && input.type !== 'JOB')
    .map((input) => ({
      ...{ from: placeOf(input), to, level: 'dataset', type: null, subtype: null, masking: false },
      source: 'lineage_facet',
    }))
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= mostName
const isNamed = ({ namespace, name }: Json): boolean => isName(namespace) && isName(name)

interface Into {
  readonly to: Place
  readonly inputs: readonly Dataset[]
  readonly source: Flow['source']
  readonly warnings: string[]
}

function flowsOf(input: Json, { to, inputs, source, warnings }: Into): readonly Flow[] {
  const from = resolved(input, inputs)
  if (from === null || !isName(input.field)) {
    warnings.push(`An input of the column ${to.field} names no field of a known dataset.`)
    return []
  }
  const told = listOf(input.transformations)
  const steps = told.length === 0 ? [{}] : told
  const { field } = input
  return steps.map((step: Json) => ({
    ...{ from: { ...from, field }, to, level: 'column' as const, source },
    type: step.type === 'DIRECT' || step.type === 'INDIRECT' ? step.type : null,
    subtype: typeof step.subtype === 'string' ? step.subtype.slice(0, 100) : null,
    masking: step.masking === true,
  }))
}

/** Some producers leave the namespace of an input away: it is that of the event's own input of this name. */
function resolved(input: Json, inputs: readonly Dataset[]): Place | null {
  if (isNamed(input)) return placeOf(input)
  if (!isName(input.name)) return null
  const own = inputs.find(({ place }) => place.name === input.name)
  return own?.place ?? null
}

function placesOf(datasets: readonly Dataset[], flows: readonly Flow[]): readonly Place[] {
  const fields = datasets.flatMap(({ place, facets }) =>
    listOf(isRecord(facets.schema) ? facets.schema.fields : undefined).flatMap(({ name }) =>
      isName(name) ? [{ ...place, field: name }] : [],
    ),
  )
  const ends = flows.flatMap(({ from, to }) => [from, to])
  const all = [
    ...datasets.map(({ place }) => place),
    ...ends,
    ...ends.map((place) => ({ ...place, field: null })),
    ...fields,
  ]
  return unique(all, placeKey)
}

function isDropped(facets: Json): boolean {
  const told = facets.lifecycleStateChange
  return isRecord(told) && told.lifecycleStateChange === 'DROP'
}

/** One text for one place, however its parts are written. */
export const placeKey = ({ namespace, name, field }: Place): string => JSON.stringify([namespace, name, field])

export const flowKey = ({ from, to, level, type, subtype, masking }: Flow): string =>
  JSON.stringify([level, placeKey(from), placeKey(to), type, subtype, masking])

function unique<T>(list: readonly T[], key: (one: T) => string): readonly T[] {
  return [...new Map(list.map((one) => [key(one), one])).values()]
}
