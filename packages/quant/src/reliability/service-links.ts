import type { ServiceModel } from './service-model.ts'

/** Kinds of {@link ServiceLinks} `kinds`. */
export const linkKind = { hard: 0, soft: 1, group: 2 } as const

/**
 * Dependencies as numbered links in typed arrays: link i says that `dependents[i]` needs `targets[i]`. Links of a
 * redundant group carry its number in `groups`.
 */
export interface ServiceLinks {
  readonly count: number
  readonly targets: Int32Array
  readonly dependents: Int32Array
  readonly kinds: Uint8Array
  readonly groups: Int32Array
  readonly detections: Float64Array
  /** Links of dependent d are `dependentOffsets[d]` to `dependentOffsets[d + 1] − 1`. */
  readonly dependentOffsets: Int32Array
  /** Links by target: those of target t are `byTarget[offsets[t]]` to `byTarget[offsets[t + 1] − 1]`. */
  readonly offsets: Int32Array
  readonly byTarget: Int32Array
  /** For each group: number of targets that may be down. */
  readonly spares: Int32Array
}

interface Link {
  readonly target: number
  readonly dependent: number
  readonly kind: number
  readonly group: number
  readonly detection: number
}

export function linkServices({ services }: ServiceModel): ServiceLinks {
  const spares: number[] = []
  const links: readonly Link[] = services.flatMap(({ dependencies, groups }, dependent) => [
    ...dependencies.map(({ target, type, detection }) => ({
      target,
      dependent,
      kind: linkKind[type],
      group: -1,
      detection,
    })),
    ...groups.flatMap(({ k, targets, detection }) => {
      const group = spares.push(targets.length - k) - 1
      return targets.map((target) => ({ target, dependent, kind: linkKind.group, group, detection }))
    }),
  ])
  const dependents = links.map(({ dependent }) => dependent)
  return {
    ...columnsOf(links),
    ...orderByTarget(links, services.length),
    dependentOffsets: countsBefore(dependents, services.length),
    spares: Int32Array.from(spares),
  }
}

function columnsOf(links: readonly Link[]) {
  return {
    count: links.length,
    targets: Int32Array.from(links, ({ target }) => target),
    dependents: Int32Array.from(links, ({ dependent }) => dependent),
    kinds: Uint8Array.from(links, ({ kind }) => kind),
    groups: Int32Array.from(links, ({ group }) => group),
    detections: Float64Array.from(links, ({ detection }) => detection),
  }
}

function orderByTarget(links: readonly Link[], services: number) {
  const offsets = countsBefore(
    links.map(({ target }) => target),
    services,
  )
  const next = offsets.slice()
  const byTarget = new Int32Array(links.length)
  for (const [index, { target }] of links.entries()) {
    const place = next[target] ?? 0
    byTarget[place] = index
    next[target] = place + 1
  }
  return { offsets, byTarget }
}

/** For each service, how many entries belong to services before it; the last entry is the total. */
function countsBefore(entries: readonly number[], services: number): Int32Array {
  const offsets = new Int32Array(services + 1)
  for (const entry of entries) offsets[entry + 1] = (offsets[entry + 1] ?? 0) + 1
  for (let i = 0; i < services; i++) offsets[i + 1] = (offsets[i + 1] ?? 0) + (offsets[i] ?? 0)
  return offsets
}
