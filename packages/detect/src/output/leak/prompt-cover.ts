import type { Finding } from '../../base/finding.ts'
import type { ShingleSet } from './prompt-shingles.ts'

/** Which units of the prompt have been seen, as part of a shingle; units that only the conversation's shingles hold do not count. */
export function createCover(set: ShingleSet): Cover {
  const { size, length } = set
  const shingles = new Uint8Array(length)
  const units = new Uint8Array(length)
  let covered = 0
  let count = 0
  let total: number | null = null
  return {
    add: (start) => {
      if (shingles[start] === 1) return
      shingles[start] = 1
      count += 1
      for (let i = start; i < start + size; i += 1) {
        if (units[i] === 0) covered += 1
        units[i] = 1
      }
    },
    share: () => {
      if (covered === 0) return 0
      total ??= countable(set)
      return covered / total
    },
    count: () => count,
  }
}

/** Units of the prompt in shingles that count. */
function countable({ numbers, size, length }: ShingleSet): number {
  const units = new Uint8Array(length)
  for (const start of numbers.values()) units.fill(1, start, start + size)
  return units.reduce((sum, one) => sum + one, 0)
}

export interface Cover {
  add(start: number): void
  /** 0..1. */
  share(): number
  /** Different shingles. */
  count(): number
}

/** A finding of this check. */
export const leakFinding = (
  place: Pick<Finding, 'start' | 'end' | 'score'> & { rule: string; evidence: string },
): Finding => ({
  detector: 'output',
  type: 'system-prompt-leak',
  ...place,
})
