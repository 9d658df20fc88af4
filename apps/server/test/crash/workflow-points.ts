import { seeded } from './random.ts'

/** Where the server dies: at which write of the journal, counted from 1. */
export interface Point {
  readonly killAt: number
  readonly when: 'before' | 'after'
}

export interface Choice {
  readonly writes: number
  readonly kills: number
  readonly seed: number
}

/** Every write from both sides, or so many of these places spread over the run. */
export function pointsOf({ writes, kills, seed }: Choice): readonly Point[] {
  const all = Array.from({ length: writes }, (_, index) => index + 1).flatMap((killAt): readonly Point[] => [
    { killAt, when: 'before' },
    { killAt, when: 'after' },
  ])
  if (kills >= all.length) return all
  const pace = all.length / kills
  const offset = seeded(seed).below(Math.ceil(pace))
  return Array.from({ length: kills }, (_, index) => all[Math.floor(index * pace + offset) % all.length] as Point)
}
