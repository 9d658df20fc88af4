/** Numbers that look random and are the same each time, -1 to 1. */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2_147_483_648
  }
}

export const randomVector = (next: () => number, dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, next)
