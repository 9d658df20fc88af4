/**
 * Scores of the highest-severity vector of each of the 270 macrovectors, in tenths (CVSS 4.0 specification, section 8.2,
 * lookup table published by FIRST). One row per EQ1, EQ2, EQ3; inside a row EQ4, then EQ5, then EQ6. A dash stands for
 * the combinations EQ3 = 2 with EQ6 = 0, which cannot occur.
 */
const rows: readonly string[] = [
  '100 99 98 95 95 92  100 96 93 87 91 81  93 90 89 80 81 68', // 000
  '98 95 95 92 90 84  93 92 89 81 81 65  88 80 78 70 69 48', // 001
  '- 92 - 82 - 72  - 79 - 69 - 50  - 69 - 55 - 27', // 002
  '99 97 95 92 92 85  95 91 90 83 84 71  92 81 82 71 72 53', // 010
  '95 93 92 85 85 73  92 82 80 72 70 59  84 70 71 52 50 30', // 011
  '- 86 - 75 - 52  - 71 - 52 - 29  - 63 - 29 - 17', // 012
  '98 95 94 87 91 81  94 89 86 74 77 64  87 75 74 63 63 49', // 100
  '94 89 88 77 76 67  86 76 74 58 59 50  72 57 57 52 52 25', // 101
  '- 83 - 70 - 54  - 65 - 58 - 26  - 53 - 21 - 13', // 102
  '95 90 88 76 76 70  90 77 75 62 61 53  77 66 68 59 52 30', // 110
  '89 78 76 67 62 58  74 59 57 57 47 23  61 52 57 29 24 16', // 111
  '- 71 - 59 - 30  - 58 - 26 - 15  - 23 - 13 - 6', // 112
  '93 87 86 72 75 58  86 74 74 61 56 34  70 54 52 40 40 22', // 200
  '85 75 74 55 62 51  72 57 55 41 46 19  53 36 34 19 19 8', // 201
  '- 64 - 51 - 20  - 47 - 21 - 11  - 24 - 9 - 4', // 202
  '88 75 73 53 60 50  73 55 59 40 41 20  54 43 45 22 20 11', // 210
  '75 55 58 45 40 21  61 51 48 18 20 9  46 18 17 7 8 2', // 211
  '- 53 - 24 - 14  - 24 - 12 - 5  - 10 - 3 - 1', // 212
]

const scores = Int16Array.from(rows.flatMap((row) => row.split(/ +/).map((cell) => (cell === '-' ? -1 : Number(cell)))))

/** Levels of the equivalence classes EQ1..EQ6, each 0 (most severe) to 2 (EQ2 and EQ6: to 1). */
export type Macrovector = readonly [eq1: number, eq2: number, eq3: number, eq4: number, eq5: number, eq6: number]

/** Score of a macrovector in tenths, or -1 where the levels describe no macrovector. */
export function macrovectorTenths([eq1, eq2, eq3, eq4, eq5, eq6]: Macrovector): number {
  if (eq1 > 2 || eq2 > 1 || eq3 > 2 || eq4 > 2 || eq5 > 2 || eq6 > 1) return -1
  return scores[((((eq1 * 2 + eq2) * 3 + eq3) * 3 + eq4) * 3 + eq5) * 2 + eq6] ?? -1
}
