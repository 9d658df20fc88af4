import { expect, test } from 'vitest'
import { packageType } from './pii-types.ts'
import { fMeasure, spanReport } from './span-report.ts'
import { createSpanTally, type JudgedRow, tallyRow } from './span-tally.ts'

function figures(rows: readonly JudgedRow[], anyType = false) {
  const tally = createSpanTally()
  for (const row of rows) tallyRow(tally, row, { anyType })
  return spanReport(tally, rows.length)
}

const row = (labels: JudgedRow['labels'], found: JudgedRow['found']): JudgedRow => ({ kind: 'mail', labels, found })

test('half of a label is found but not fully found', () => {
  const report = figures([row([{ start: 10, end: 20, type: 'PERSON' }], [{ start: 15, end: 20, type: 'PERSON' }])])
  expect(report.all).toMatchObject({ labels: 1, findings: 1, recall: 1, full_recall: 0, precision: 1 })
})

test('less than half of a label is not found, and a finding mostly outside is not right', () => {
  const report = figures([row([{ start: 10, end: 20, type: 'PERSON' }], [{ start: 16, end: 30, type: 'PERSON' }])])
  expect(report.all).toMatchObject({ recall: 0, precision: 0, f1: 0, f2: 0 })
})

test('a finding that covers more than the label finds it fully', () => {
  const report = figures([row([{ start: 10, end: 20, type: 'ADDRESS' }], [{ start: 8, end: 22, type: 'ADDRESS' }])])
  expect(report.all).toMatchObject({ recall: 1, full_recall: 1, precision: 1, f2: 1 })
})

test('another type does not count for personal data and counts for secrets', () => {
  const rows = [row([{ start: 0, end: 9, type: 'a_key' }], [{ start: 0, end: 9, type: 'a_token' }])]
  expect(figures(rows).all).toMatchObject({ precision: 0, recall: 0 })
  const secrets = figures(rows, true)
  expect(secrets.all).toMatchObject({ precision: 1, recall: 1, f1: 1 })
  expect(secrets.by_type).toMatchObject({ a_key: { recall: 1, f1: null }, a_token: { precision: 1, recall: null } })
})

test('the country counts among the labels that were found', () => {
  const label = { start: 0, end: 4, type: 'NATIONAL_ID', country: 'SE' }
  const report = figures([row([label], [{ ...label }]), row([label], [{ ...label, country: 'NO' }]), row([label], [])])
  expect(report.countries['NATIONAL_ID SE']).toEqual({ labels: 3, recall: 2 / 3, country_right: 1 / 2 })
  expect(report.country_totals.NATIONAL_ID).toEqual(report.countries['NATIONAL_ID SE'])
})

test('rows without labels are flagged by any finding and lower precision', () => {
  const report = figures([row([], [{ start: 0, end: 2, type: 'PHONE' }]), row([], [])])
  expect(report.clean).toEqual({ rows: 2, flagged: 0.5 })
  expect(report.clean_by_kind.mail).toEqual({ rows: 2, flagged: 0.5 })
  expect(report.all).toMatchObject({ precision: 0, recall: null, f2: null })
})

test('F2 weighs recall four times as much as precision', () => {
  // 5 P R / (4 P + R) = 5 * 0.5 * 1 / (2 + 1), van Rijsbergen's formula by hand.
  expect(fMeasure(0.5, 1, 2)).toBeCloseTo(5 / 6, 12)
  expect(fMeasure(1, 0.5, 2)).toBeCloseTo(5 / 9, 12)
  expect(fMeasure(0, 0, 1)).toBe(0)
})

test('names of other tools are mapped and unknown ones kept', () => {
  expect(packageType('IP')).toBe('IP_ADDRESS')
  expect(packageType('PERSON')).toBe('PERSON')
  expect(packageType('constructor')).toBe('constructor')
})
