/**
 * Condition under which a system works, in terms of components 0, 1, 2, … The same object may stand in several places:
 * a shared component or subsystem is one and the same there.
 */
export type Structure =
  | { readonly kind: 'component'; readonly component: number }
  | { readonly kind: 'series'; readonly parts: readonly Structure[] }
  | { readonly kind: 'parallel'; readonly parts: readonly Structure[] }
  | { readonly kind: 'k-of-n'; readonly k: number; readonly parts: readonly Structure[] }

export function component(index: number): Structure {
  if (!(Number.isInteger(index) && index >= 0)) throw new RangeError(`Component must be 0, 1, 2, …, got ${index}`)
  return { kind: 'component', component: index }
}

/** Works while all parts work; without parts, always. */
export function series(...parts: readonly Structure[]): Structure {
  return { kind: 'series', parts }
}

/** Works while at least one part works; without parts, never. */
export function parallel(...parts: readonly Structure[]): Structure {
  return { kind: 'parallel', parts }
}

/** Works while at least k parts work. */
export function kOfN(k: number, ...parts: readonly Structure[]): Structure {
  if (!(Number.isInteger(k) && k >= 0 && k <= parts.length)) {
    throw new RangeError(`k must be 0..${parts.length}, got ${k}`)
  }
  return { kind: 'k-of-n', k, parts }
}

/** Whether the system works in one state of its components. */
export function works(structure: Structure, isUp: (component: number) => boolean): boolean {
  if (structure.kind === 'component') return isUp(structure.component)
  let up = 0
  for (const part of structure.parts) if (works(part, isUp)) up++
  return up >= requiredParts(structure)
}

/** Number of parts that must work. */
export function requiredParts(structure: Exclude<Structure, { kind: 'component' }>): number {
  if (structure.kind === 'series') return structure.parts.length
  return structure.kind === 'parallel' ? 1 : structure.k
}
