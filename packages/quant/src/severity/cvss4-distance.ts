import { at, type Levels, levelsFrom } from './cvss4-levels.ts'

/** Severity distance of a vector from a highest-severity vector of its class, and the depth of the class. */
export interface ClassDistance {
  /** Sum of level differences. */
  readonly steps: number
  /** The largest distance inside the class, plus one. */
  readonly depth: number
}

interface ClassLevel {
  readonly first: number
  readonly depth: number
  readonly highest: readonly Levels[]
}

function classLevel(first: number, depth: number, ...vectors: readonly string[]): ClassLevel {
  return { first, depth, highest: vectors.map((vector) => levelsFrom(first, vector)) }
}

/** Highest-severity vectors and depths by level of each class (specification, section 8.2, table of FIRST). */
const eq1 = [classLevel(at.AV, 1, 'NNN'), classLevel(at.AV, 4, 'ANN', 'NLN', 'NNP'), classLevel(at.AV, 5, 'PNN', 'ALP')]
const eq2 = [classLevel(at.AC, 1, 'LN'), classLevel(at.AC, 2, 'HN', 'LP')]
/** Index: 2 × EQ3 + EQ6. Level 20 cannot occur. */
const eq3eq6 = [
  classLevel(at.VC, 7, 'HHHHHH'),
  classLevel(at.VC, 6, 'HHLMMH', 'HHHMMM'),
  classLevel(at.VC, 8, 'LHHHHH', 'HLHHHH'),
  classLevel(at.VC, 8, 'LHLHMH', 'LHHHMM', 'HLHMHM', 'HLLMHH', 'LLHHHM'),
  classLevel(at.VC, 1),
  classLevel(at.VC, 10, 'LLLHHH'),
]
const eq4 = [classLevel(at.SC, 6, 'HSS'), classLevel(at.SC, 5, 'HHH'), classLevel(at.SC, 4, 'LLL')]

const tables = { eq1, eq2, eq3eq6, eq4 }

/**
 * The specification takes the first combination of highest vectors that no metric exceeds. Classes share no metric, so
 * each class finds its own first vector.
 */
export function classDistance(name: keyof typeof tables, level: number, levels: Levels): ClassDistance {
  const { first, depth, highest } = tables[name][level] ?? classLevel(0, 1)
  for (const candidate of highest) {
    const steps = stepsFrom(candidate, levels, first)
    if (steps !== null) return { steps, depth }
  }
  return { steps: 0, depth }
}

function stepsFrom(candidate: Levels, levels: Levels, first: number): number | null {
  let steps = 0
  for (let i = 0; i < candidate.length; i++) {
    const difference = (levels[first + i] ?? 0) - (candidate[i] ?? 0)
    if (difference < 0) return null
    steps += difference
  }
  return steps
}
