import type { Hundredths } from './fixed-point.ts'

const SCALE = [
  ['A+', 9700],
  ['A', 9300],
  ['A-', 9000],
  ['B+', 8700],
  ['B', 8300],
  ['B-', 8000],
  ['C+', 7700],
  ['C', 7300],
  ['C-', 7000],
  ['D+', 6700],
  ['D', 6300],
  ['D-', 6000],
  ['F', 0],
] as const satisfies readonly (readonly [string, Hundredths])[]

export type Grade = (typeof SCALE)[number][0]

/** The grades, best first. */
export const GRADES: readonly Grade[] = SCALE.map(([grade]) => grade)

/** Grade of a composite in hundredths; a pure function of it. */
export function gradeOf(composite: Hundredths): Grade {
  return SCALE.find(([, floor]) => composite >= floor)?.[0] ?? 'F'
}

/** Negative when `a` is the better grade, positive when `b` is, 0 when they are equal. */
export function compareGrades(a: Grade, b: Grade): number {
  return GRADES.indexOf(a) - GRADES.indexOf(b)
}

/**
 * The grade to tell people about, given the one they were told last: it moves only when the composite is beyond
 * the boundary by `hysteresis` hundredths, so that a score trembling on a boundary does not ring twice a minute.
 * The grade shown with the score never waits.
 */
export function announcedGrade(told: Grade, composite: Hundredths, hysteresis: Hundredths): Grade {
  const improved = compareGrades(gradeOf(composite - hysteresis), told) < 0
  const worsened = compareGrades(gradeOf(composite + hysteresis), told) > 0
  return improved || worsened ? gradeOf(composite) : told
}
