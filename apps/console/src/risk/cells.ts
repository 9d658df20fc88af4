/** Cells of the heat map that hold risks. Pure. Tested in cells.test.ts. */
interface Level {
  readonly likelihood: number | null
  readonly impact: number | null
}

interface Rated {
  readonly reference: string
  readonly inherent: Level
  readonly residual: Level | null
}

export interface Cell {
  readonly likelihood: number
  readonly impact: number
  readonly references: readonly string[]
}

/** A risk stands where its residual rating is, or the inherent one where it has no other; without both it is left out. */
export function cellsOf(risks: readonly Rated[]): readonly Cell[] {
  const cells = new Map<string, Cell>()
  for (const { reference, inherent, residual } of risks) {
    const { likelihood, impact } = isPlaced(residual) ? residual : inherent
    if (likelihood === null || impact === null) continue
    const key = `${likelihood} ${impact}`
    cells.set(key, { likelihood, impact, references: [...(cells.get(key)?.references ?? []), reference] })
  }
  return [...cells.values()]
}

const isPlaced = (level: Level | null): level is Level =>
  level !== null && level.likelihood !== null && level.impact !== null
