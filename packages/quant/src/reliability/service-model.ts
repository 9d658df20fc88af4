/** Inverse distribution function: a probability (0..1) in, a duration out. Unit of all durations: the model's own. */
export type Quantile = (probability: number) => number

/** Durations of the steps of a recovery, one after the other. */
export interface Recovery {
  /** Steps that begin at once, for example detect and decide. */
  readonly prepare: readonly Quantile[]
  /**
   * Steps that begin when all hard dependencies and redundant groups are up, for example restore, start and verify. A
   * failed restore of data repeats them with an older copy.
   */
  readonly restore: readonly Quantile[]
}

export interface Dependency {
  /** Index of the service that is needed. */
  readonly target: number
  /** `hard`: down when the target is down. `soft`: degraded. */
  readonly type: 'hard' | 'soft'
  /** Time until a failure of the target is felt. */
  readonly detection: number
}

/** Down when fewer than k of the targets are up. */
export interface RedundantGroup {
  readonly k: number
  readonly targets: readonly number[]
  readonly detection: number
}

/** Copies of a service's data. */
export interface DataCopies {
  /** Time between two copies. */
  readonly interval: number
  /** Time by which a copy lags behind when it is taken. */
  readonly lag: number
  /** Probability that restoring a copy succeeds; otherwise the copy before it is tried. */
  readonly restoreSuccess: number
}

export interface Service {
  readonly dependencies: readonly Dependency[]
  readonly groups: readonly RedundantGroup[]
  /** Time from start or recovery to the next failure; null never fails by itself. */
  readonly failure: Quantile | null
  /** Fails at this time, whatever else happens; null without a scenario. */
  readonly failsAt: number | null
  readonly recovery: Recovery
  readonly data: DataCopies | null
}

/** Shock that fails all its members at once. */
export interface CommonCause {
  readonly members: readonly number[]
  /** Time between two shocks. */
  readonly interval: Quantile
}

export interface ServiceModel {
  readonly services: readonly Service[]
  readonly commonCauses: readonly CommonCause[]
}

/** The model refers to missing services, has invalid numbers, or hard dependencies that form a cycle. */
export class ServiceModelError extends Error {
  override readonly name = 'ServiceModelError'
  /** Services of the cycle in order, first one repeated at the end; null for other faults. */
  readonly cycle: readonly number[] | null

  constructor(message: string, cycle: readonly number[] | null = null) {
    super(message)
    this.cycle = cycle
  }
}

/** Throws {@link ServiceModelError} where a model cannot be simulated. */
export function validateServiceModel({ services, commonCauses }: ServiceModel): void {
  const isService = (index: number) => Number.isInteger(index) && index >= 0 && index < services.length
  for (const [index, service] of services.entries()) {
    const fault = serviceFault(service, isService)
    if (fault !== null) throw new ServiceModelError(`Service ${index}: ${fault}`)
  }
  for (const [index, { members }] of commonCauses.entries()) {
    if (!members.every(isService)) throw new ServiceModelError(`Common cause ${index} names an unknown service`)
  }
  const cycle = hardCycle(services)
  if (cycle !== null) throw new ServiceModelError(`Hard dependencies form a cycle: ${cycle.join(' → ')}`, cycle)
}

function serviceFault(service: Service, isService: (index: number) => boolean): string | null {
  const targets = [
    ...service.dependencies.map(({ target }) => target),
    ...service.groups.flatMap((each) => each.targets),
  ]
  if (!targets.every(isService)) return 'depends on an unknown service'
  const detections = [...service.dependencies, ...service.groups].map(({ detection }) => detection)
  if (!detections.every((detection) => detection >= 0)) return 'detection must be 0 or more'
  if (!service.groups.every(({ k, targets }) => Number.isInteger(k) && k >= 0 && k <= targets.length)) {
    return 'k of a redundant group must be 0 to the number of its targets'
  }
  if (service.failsAt !== null && !(service.failsAt >= 0)) return 'failure time must be 0 or more'
  if (service.data === null) return null
  const { interval, lag, restoreSuccess } = service.data
  if (!(interval > 0 && lag >= 0)) return 'copy interval must be above 0 and its lag 0 or more'
  return restoreSuccess > 0 && restoreSuccess <= 1 ? null : 'restore success must be above 0 and at most 1'
}

/** A cycle over hard dependencies and redundant groups, or null. */
function hardCycle(services: readonly Service[]): readonly number[] | null {
  const states = new Uint8Array(services.length)
  for (let root = 0; root < services.length; root++) {
    const path: { readonly at: number; readonly targets: readonly number[]; next: number }[] = []
    const enter = (at: number) => {
      states[at] = 1
      path.push({ at, targets: hardTargets(services[at]), next: 0 })
    }
    if (states[root] === 0) enter(root)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = top.targets[top.next++]
      if (target === undefined) {
        states[top.at] = 2
        path.pop()
      } else if (states[target] === 1) {
        const from = path.findIndex(({ at }) => at === target)
        return [...path.slice(from).map(({ at }) => at), target]
      } else if (states[target] === 0) enter(target)
    }
  }
  return null
}

function hardTargets(service: Service | undefined): readonly number[] {
  const hard = service?.dependencies.filter(({ type }) => type === 'hard').map(({ target }) => target) ?? []
  return [...hard, ...(service?.groups.flatMap(({ targets }) => targets) ?? [])]
}
