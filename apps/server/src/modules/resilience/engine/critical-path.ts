/** Which services decide when an outage ends. Pure. Tested in simulate.test.ts. */
import type { ServiceModel } from '@parapet/quant'

export interface CriticalShare {
  readonly service: string
  readonly component: string
  /** Share of the service's outages whose end waited for the component. */
  readonly share: number
}

export interface PathCounter {
  /** A finished outage of the current run. */
  add(service: number, start: number, end: number): void
  endRun(): void
  shares(): readonly CriticalShare[]
}

interface Outage {
  readonly service: number
  readonly start: number
  readonly end: number
}

/** Pairs that are shown, the largest shares first. */
const mostShown = 500

export function createPathCounter({ services }: ServiceModel, keys: readonly string[]): PathCounter {
  const needs = services.map(({ dependencies, groups }) => [
    ...dependencies.flatMap(({ type, target }) => (type === 'hard' ? [target] : [])),
    ...groups.flatMap(({ targets }) => targets),
  ])
  const counts = services.map(() => new Map<number, number>())
  const outages = services.map(() => 0)
  let run: Outage[] = []

  /** The dependency whose recovery came last within the outage; then the one that it waited for, and so on. */
  const pathOf = ({ service, start, end }: Outage): ReadonlySet<number> => {
    const path = new Set<number>()
    let at: Outage | undefined = { service, start, end }
    while (at !== undefined && !path.has(at.service)) {
      path.add(at.service)
      at = lastNeeded(at)
    }
    return path
  }
  const lastNeeded = ({ service, start, end }: Outage): Outage | undefined =>
    run
      .filter((other) => needs[service]?.includes(other.service) && other.end <= end && other.end > start)
      .reduce<Outage | undefined>(
        (last, other) => (last === undefined || other.end > last.end ? other : last),
        undefined,
      )

  return {
    add: (service, start, end) => run.push({ service, start, end }),
    endRun: () => {
      for (const outage of run) {
        outages[outage.service] = (outages[outage.service] ?? 0) + 1
        const counted = counts[outage.service]
        for (const component of pathOf(outage)) counted?.set(component, (counted.get(component) ?? 0) + 1)
      }
      run = []
    },
    shares: () =>
      counts
        .flatMap((counted, service) =>
          [...counted].map(([component, count]) => ({
            service: keys[service] ?? '',
            component: keys[component] ?? '',
            share: count / (outages[service] ?? 1),
          })),
        )
        .toSorted((a, b) => b.share - a.share)
        .slice(0, mostShown),
  }
}
