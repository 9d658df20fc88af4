import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cvss4 } from './cvss4.ts'
import { cvss4Format } from './cvss4-metrics.ts'
import { VectorError } from './vector.ts'

/** FIRST's CVSS 4.0 examples document with its published scores; the last six are edge cases of the reference calculator. */
const examples: readonly (readonly [vector: string, score: number])[] = [
  ['AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
  ['AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
  ['AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U', 5.2],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3],
  ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N/CR:H/IR:L/AR:L/MAV:N/MAC:H/MVC:H/MVI:L/MVA:L', 8.1],
  ['AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N', 4.6],
  ['AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 6.9],
  ['AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 5.9],
  ['AV:L/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 9.4],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:H/SI:H/SA:H', 9.3],
  ['AV:P/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:H/SA:N/S:P/V:D', 8.3],
  ['AV:L/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N/E:A', 6.8],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N/E:A', 8.7],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A', 9.3],
  ['AV:N/AC:H/AT:P/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:P/MAC:L/MAT:N/MVC:N/MVI:N/MVA:L', 5.5],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:H/SI:N/SA:H', 6.4],
  ['AV:L/AC:L/AT:N/PR:H/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/R:I', 8.4],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:U', 9.1],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/MVI:L/MSA:S', 9.8],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:H/SI:H/SA:H', 7.9],
  ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:L/SC:N/SI:N/SA:N', 6.9],
]

/** Random vectors scored by the reference calculator (RedHatProductSecurity/cvss-v4-calculator, commit d1eafe0). */
const reference: readonly (readonly [vector: string, score: number, macrovector: string])[] = [
  ['AV:N/AC:L/AT:P/PR:L/UI:A/VC:N/VI:L/VA:L/SC:L/SI:H/SA:N/E:P', 2.1, '112111'],
  ['AV:A/AC:H/AT:P/PR:L/UI:P/VC:N/VI:H/VA:N/SC:N/SI:N/SA:H', 5.6, '211100'],
  ['AV:P/AC:H/AT:P/PR:L/UI:N/VC:L/VI:N/VA:L/SC:L/SI:N/SA:H/E:U', 0.3, '212121'],
  ['AV:P/AC:L/AT:N/PR:L/UI:P/VC:H/VI:H/VA:H/SC:N/SI:L/SA:N', 7, '200200'],
  ['AV:L/AC:H/AT:N/PR:N/UI:N/VC:H/VI:N/VA:L/SC:H/SI:N/SA:L/E:A', 7, '111100'],
  ['AV:N/AC:L/AT:P/PR:L/UI:A/VC:H/VI:L/VA:H/SC:H/SI:L/SA:H', 7.2, '111100'],
  ['AV:A/AC:H/AT:P/PR:H/UI:A/VC:N/VI:L/VA:N/SC:N/SI:L/SA:L/E:U', 0.1, '212221'],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:L/SA:H', 6.3, '102101'],
  ['AV:L/AC:H/AT:P/PR:L/UI:A/VC:H/VI:L/VA:N/SC:N/SI:H/SA:L/E:U', 1.5, '211120'],
  ['AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:H/VA:L/SC:N/SI:L/SA:H', 9.3, '100100'],
  ['AV:L/AC:H/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:L/SA:H/E:U', 3.5, '111120'],
  ['AV:P/AC:H/AT:N/PR:H/UI:P/VC:N/VI:N/VA:H/SC:H/SI:H/SA:L', 5.9, '211100'],
  ['AV:N/AC:H/AT:N/PR:H/UI:A/VC:L/VI:N/VA:N/SC:H/SI:H/SA:H/E:A', 5, '112101'],
  ['AV:A/AC:L/AT:N/PR:H/UI:A/VC:N/VI:N/VA:H/SC:N/SI:H/SA:N', 6.7, '201100'],
  ['AV:A/AC:L/AT:N/PR:L/UI:P/VC:L/VI:H/VA:L/SC:H/SI:H/SA:H', 7.2, '201100'],
  ['AV:A/AC:H/AT:P/PR:L/UI:A/VC:H/VI:L/VA:L/SC:L/SI:L/SA:L', 4.4, '211200'],
  ['AV:P/AC:H/AT:N/PR:N/UI:A/VC:L/VI:N/VA:H/SC:N/SI:N/SA:N/E:U', 0.7, '211220'],
  ['AV:N/AC:L/AT:P/PR:L/UI:N/VC:N/VI:N/VA:L/SC:N/SI:L/SA:N', 2.3, '112201'],
  ['AV:L/AC:L/AT:P/PR:L/UI:P/VC:N/VI:H/VA:N/SC:H/SI:H/SA:L/E:P', 4.2, '211110'],
  ['AV:N/AC:H/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:H/SI:N/SA:N', 8.9, '011100'],
  ['AV:P/AC:H/AT:P/PR:H/UI:P/VC:N/VI:H/VA:N/SC:L/SI:H/SA:N/E:P', 3.8, '211110'],
  ['AV:L/AC:H/AT:N/PR:H/UI:A/VC:N/VI:N/VA:L/SC:H/SI:H/SA:H', 2.4, '212101'],
  ['AV:A/AC:L/AT:P/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:L/SA:N/E:A', 6, '111200'],
  ['AV:L/AC:L/AT:N/PR:H/UI:P/VC:H/VI:H/VA:H/SC:L/SI:H/SA:N', 8.4, '200100'],
  ['AV:P/AC:L/AT:P/PR:H/UI:N/VC:N/VI:L/VA:N/SC:L/SI:L/SA:L/E:U', 0.1, '212221'],
  ['AV:L/AC:H/AT:N/PR:N/UI:N/VC:L/VI:L/VA:L/SC:H/SI:N/SA:N', 4.6, '112101'],
  ['AV:P/AC:H/AT:P/PR:N/UI:N/VC:L/VI:H/VA:N/SC:H/SI:L/SA:N/E:A', 5.7, '211100'],
  ['AV:A/AC:H/AT:P/PR:N/UI:N/VC:H/VI:H/VA:L/SC:N/SI:L/SA:L', 7.6, '110200'],
  ['AV:A/AC:L/AT:N/PR:N/UI:P/VC:L/VI:N/VA:H/SC:H/SI:N/SA:H/E:U', 5.7, '101120'],
  ['AV:P/AC:L/AT:P/PR:H/UI:N/VC:N/VI:N/VA:H/SC:H/SI:L/SA:N', 5.7, '211100'],
  ['AV:A/AC:H/AT:N/PR:H/UI:P/VC:H/VI:H/VA:L/SC:N/SI:N/SA:H', 6.7, '210100'],
  ['AV:A/AC:H/AT:P/PR:H/UI:A/VC:N/VI:L/VA:H/SC:N/SI:H/SA:N', 5.6, '211100'],
  ['AV:A/AC:L/AT:N/PR:H/UI:A/VC:H/VI:H/VA:L/SC:H/SI:H/SA:H/E:A', 8.6, '200100'],
  ['AV:A/AC:H/AT:P/PR:N/UI:N/VC:L/VI:H/VA:N/SC:L/SI:L/SA:L', 6, '111200'],
  ['AV:A/AC:H/AT:P/PR:L/UI:N/VC:L/VI:H/VA:H/SC:H/SI:H/SA:N', 7.2, '111100'],
  ['AV:L/AC:H/AT:N/PR:N/UI:N/VC:L/VI:H/VA:H/SC:H/SI:N/SA:L', 7.1, '111100'],
  ['AV:A/AC:H/AT:N/PR:N/UI:P/VC:N/VI:H/VA:H/SC:L/SI:H/SA:H/E:U', 4.2, '111120'],
  ['AV:A/AC:L/AT:P/PR:L/UI:P/VC:N/VI:H/VA:L/SC:N/SI:H/SA:L', 5.7, '211100'],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:H', 8.3, '101100'],
  ['AV:P/AC:H/AT:P/PR:L/UI:A/VC:L/VI:N/VA:L/SC:L/SI:L/SA:N', 1, '212201'],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:H/SC:N/SI:H/SA:N/E:A', 8.3, '101100'],
  ['AV:P/AC:H/AT:P/PR:N/UI:A/VC:N/VI:H/VA:H/SC:N/SI:H/SA:H', 5.9, '211100'],
  ['AV:P/AC:H/AT:N/PR:L/UI:P/VC:L/VI:L/VA:L/SC:N/SI:H/SA:H', 2.1, '212101'],
  ['AV:N/AC:H/AT:P/PR:N/UI:A/VC:N/VI:H/VA:L/SC:H/SI:L/SA:H', 7.2, '111100'],
  ['AV:A/AC:L/AT:N/PR:L/UI:P/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N/E:A', 6.8, '200200'],
  ['AV:P/AC:H/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 1.8, '212101'],
  ['AV:N/AC:H/AT:N/PR:H/UI:P/VC:N/VI:H/VA:N/SC:H/SI:N/SA:L/E:A', 6.9, '111100'],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:L/SI:N/SA:L', 5.3, '102201'],
  ['AV:A/AC:L/AT:P/PR:N/UI:A/VC:H/VI:L/VA:L/SC:L/SI:L/SA:L', 5.8, '111200'],
  ['AV:P/AC:L/AT:P/PR:L/UI:P/VC:N/VI:L/VA:L/SC:L/SI:N/SA:H', 2, '212101'],
  ['AV:L/AC:L/AT:N/PR:L/UI:A/VC:H/VI:N/VA:L/SC:L/SI:H/SA:N/E:P', 5.1, '201110'],
  ['AV:A/AC:L/AT:N/PR:H/UI:A/VC:N/VI:L/VA:L/SC:L/SI:N/SA:N', 2.4, '202201'],
  ['AV:P/AC:H/AT:P/PR:L/UI:N/VC:L/VI:N/VA:H/SC:N/SI:N/SA:H/E:A', 5.6, '211100'],
  ['AV:L/AC:L/AT:N/PR:H/UI:N/VC:H/VI:H/VA:H/SC:H/SI:L/SA:L', 9.2, '100100'],
  ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:L/SC:L/SI:H/SA:H/E:U', 2.5, '102121'],
  ['AV:N/AC:H/AT:N/PR:H/UI:P/VC:N/VI:L/VA:L/SC:N/SI:H/SA:N', 4.3, '112101'],
  ['AV:P/AC:H/AT:N/PR:H/UI:P/VC:H/VI:N/VA:L/SC:L/SI:L/SA:H/E:P', 4.1, '211110'],
  ['AV:L/AC:H/AT:N/PR:N/UI:A/VC:L/VI:N/VA:H/SC:H/SI:L/SA:L', 6.9, '111100'],
  ['AV:P/AC:H/AT:N/PR:L/UI:A/VC:N/VI:N/VA:L/SC:N/SI:H/SA:H/E:A', 2.1, '212101'],
]

const oracle = new URL('../../../../../shared/data/cvss4/random-vectors.csv', import.meta.url)

test.each(examples)('%s scores %d', (vector, score) => {
  expect(cvss4(`CVSS:4.0/${vector}`).score).toBe(score)
})

test('random vectors score as the reference calculator does', () => {
  const ours = reference.map(([vector]) => {
    const { score, macrovector } = cvss4(`CVSS:4.0/${vector}`)
    return [vector, score, macrovector]
  })
  expect(ours).toEqual(reference)
})

test.skipIf(!existsSync(oracle))(
  'all 2,000 vectors of the oracle file agree (skipped where the file is missing)',
  () => {
    const rows = readFileSync(oracle, 'utf8').trim().split('\n').slice(1)
    expect(rows).toHaveLength(2_000)
    const ours = rows.map((row) => {
      const vector = row.split(',')[0] ?? ''
      const { score, severity, macrovector } = cvss4(vector)
      return [vector, score, severity[0]?.toUpperCase() + severity.slice(1), macrovector].join(',')
    })
    expect(ours).toEqual(rows)
  },
)

const base = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'

test.each([
  ['', 'CVSS-B'],
  ['/E:A', 'CVSS-BT'],
  ['/CR:H', 'CVSS-BE'],
  ['/E:P/MAV:L', 'CVSS-BTE'],
  ['/E:X/MAV:X', 'CVSS-B'],
  ['/S:P/U:Red', 'CVSS-B'],
])('the nomenclature of base metrics with "%s" is %s', (added, nomenclature) => {
  expect(cvss4(base + added).nomenclature).toBe(nomenclature)
})

test('supplemental metrics are read and do not change the score', () => {
  const plain = cvss4(base)
  const supplemented = cvss4(`${base}/S:P/AU:Y/R:I/V:C/RE:H/U:Amber`)
  expect(supplemented.score).toBe(plain.score)
  expect(supplemented.metrics.get('U')).toBe('Amber')
})

describe('an invalid vector names position and metric', () => {
  test.each([
    ['', 0, null],
    ['CVSS:3.1/AV:N', 0, null],
    ['CVSS:4.0/', 9, null],
    [`${base}/`, base.length + 1, null],
    [base.replace('AV:N', 'AV:Q'), 12, 'AV'],
    [base.replace('AV:N', 'AV'), 11, 'AV'],
    [base.replace('AV:N', 'AV:'), 12, 'AV'],
    [base.replace('AV:N', 'av:N'), 9, null],
    [base.replace('AC:L/AT:N', 'AT:N/AC:L'), 19, 'AC'],
    [base.replace('/SA:N', ''), base.length - 5, 'SA'],
    [`${base}/E:A/E:A`, base.length + 5, 'E'],
    [`${base}/MSC:S`, base.length + 5, 'MSC'],
    [`${base}${'/E:A'.repeat(1_000)}`, 512, null],
  ])('%s', (vector, position, metric) => {
    const failed = () => cvss4(vector)
    expect(failed).toThrow(VectorError)
    expect(failed).toThrow(expect.objectContaining({ position, metric }))
  })
})

test('a more severe value of one base metric never lowers the score', () => {
  const vectors = fc.tuple(
    ...cvss4Format.metrics
      .filter(({ group }) => group === 'base')
      .map(({ name, values }) => fc.nat(values.length - 1).map((level) => ({ name, values, level }))),
  )
  fc.assert(
    fc.property(vectors, fc.nat(10), (metrics, index) => {
      const write = (list: typeof metrics) =>
        `CVSS:4.0/${list.map(({ name, values, level }) => `${name}:${values[level]}`).join('/')}`
      const worse = metrics.map((metric, at) => (at === index ? { ...metric, level: 0 } : metric))
      // The interpolation of section 8.2 is monotone up to its own rounding of one tenth.
      expect(cvss4(write(worse)).score).toBeGreaterThanOrEqual(cvss4(write(metrics)).score - 0.1)
    }),
  )
})
