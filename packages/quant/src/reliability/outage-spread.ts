import type { IndexedHeap } from './indexed-heap.ts'
import type { OutageRecorder } from './outage-recorder.ts'
import { linkKind, type ServiceLinks } from './service-links.ts'

export interface OutageSpreadOptions {
  readonly services: number
  readonly links: ServiceLinks
  readonly queue: IndexedHeap
  /** Slot of link 0 in the queue: an event there says that the link's failure is felt. */
  readonly firstLink: number
  /** Called when all hard dependencies and groups of a service are up again. */
  readonly ready: (service: number) => void
}

/** Which services are up: own state of each service, spread along dependencies. */
export class OutageSpread {
  readonly #links: ServiceLinks
  readonly #queue: IndexedHeap
  readonly #firstLink: number
  readonly #ready: (service: number) => void
  readonly #ownUp: Uint8Array
  readonly #isUp: Uint8Array
  /** Felt failures of hard dependencies, plus groups with too few targets. */
  readonly #hardDown: Int32Array
  readonly #softDown: Int32Array
  readonly #groupDown: Int32Array
  readonly #felt: Uint8Array
  readonly #downSince: Float64Array
  readonly #degradedSince: Float64Array
  #now = 0
  #recorder: OutageRecorder

  constructor({ services, links, queue, firstLink, ready }: OutageSpreadOptions, recorder: OutageRecorder) {
    this.#links = links
    this.#queue = queue
    this.#firstLink = firstLink
    this.#ready = ready
    this.#recorder = recorder
    this.#ownUp = new Uint8Array(services)
    this.#isUp = new Uint8Array(services)
    this.#hardDown = new Int32Array(services)
    this.#softDown = new Int32Array(services)
    this.#groupDown = new Int32Array(links.spares.length)
    this.#felt = new Uint8Array(links.count)
    this.#downSince = new Float64Array(services)
    this.#degradedSince = new Float64Array(services)
  }

  /** All services up at time 0. */
  start(recorder: OutageRecorder): void {
    this.#recorder = recorder
    this.#now = 0
    for (const flags of [this.#ownUp, this.#isUp]) flags.fill(1)
    for (const counts of [this.#hardDown, this.#softDown, this.#groupDown, this.#felt]) counts.fill(0)
  }

  /** Records what still goes on at the horizon. */
  finish(horizon: number): void {
    for (let service = 0; service < this.#isUp.length; service++) {
      if (this.#isUp[service] === 0) this.#recorder.outage(service, this.#downSince[service] ?? 0, horizon, false)
      else if ((this.#softDown[service] ?? 0) > 0) {
        this.#recorder.degraded(service, this.#degradedSince[service] ?? 0, horizon)
      }
    }
  }

  isOwnUp(service: number): boolean {
    return this.#ownUp[service] === 1
  }

  /** The service itself fails (false) or is recovered (true). */
  setOwn(service: number, up: boolean, now: number): void {
    this.#now = now
    this.#ownUp[service] = up ? 1 : 0
    this.#update(service)
  }

  /** The failure of a link's target is felt. */
  feel(link: number, now: number): void {
    this.#now = now
    this.#feel(link)
  }

  /** Whether a hard dependency or group of the service is down, felt or not: whoever restores looks. */
  isBlocked(service: number, now: number): boolean {
    this.#now = now
    const { dependentOffsets, targets, kinds } = this.#links
    for (let link = dependentOffsets[service] ?? 0; link < (dependentOffsets[service + 1] ?? 0); link++) {
      if (kinds[link] !== linkKind.soft && this.#isUp[targets[link] ?? 0] === 0) this.#feel(link)
    }
    return (this.#hardDown[service] ?? 0) > 0
  }

  /** Recomputes whether a service is up and, if that changed, tells its dependents. */
  #update(service: number): void {
    const up = this.#ownUp[service] === 1 && this.#hardDown[service] === 0 ? 1 : 0
    if (up === this.#isUp[service]) return
    this.#isUp[service] = up
    this.#recordChange(service, up)
    const { offsets, byTarget, detections } = this.#links
    for (let at = offsets[service] ?? 0; at < (offsets[service + 1] ?? 0); at++) {
      const link = byTarget[at] ?? 0
      const delay = detections[link] ?? 0
      if (up === 1) this.#unfeel(link)
      else if (delay > 0) this.#queue.set(this.#firstLink + link, this.#now + delay)
      else this.#feel(link)
    }
  }

  #recordChange(service: number, up: number): void {
    const isDegraded = (this.#softDown[service] ?? 0) > 0
    if (up === 0) {
      this.#downSince[service] = this.#now
      if (isDegraded) this.#recorder.degraded(service, this.#degradedSince[service] ?? 0, this.#now)
      return
    }
    this.#recorder.outage(service, this.#downSince[service] ?? 0, this.#now, true)
    if (isDegraded) this.#degradedSince[service] = this.#now
  }

  #feel(link: number): void {
    this.#queue.remove(this.#firstLink + link)
    if (this.#felt[link] === 1) return
    this.#felt[link] = 1
    this.#count(link, 1)
  }

  #unfeel(link: number): void {
    this.#queue.remove(this.#firstLink + link)
    if (this.#felt[link] === 0) return
    this.#felt[link] = 0
    this.#count(link, -1)
  }

  #count(link: number, change: 1 | -1): void {
    const service = this.#links.dependents[link] ?? 0
    const kind = this.#links.kinds[link]
    if (kind === linkKind.soft) this.#countSoft(service, change)
    else if (kind === linkKind.hard) this.#countHard(service, change)
    else this.#countGroup(service, this.#links.groups[link] ?? 0, change)
  }

  #countGroup(service: number, group: number, change: 1 | -1): void {
    const spares = this.#links.spares[group] ?? 0
    const before = this.#groupDown[group] ?? 0
    this.#groupDown[group] = before + change
    if (before > spares !== before + change > spares) this.#countHard(service, change)
  }

  #countSoft(service: number, change: 1 | -1): void {
    const before = this.#softDown[service] ?? 0
    this.#softDown[service] = before + change
    if (this.#isUp[service] === 0) return
    if (before === 0) this.#degradedSince[service] = this.#now
    if (before + change === 0) this.#recorder.degraded(service, this.#degradedSince[service] ?? 0, this.#now)
  }

  #countHard(service: number, change: 1 | -1): void {
    this.#hardDown[service] = (this.#hardDown[service] ?? 0) + change
    this.#update(service)
    if (this.#hardDown[service] === 0) this.#ready(service)
  }
}
