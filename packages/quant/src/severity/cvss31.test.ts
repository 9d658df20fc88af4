import { expect, test } from 'vitest'
import { cvss31 } from './cvss31.ts'
import { VectorError } from './vector.ts'

/** Random vectors with base, temporal and environmental scores as ae-cvss-calculator 1.0.13 computes them. */
const reference: readonly (readonly [
  vector: string,
  base: number,
  temporal: number | null,
  environmental: number | null,
])[] = [
  ['AV:L/AC:L/PR:L/UI:R/S:C/C:L/I:N/A:N', 3.2, null, null],
  ['AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:L/A:H/E:P', 8.9, 8.4, null],
  ['AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N/E:X/MAC:L/MPR:L/MUI:X/MC:N/MA:H', 5.5, null, 7.1],
  ['AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:N/A:H', 5.3, null, null],
  ['AV:A/AC:H/PR:H/UI:R/S:U/C:L/I:L/A:H/E:H/RC:C', 5.1, 5.1, null],
  ['AV:A/AC:H/PR:L/UI:N/S:U/C:L/I:H/A:H/RC:X/CR:L/IR:X/AR:L/MAV:A/MPR:N/MS:X', 6.7, null, 6.3],
  ['AV:L/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:L', 4.4, null, null],
  ['AV:P/AC:H/PR:N/UI:R/S:U/C:L/I:H/A:N/E:U', 4.6, 4.2, null],
  ['AV:L/AC:L/PR:N/UI:N/S:C/C:H/I:L/A:L/E:H/RL:U/CR:X/MAV:L/MAC:L', 8.5, 8.5, 8.4],
  ['AV:P/AC:L/PR:L/UI:N/S:U/C:L/I:L/A:L', 4.1, null, null],
  ['AV:A/AC:H/PR:H/UI:R/S:U/C:H/I:L/A:H/E:X', 5.9, null, null],
  ['AV:N/AC:L/PR:L/UI:R/S:C/C:N/I:L/A:L/RC:C/CR:H/MUI:R/MA:X', 5.4, 5.4, 5.4],
  ['AV:P/AC:L/PR:L/UI:N/S:C/C:H/I:N/A:H', 7.1, null, null],
  ['AV:A/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:H/E:H/RC:U', 6.3, 5.8, null],
  ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N/E:U/CR:H/IR:H/MAV:X/MAC:X/MS:U/MI:N', 9.1, 8.3, 8.5],
  ['AV:N/AC:L/PR:L/UI:R/S:C/C:H/I:L/A:L', 8.2, null, null],
  ['AV:P/AC:L/PR:H/UI:N/S:C/C:N/I:H/A:H/RC:C', 6.8, 6.8, null],
  ['AV:L/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:H/E:U/AR:M/MPR:H/MUI:R/MC:H/MI:N', 6.2, 5.7, 5.1],
  ['AV:A/AC:H/PR:L/UI:R/S:C/C:N/I:L/A:H', 6.2, null, null],
  ['AV:L/AC:H/PR:L/UI:R/S:C/C:L/I:N/A:N', 2.5, null, null],
  ['AV:A/AC:L/PR:N/UI:R/S:U/C:H/I:L/A:H/E:X/CR:X/IR:X/AR:X/MS:C/MC:L/MI:N', 7.6, null, 7.4],
  ['AV:A/AC:L/PR:L/UI:R/S:U/C:N/I:H/A:N', 5.2, null, null],
  ['AV:P/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:H/RL:O', 6.3, 6, null],
  ['AV:A/AC:L/PR:N/UI:R/S:U/C:N/I:N/A:H/E:H/RC:X/CR:X/IR:H/AR:M/MAV:N/MAC:H/MS:X', 5.7, 5.7, 5.3],
  ['AV:A/AC:L/PR:L/UI:N/S:U/C:L/I:H/A:L', 6.8, null, null],
  ['AV:A/AC:L/PR:L/UI:N/S:C/C:L/I:H/A:L/RL:W/RC:X', 8.2, 8, null],
  ['AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N/E:X/RC:X/AR:H/MAV:P/MPR:X/MUI:N/MI:L', 5.5, null, 5.2],
  ['AV:P/AC:L/PR:L/UI:R/S:U/C:H/I:H/A:L', 6, null, null],
  ['AV:A/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N/E:P/RL:W/RC:U', 5.7, 4.8, null],
  ['AV:A/AC:L/PR:H/UI:N/S:U/C:H/I:N/A:H/E:U/RC:C/CR:L/AR:M/MC:N/MI:L/MA:N', 6.1, 5.6, 2.2],
  ['AV:L/AC:L/PR:L/UI:N/S:C/C:N/I:N/A:N', 0, null, null],
  ['AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:L/A:L/E:F/RL:W/RC:U', 6.6, 5.8, null],
  ['AV:L/AC:H/PR:L/UI:R/S:U/C:L/I:N/A:L/E:U/RL:O/RC:U/AR:M/MAC:L/MUI:X/MS:U/MA:X', 3.3, 2.7, 3.2],
  ['AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:N', 8.7, null, null],
  ['AV:A/AC:L/PR:H/UI:N/S:C/C:L/I:L/A:L/E:P', 5.9, 5.6, null],
  ['AV:N/AC:H/PR:H/UI:N/S:C/C:L/I:L/A:L/E:U/CR:L/AR:L/MPR:X/MUI:N/MS:U/MC:H', 5.5, 5.1, 3.7],
]

test('random vectors score as the independent calculator does', () => {
  const ours = reference.map(([vector]) => {
    const { base, temporal, environmental } = cvss31(`CVSS:3.1/${vector}`)
    return [vector, base, temporal, environmental]
  })
  expect(ours).toEqual(reference)
})

/** Scores of FIRST's CVSS 3.1 examples document. */
test.each([
  ['AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4, 'CVE-2013-0375'],
  ['AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1, 'CVE-2014-3566'],
  ['AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9, 'CVE-2012-1516'],
  ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5, 'CVE-2014-0160'],
  ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'CVE-2014-6271'],
])('%s scores %d (%s)', (vector, score) => {
  expect(cvss31(`CVSS:3.1/${vector}`).score).toBe(score)
})

test('metrics may come in any order, and an error names position and metric', () => {
  expect(cvss31('CVSS:3.1/A:H/I:H/C:H/S:U/UI:N/PR:N/AC:L/AV:N').score).toBe(9.8)
  expect(() => cvss31('CVSS:3.1/A:H/I:H/C:H/S:U/UI:N/PR:N/AC:L')).toThrow(VectorError)
  expect(() => cvss31('CVSS:3.1/A:H/I:H/C:H/S:Z')).toThrow(expect.objectContaining({ position: 23, metric: 'S' }))
})
