/**
 * Results of a model for each of its services without simulation: availability by decision diagram, cut sets, importance,
 * and the laws of recovery time and data loss. Pure.
 *
 * An outage is caused by a single point; the length of one is the mixture over them by their rates. Outages that take two
 * failures at once, and recoveries that wait for a dependency that failed meanwhile, are left to the simulation.
 */
import {
  analyzeAvailability,
  BddSizeError,
  component,
  type DurationLaw as Duration,
  dataLossLaw,
  kOfN,
  mixtureOfDurations,
  type Structure,
  series,
  steadyStateAvailability,
} from '@parapet/quant'
import type { Estimate, ModelParts, Prediction, ServiceBody } from '../declared/model-schema.ts'
import { copiesOf, declaredLaw, groupsOf, hour } from './plan.ts'
import { ownRecovery } from './recovery.ts'

/** Cut sets and components that are shown of a service. */
const mostShown = 50

/** Predictions by the key of the service. */
export function predict(parts: ModelParts): ReadonlyMap<string, Prediction> {
  const analysis = analysisOf(parts)
  return new Map(parts.services.map((service) => [service.key, analysis(service)]))
}

interface Component {
  readonly name: string
  readonly availability: number
  /** Failures an hour. */
  readonly rate: number
  readonly recovery: Duration | null
}

function analysisOf(parts: ModelParts): (service: ServiceBody) => Prediction {
  const components = componentsOf(parts)
  const structures = structuresOf(parts)
  const availabilities = components.map(({ availability }) => availability)
  return (service) => {
    const structure = structures(service.key)
    const found = structure === null ? null : exactOf(structure, availabilities)
    const nameOf = (place: number): string => components[place]?.name ?? ''
    const causes = (found?.singlePoints ?? []).flatMap((place) => components[place] ?? [])
    return {
      rto: rtoOf(service, recoveryOf(service, causes, components)),
      rpo: rpoOf(service),
      availability: found?.availability ?? null,
      availability_method: found === null ? null : 'exact',
      // A service is a single point of itself, which nobody needs to be told.
      single_points: causes.flatMap(({ name }) => (name === service.key ? [] : [name])).toSorted(),
      cut_sets: (found?.cutSets ?? []).slice(0, mostShown).map((set) => set.map(nameOf)),
      importance: (found?.importance ?? [])
        .map(({ component: place, birnbaum, fussellVesely }) => ({
          ...{ service: nameOf(place), birnbaum, fussell_vesely: fussellVesely },
        }))
        .toSorted((a, b) => b.fussell_vesely - a.fussell_vesely)
        .slice(0, mostShown),
    }
  }
}

function exactOf(structure: Structure, availabilities: readonly number[]) {
  try {
    return analyzeAvailability(structure, availabilities)
  } catch (error) {
    // More than 64 components, or too entangled: the simulation says how available it is.
    if (error instanceof RangeError || error instanceof BddSizeError) return null
    throw error
  }
}

/** The services in their order, then the common causes. */
function componentsOf({ services, common_causes: causes }: ModelParts): readonly Component[] {
  const own = services.map((service, i): Component => {
    const recovery = ownRecovery(service, i)
    const repair = recovery?.mean ?? 0
    const mean =
      service.failure === undefined ? null : hour * declaredLaw(service.failure, `/services/${i}/failure`).mean
    return {
      name: service.key,
      availability: mean === null ? 1 : steadyStateAvailability(mean, repair),
      rate: mean === null ? 0 : hour / mean,
      recovery,
    }
  })
  const byKey = new Map(own.map((each) => [each.name, each]))
  const shocks = causes.map(({ name, members, interval }, i): Component => {
    const mean = hour * declaredLaw(interval, `/common_causes/${i}/interval`).mean
    const slowest = members
      .flatMap((key) => byKey.get(key)?.recovery ?? [])
      .reduce<Duration | null>((most, law) => (most === null || law.mean > most.mean ? law : most), null)
    return {
      name: `common cause ${name}`,
      availability: steadyStateAvailability(mean, slowest?.mean ?? 0),
      rate: hour / mean,
      recovery: slowest,
    }
  })
  return [...own, ...shocks]
}

/** The condition under which a service is up; null for one that nothing can bring down. */
function structuresOf({ services, common_causes: causes }: ModelParts): (key: string) => Structure | null {
  const places = new Map(services.map(({ key }, place) => [key, place]))
  const made = new Map<string, Structure>()
  const structureOf = (key: string): Structure => {
    const known = made.get(key)
    if (known !== undefined) return known
    const place = places.get(key) ?? 0
    const service = services[place]
    const hard = (service?.dependencies ?? []).flatMap(({ target, type }) =>
      type === 'hard' ? [structureOf(target)] : [],
    )
    const groups = groupsOf(service ?? {}).map(({ k, targets }) => kOfN(k, ...targets.map(structureOf)))
    const shocks = causes.flatMap(({ members }, i) => (members.includes(key) ? [component(services.length + i)] : []))
    const structure = series(component(place), ...shocks, ...hard, ...groups)
    made.set(key, structure)
    return structure
  }
  return structureOf
}

/** The length of an outage; null where nothing is declared about any recovery that ends one. */
function recoveryOf(
  service: ServiceBody,
  causes: readonly Component[],
  components: readonly Component[],
): Duration | null {
  const parts = causes.flatMap(({ rate, recovery }) =>
    rate > 0 && recovery !== null ? [{ weight: rate, law: recovery }] : [],
  )
  if (parts.length > 0) return mixtureOfDurations(parts)
  return components.find(({ name }) => name === service.key)?.recovery ?? null
}

function rtoOf({ objectives = {} }: ServiceBody, recovery: Duration | null): Estimate | null {
  if (recovery === null) return null
  return estimateOf(recovery, objectives.rto_minutes ?? null, objectives.level)
}

function rpoOf(service: ServiceBody): Estimate | null {
  const copies = copiesOf(service)
  if (copies === null) return null
  return estimateOf(dataLossLaw(copies), service.objectives?.rpo_minutes ?? null, service.objectives?.level)
}

/** An exact probability is its own interval. */
function estimateOf(law: Pick<Duration, 'cdf' | 'quantile'>, objective: number | null, level = 0.95): Estimate {
  const within = objective === null ? null : Math.min(1, Math.max(0, law.cdf(objective)))
  return {
    evidence: 'declared',
    age_days: 0,
    n: null,
    p50: law.quantile(0.5),
    p95: law.quantile(0.95),
    p99: law.quantile(0.99),
    p_within: within,
    interval: within === null ? null : { low: within, high: within },
    verdict: within === null ? 'no_objective' : within >= level ? 'met' : 'not_met',
    further_trials: within === null ? null : 0,
  }
}
