/** From a declared service model to the one of the simulation: keys become numbers, laws become quantiles. Pure. */
import {
  type DataCopies,
  type Distribution,
  type Law,
  lawOf,
  log1p,
  ModelError,
  type Quantile,
  type QuantileTable,
  quantileAt,
  type Service,
  type ServiceModel,
  tableOf,
} from '@parapet/quant'
import type { DurationLaw, ModelParts, ServiceBody } from '../declared/model-schema.ts'
import { preparingSteps } from '../declared/words.ts'

export const hour = 60

/** A model whose services are addressed by their place. */
export interface Plan {
  readonly keys: readonly string[]
  readonly model: ServiceModel
}

/** Overrides of the model in one simulation. */
export interface Overrides {
  /** Services that fail at a time, in minutes. */
  readonly failsAt: ReadonlyMap<string, number>
}

/** @throws ModelError with the pointer of a distribution without a meaning */
export function planOfModel({ services, common_causes: causes }: ModelParts, overrides?: Overrides): Plan {
  const keys = services.map(({ key }) => key)
  const places = new Map(keys.map((key, place) => [key, place]))
  const placeOf = (key: string): number => places.get(key) ?? -1
  return {
    keys,
    model: {
      services: services.map((service, i) => ({
        ...serviceOf(service, placeOf, `/services/${i}`),
        failsAt: overrides?.failsAt.get(service.key) ?? null,
      })),
      commonCauses: causes.map(({ members, interval }, i) => ({
        members: members.map(placeOf),
        interval: scaled(quantileOf(interval, `/common_causes/${i}/interval`), hour),
      })),
    },
  }
}

function serviceOf(service: ServiceBody, placeOf: (key: string) => number, at: string): Omit<Service, 'failsAt'> {
  const { dependencies = [], failure, recovery_steps: steps = [] } = service
  const quantiles = (preparing: boolean): Quantile[] =>
    steps.flatMap(({ step, distribution }, i) =>
      preparingSteps.includes(step) === preparing
        ? [quantileOf(distribution, `${at}/recovery_steps/${i}/distribution`)]
        : [],
    )
  return {
    dependencies: dependencies.flatMap(({ target, type, detection_minutes: detection = 0 }) =>
      type === 'k_of_n' ? [] : [{ target: placeOf(target), type, detection }],
    ),
    groups: groupsOf(service).map(({ k, targets, detection }) => ({ k, targets: targets.map(placeOf), detection })),
    failure: failure === undefined ? null : scaled(quantileOf(failure, `${at}/failure`), hour),
    recovery: { prepare: quantiles(true), restore: quantiles(false) },
    data: copiesOf(service),
  }
}

export function copiesOf({ data }: Pick<ServiceBody, 'data'>): DataCopies | null {
  if (data === undefined) return null
  return { interval: data.interval_minutes, lag: data.lag_minutes, restoreSuccess: data.restore_success }
}

export interface Group {
  readonly name: string
  readonly k: number
  readonly targets: readonly string[]
  readonly detection: number
}

/** The redundant groups of a service; the largest k and the longest detection that its members say count. */
export function groupsOf({ dependencies = [] }: Pick<ServiceBody, 'dependencies'>): readonly Group[] {
  const found = new Map<string, { k: number; targets: string[]; detection: number }>()
  for (const { target, type, group = '', k = 1, detection_minutes: detection = 0 } of dependencies) {
    if (type !== 'k_of_n') continue
    const known = found.get(group) ?? { k: 1, targets: [], detection: 0 }
    known.targets.push(target)
    known.k = Math.max(known.k, k)
    known.detection = Math.max(known.detection, detection)
    found.set(group, known)
  }
  return [...found].map(([name, group]) => ({ name, ...group }))
}

/** The law of a declared distribution. @throws ModelError */
export function declaredLaw(distribution: DurationLaw, pointer: string): Law {
  const law = lawOf(distribution as Distribution, pointer)
  if (!(law.low >= 0)) throw new ModelError(pointer, 'A duration is 0 or more.')
  return law
}

const scaled =
  (quantile: Quantile, factor: number): Quantile =>
  (u) =>
    quantile(u) * factor

/** Tables are dear, and models repeat their laws. */
const tables = new Map<string, QuantileTable>()

function quantileOf(distribution: DurationLaw, pointer: string): Quantile {
  declaredLaw(distribution, pointer)
  switch (distribution.type) {
    case 'constant':
      return () => distribution.value
    case 'uniform':
      return (u) => distribution.low + u * (distribution.high - distribution.low)
    case 'exponential':
      return (u) => -distribution.mean * log1p(-u)
    default:
      return byTable(distribution)
  }
}

function byTable(distribution: DurationLaw): Quantile {
  const key = JSON.stringify(distribution)
  if (tables.size > 64) tables.clear()
  const table = tables.get(key) ?? tableOf(distribution as Distribution)
  tables.set(key, table)
  return (u) => {
    const word = u * 0x100000000
    const high = Math.floor(word)
    return quantileAt(table, high, Math.floor((word - high) * 0x100000000))
  }
}
