import { createIndexedHeap, type IndexedHeap } from './indexed-heap.ts'
import { type OutageRecorder, silentRecorder } from './outage-recorder.ts'
import { OutageSpread } from './outage-spread.ts'
import { linkServices } from './service-links.ts'
import { type Quantile, type Service, type ServiceModel, validateServiceModel } from './service-model.ts'

/** Uniform random numbers in [0, 1). */
export type Uniform = () => number

export interface OutageSimulator {
  /** Simulates one run from time 0, with all services up, to the horizon. Returns the number of events. */
  readonly run: (uniform: Uniform, horizon: number, recorder: OutageRecorder) => number
}

/** Failed restores after which a copy counts as good: keeps a run finite for any success probability. */
const maximumFailedRestores = 1_000

/**
 * Discrete-event simulation of failures, their spread along dependencies, and recoveries.
 *
 * A run depends on the numbers of `uniform` alone: give each run a generator of its own, and results are the same for
 * any division of the runs among workers. A recovery that has begun goes on when a dependency fails meanwhile; a service
 * that is down by a dependency alone comes back with it.
 *
 * @throws ServiceModelError for an invalid model
 */
export function createOutageSimulator(model: ServiceModel): OutageSimulator {
  validateServiceModel(model)
  const simulation = new OutageSimulation(model)
  return { run: (uniform, horizon, recorder) => simulation.run(uniform, horizon, recorder) }
}

/** Stages of a recovery. */
const stage = { preparing: 0, waiting: 1, restoring: 2 } as const

class OutageSimulation {
  readonly #model: ServiceModel
  readonly #queue: IndexedHeap
  readonly #spread: OutageSpread
  readonly #stages: Uint8Array
  // Slots of the queue: scenario failures from 0 on, then shocks, links that are felt with delay, and the next own event
  // of each service last, so that among events of the same time failures come before recoveries.
  readonly #firstShock: number
  readonly #firstLink: number
  readonly #firstOwn: number
  #now = 0
  #uniform: Uniform = () => 0
  #recorder: OutageRecorder = silentRecorder

  constructor(model: ServiceModel) {
    const services = model.services.length
    const links = linkServices(model)
    this.#model = model
    this.#stages = new Uint8Array(services)
    this.#firstShock = services
    this.#firstLink = this.#firstShock + model.commonCauses.length
    this.#firstOwn = this.#firstLink + links.count
    this.#queue = createIndexedHeap(this.#firstOwn + services)
    const ready = (service: number) => this.#resume(service)
    const spread = { services, links, queue: this.#queue, firstLink: this.#firstLink, ready }
    this.#spread = new OutageSpread(spread, silentRecorder)
  }

  run(uniform: Uniform, horizon: number, recorder: OutageRecorder): number {
    if (!(horizon >= 0 && Number.isFinite(horizon))) {
      throw new RangeError(`Horizon must be finite and 0 or more, got ${horizon}`)
    }
    this.#uniform = uniform
    this.#recorder = recorder
    this.#start()
    let events = 0
    while (this.#queue.minimum() <= horizon) {
      this.#now = this.#queue.minimum()
      this.#handle(this.#queue.pop())
      events++
    }
    this.#spread.finish(horizon)
    return events
  }

  #start(): void {
    this.#now = 0
    this.#queue.clear()
    this.#spread.start(this.#recorder)
    for (const [index, service] of this.#model.services.entries()) {
      this.#scheduleFailure(index, service)
      if (service.failsAt !== null) this.#queue.set(index, service.failsAt)
    }
    for (const [index, shock] of this.#model.commonCauses.entries()) {
      this.#queue.set(this.#firstShock + index, this.#draw(shock.interval))
    }
  }

  #handle(slot: number): void {
    if (slot >= this.#firstOwn) this.#handleOwn(slot - this.#firstOwn)
    else if (slot >= this.#firstLink) this.#spread.feel(slot - this.#firstLink, this.#now)
    else if (slot >= this.#firstShock) this.#shock(slot - this.#firstShock)
    else this.#fail(slot)
  }

  #handleOwn(service: number): void {
    if (this.#spread.isOwnUp(service)) this.#fail(service)
    else if (this.#stages[service] === stage.restoring) this.#recovered(service)
    else this.#tryRestore(service)
  }

  #shock(index: number): void {
    const cause = this.#model.commonCauses[index]
    if (cause === undefined) return
    for (const member of cause.members) this.#fail(member)
    this.#queue.set(this.#firstShock + index, this.#now + this.#draw(cause.interval))
  }

  /** A service that is down by itself already does not fail again. */
  #fail(service: number): void {
    if (!this.#spread.isOwnUp(service)) return
    this.#stages[service] = stage.preparing
    this.#scheduleOwn(service, this.#sum(this.#serviceAt(service).recovery.prepare))
    this.#spread.setOwn(service, false, this.#now)
  }

  /** Begins the restore, or waits until all dependencies are up. */
  #tryRestore(service: number): void {
    if (this.#spread.isBlocked(service, this.#now)) this.#stages[service] = stage.waiting
    else this.#restore(service)
  }

  #resume(service: number): void {
    if (!this.#spread.isOwnUp(service) && this.#stages[service] === stage.waiting) this.#tryRestore(service)
  }

  #restore(service: number): void {
    const { recovery, data } = this.#serviceAt(service)
    this.#stages[service] = stage.restoring
    let duration = this.#sum(recovery.restore)
    if (data !== null) {
      let failed = 0
      while (failed < maximumFailedRestores && this.#uniform() >= data.restoreSuccess) {
        failed++
        duration += this.#sum(recovery.restore)
      }
      this.#recorder.dataLoss(service, (this.#uniform() + failed) * data.interval + data.lag)
    }
    this.#scheduleOwn(service, duration)
  }

  #recovered(service: number): void {
    this.#scheduleFailure(service, this.#serviceAt(service))
    this.#spread.setOwn(service, true, this.#now)
  }

  #scheduleFailure(service: number, { failure }: Service): void {
    if (failure !== null) this.#scheduleOwn(service, this.#draw(failure))
    else this.#queue.remove(this.#firstOwn + service)
  }

  #scheduleOwn(service: number, delay: number): void {
    this.#queue.set(this.#firstOwn + service, this.#now + delay)
  }

  #serviceAt(index: number): Service {
    const service = this.#model.services[index]
    if (service === undefined) throw new RangeError(`No service ${index}`)
    return service
  }

  #sum(steps: readonly Quantile[]): number {
    let sum = 0
    for (const step of steps) sum += this.#draw(step)
    return sum
  }

  #draw(quantile: Quantile): number {
    return quantile(this.#uniform())
  }
}
