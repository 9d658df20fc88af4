import { describe, expect, test } from 'vitest'
import { files, hasNist, nist } from '../testing/nist.ts'
import { catalogs, firstAdopted } from './catalogs.ts'

/** Stated apart from the data: what each publisher's document has. */
const stated: Readonly<Record<string, number>> = {
  'nist-ai-rmf-1.0': 72,
  'nist-ai-600-1': 12 + 212,
  'eu-ai-act': 117,
  'iso-42001-2023': 29 + 38,
  'iso-27001-2022': 30 + 93,
  'soc2-tsc-2017': 61,
  'nist-csf-2.0': 106,
  gdpr: 60,
  'owasp-llm-2025': 10,
  'owasp-agentic-2026': 10,
  'owasp-asvs-5.0': 345,
}

/** Controls of groups that a publisher counts by themselves. */
const shares: readonly (readonly [string, RegExp, number])[] = [
  ['nist-ai-rmf-1.0', /^GOVERN/, 19],
  ['nist-ai-rmf-1.0', /^MAP/, 18],
  ['nist-ai-rmf-1.0', /^MEASURE/, 22],
  ['nist-ai-rmf-1.0', /^MANAGE/, 13],
  ['nist-ai-600-1', /^GV/, 58],
  ['nist-ai-600-1', /^MP/, 39],
  ['nist-ai-600-1', /^MS/, 72],
  ['nist-ai-600-1', /^MG/, 43],
  ['iso-42001-2023', /^A\./, 38],
  ['iso-27001-2022', /^A\.5/, 37],
  ['iso-27001-2022', /^A\.6/, 8],
  ['iso-27001-2022', /^A\.7/, 14],
  ['iso-27001-2022', /^A\.8/, 34],
  ['soc2-tsc-2017', /^CC/, 33],
  ['soc2-tsc-2017', /^P\d/, 18],
  ['eu-ai-act', /^Art\. 5\(1\)/, 9],
]

describe.each(catalogs.map((catalog) => [catalog.key, catalog] as const))('%s', (key, catalog) => {
  const controls = catalog.groups.flatMap((group) => group.controls)

  test('has the stated number of controls and groups', () => {
    expect(controls).toHaveLength(stated[key] ?? -1)
    expect(catalog.counts).toEqual({ groups: catalog.groups.length, controls: controls.length })
    for (const [of, pattern, count] of shares.filter(([of]) => of === key))
      expect(
        controls.filter(({ ref }) => pattern.test(ref)),
        `${of} ${pattern}`,
      ).toHaveLength(count)
  })

  test('has identifiers of its form, each once, and a title for each', () => {
    const pattern = new RegExp(catalog.identifiers)
    expect(controls.filter(({ ref }) => !pattern.test(ref))).toEqual([])
    expect(new Set(controls.map(({ ref }) => ref)).size).toBe(controls.length)
    expect(controls.every(({ title }) => title.length > 3 && title.length <= 500)).toBe(true)
  })
})

test('all stated catalogs are there, and those adopted first', () => {
  expect(catalogs.map(({ key }) => key).sort()).toEqual(Object.keys(stated).sort())
  expect(firstAdopted.every((key) => stated[key] !== undefined)).toBe(true)
})

test.skipIf(!hasNist)('the subcategories of CSF 2.0 have the words of the published catalog', () => {
  const csf = JSON.stringify(nist(files.catalogs[4]))
  const own = catalogs.find(({ key }) => key === 'nist-csf-2.0')?.groups.flatMap(({ controls }) => controls) ?? []
  expect(
    own.filter(
      ({ ref, title }) => !csf.includes(`"${ref}_statement","name":"statement","prose":${JSON.stringify(title)}`),
    ),
  ).toEqual([])
})
