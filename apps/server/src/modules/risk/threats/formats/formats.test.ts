import { describe, expect, test } from 'vitest'
import { readAtlas } from './atlas.ts'
import { readCustom } from './custom.ts'
import { ImportFault } from './read.ts'
import { readStix } from './stix.ts'
import { readCves, readEpss, readKev } from './vulnerabilities.ts'

const faultOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof ImportFault) return [error.kind, error.pointer]
    throw error
  }
  return null
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const technique = (n: number, over: object = {}) => ({
  type: 'attack-pattern',
  id: `attack-pattern--${uuid(n)}`,
  modified: '2025-01-01T00:00:00Z',
  name: `Technique ${n}`,
  external_references: [{ source_name: 'mitre-attack', external_id: `T${1000 + n}` }],
  ...over,
})
const bundle = (...objects: object[]) => ({ type: 'bundle', objects })

describe('a STIX bundle', () => {
  test('gives techniques by their id, with relations and the references that it does not hold', () => {
    const outside = `course-of-action--${uuid(9)}`
    const mitigates = {
      ...{ type: 'relationship', id: `relationship--${uuid(5)}`, relationship_type: 'mitigates' },
      ...{ source_ref: outside, target_ref: technique(1).id },
    }
    const content = readStix(bundle(technique(1), mitigates, { type: 'identity', id: `identity--${uuid(3)}` }))
    expect(content.threats).toMatchObject([
      { key: technique(1).id, fields: { source: 'attack', external_id: 'T1001' } },
    ])
    expect(content.relations).toEqual([{ kind: 'mitigation', source: outside, target: technique(1).id }])
    expect(content.unresolved).toEqual([{ id: outside, pointer: '/content/objects/1/source_ref' }])
    expect(content.skipped).toEqual([{ pointer: '/content/objects/2', reason: expect.stringContaining('identity: 1') }])
  })

  test.each([
    [[], '/content'],
    [{ type: 'report' }, '/content/type'],
    [{ type: 'bundle' }, '/content/objects'],
    [bundle({ ...technique(1), id: 'T1001' }), '/content/objects/0/id'],
    [bundle(technique(1), { ...technique(2), name: '' }), '/content/objects/1/name'],
    [bundle(technique(1, { modified: 'yesterday' })), '/content/objects/0/modified'],
    [bundle(technique(1, { kill_chain_phases: [{}] })), '/content/objects/0/kill_chain_phases/0/phase_name'],
  ])('that is none is refused where it is wrong (%#)', (document, pointer) => {
    expect(faultOf(() => readStix(document))).toEqual(['content', pointer])
  })
})

test('an ATLAS sub-technique has its parent’s tactics', () => {
  const { threats } = readAtlas({
    id: 'ATLAS',
    tactics: [{ id: 'AML.TA0005', name: 'Execution' }],
    techniques: [
      { id: 'AML.T0051', name: 'LLM Prompt Injection', tactics: ['AML.TA0005'] },
      { id: 'AML.T0051.001', name: 'Indirect', subtechnique_of: 'AML.T0051', tactics: [] },
    ],
    mitigations: [{ id: 'AML.M0020', name: 'Guardrails', techniques: ['AML.T0051'] }],
    case_studies: [{ id: 'AML.CS0001', name: 'A case', procedure: [{ technique: 'AML.T0051.001' }] }],
  })
  const named = new Map(threats.map(({ key, fields }) => [key, fields]))
  expect(named.get('atlas:AML.T0051.001')).toMatchObject({
    tactics: ['execution'],
    parent_id: 'AML.T0051',
    groups: ['AML.CS0001'],
  })
  expect(named.get('atlas:AML.T0051')).toMatchObject({ mitigations: ['AML.M0020'] })
  const dangling = { id: 'ATLAS', techniques: [], mitigations: [{ id: 'M', name: 'M', techniques: ['AML.T9'] }] }
  expect(faultOf(() => readAtlas(dangling))).toEqual(['content', '/content/mitigations/0/techniques/0'])
})

describe('vulnerabilities', () => {
  test('are scored by CVSS 4.0 and 3.1', () => {
    const four = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
    const three = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
    const { threats } = readCves([
      { cve: 'CVE-2026-0001', cvss_vector: four },
      { cve: 'CVE-2026-0002', cvss_vector: three },
    ])
    expect(threats.map(({ fields }) => [fields.cvss_score, fields.cvss_severity, fields.cvss_nomenclature])).toEqual([
      [9.3, 'critical', 'CVSS-B'],
      [9.8, 'critical', null],
    ])
  })

  test('come as records too', () => {
    const cna = {
      title: 'A flaw',
      metrics: [{ cvssV3_1: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' } }],
    }
    const record = { dataType: 'CVE_RECORD', cveMetadata: { cveId: 'CVE-2026-0003' }, containers: { cna } }
    expect(readCves(record).threats).toMatchObject([
      { key: 'cve:CVE-2026-0003', fields: { name: 'A flaw', cvss_score: 9.8 } },
    ])
  })

  test.each([
    [() => readCves([{ cve: 'CVE-1' }]), ['content', '/content/0/cve']],
    [() => readCves([{ cve: 'CVE-2026-0001', cvss_vector: 'CVSS:4.0/AV:Z' }]), ['vector', '/content/0/cvss_vector']],
    [() => readCves([{ cve: 'CVE-2026-0001', mission: 'great' }]), ['content', '/content/0/mission']],
    [() => readEpss('cve,epss,percentile\n'), ['content', '/content']],
    [
      () => readEpss('#model_version:v2025.03.14,score_date:2026-01-01\ncve,epss,percentile\nCVE-2026-0001,1.5,0.1'),
      ['content', '/content'],
    ],
    [
      () => readKev({ vulnerabilities: [{ cveID: 'CVE-2026-0001' }] }),
      ['content', '/content/vulnerabilities/0/dateAdded'],
    ],
    [() => readCustom([{ external_id: 'X', type: 'worry', name: 'X' }]), ['content', '/content/0/type']],
  ])('that are wrong are refused where they are (%#)', (work, wanted) => {
    expect(faultOf(work)).toEqual(wanted)
  })

  test('EPSS gives probability, rank, model and day', () => {
    const text =
      '#model_version:v2025.03.14,score_date:2026-01-02T00:00:00+0000\ncve,epss,percentile\nCVE-2026-0001,0.25,0.96\n'
    expect(readEpss(text).threats).toEqual([
      {
        key: 'cve:CVE-2026-0001',
        fields: { epss: 0.25, epss_percentile: 0.96, epss_date: '2026-01-02', epss_model: 'v2025.03.14' },
        onlyKnown: true,
      },
    ])
  })
})
