/** The part of JSONPath (RFC 9535) that tolerances use: names, places and wildcards. Pure. Tested in tolerance.test.ts. */

type Step = { readonly name: string } | { readonly place: number } | 'all'

const step = /\.([A-Za-z_][\w-]*)|\[(\d{1,9})\]|\[(?:'([^']*)'|"([^"]*)")\]|(\[\*\]|\.\*)/y

/** Null for a path that has other parts. */
export function readJsonPath(path: string): readonly Step[] | null {
  if (!path.startsWith('$')) return null
  const steps: Step[] = []
  step.lastIndex = 1
  while (step.lastIndex < path.length) {
    const found = step.exec(path)
    if (found === null) return null
    const [, name, place, single, double, all] = found
    if (all !== undefined) steps.push('all')
    else if (place !== undefined) steps.push({ place: Number(place) })
    else steps.push({ name: name ?? single ?? double ?? '' })
  }
  return steps
}

/** The values at a path, in order. */
export function valuesAt(value: unknown, steps: readonly Step[]): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((values, each) => values.flatMap((one) => childrenOf(one, each)), [value])
}

function childrenOf(value: unknown, at: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (at === 'all') return Object.values(value)
  if ('place' in at) return Array.isArray(value) && at.place < value.length ? [value[at.place]] : []
  return Object.hasOwn(value, at.name) ? [(value as Record<string, unknown>)[at.name]] : []
}
