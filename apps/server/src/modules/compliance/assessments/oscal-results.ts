/** OSCAL 1.2.1 assessment results and plans of action and milestones, of a snapshot. Tested in assessments.test.ts. */
import { type UuidParts, uuid4 } from '../oscal/uuid.ts'
import { metadataOf, tokenOf } from '../oscal/write.ts'
import type { Snapshot, SnapshotResult } from './snapshot.ts'

const ns = 'https://parapet.dev/ns/oscal'

const stateOf = ({ result }: SnapshotResult) =>
  result === 'satisfied'
    ? { state: 'satisfied', reason: 'pass' }
    : { state: 'not-satisfied', reason: result === 'not_satisfied' ? 'fail' : 'other' }

const isAssessed = ({ result }: SnapshotResult): boolean => result !== 'not_assessed' && result !== 'not_applicable'

export function oscalResults(kernel: UuidParts, snapshot: Snapshot): object {
  const { assessment, completed_at: at } = snapshot
  const assessed = snapshot.results.filter(isAssessed)
  const observed = assessed.map((one) => ({ one, uuid: uuid4(kernel) }))
  return {
    'assessment-results': {
      uuid: uuid4(kernel),
      metadata: metadataOf(assessment.name, '1', at),
      'import-ap': { href: `urn:uuid:${assessment.id}`, remarks: 'The scope of the assessment stands in its results.' },
      results: [
        {
          uuid: uuid4(kernel),
          title: assessment.name,
          description: snapshot.notice,
          start: assessment.period_start ?? at,
          end: at,
          'reviewed-controls': {
            'control-selections': [
              assessed.length === 0
                ? { 'include-all': {} }
                : { 'include-controls': assessed.map(({ ref }) => ({ 'control-id': tokenOf(ref) })) },
            ],
          },
          ...(observed.length === 0
            ? {}
            : {
                observations: observed.map((row) => observationOf(row, at)),
                findings: observed.map((row) => findingOf(kernel, row)),
              }),
        },
      ],
    },
  }
}

interface Observed {
  readonly one: SnapshotResult
  readonly uuid: string
}

function observationOf({ one, uuid }: Observed, at: string): object {
  const relevant = one.evidence.map(({ evidence_id: id, sha256 }) => ({
    href: `urn:uuid:${id}`,
    description: `Evidence with the SHA-256 ${sha256}`,
  }))
  return {
    uuid,
    description: one.note === null || one.note === '' ? `${one.ref}: ${one.result}` : one.note,
    methods: [one.source === 'check' ? 'TEST' : 'EXAMINE'],
    collected: at,
    ...(relevant.length === 0 ? {} : { 'relevant-evidence': relevant }),
  }
}

function findingOf(kernel: UuidParts, { one, uuid }: Observed): object {
  const id = tokenOf(one.ref)
  return {
    uuid: uuid4(kernel),
    title: `${one.ref} ${one.title}`,
    description: one.result,
    target: {
      type: 'objective-id',
      'target-id': id,
      status: stateOf(one),
      props: [
        { name: 'result', ns, value: one.result },
        ...(one.share === null ? [] : [{ name: 'share', ns, value: String(one.share) }]),
        ...(one.grading === null ? [] : [{ name: 'grading', ns, value: one.grading }]),
      ],
    },
    'related-observations': [{ 'observation-uuid': uuid }],
  }
}

/** One item for each control that is not satisfied. */
export function oscalPoam(kernel: UuidParts, snapshot: Snapshot): object {
  const gaps = snapshot.results.filter(({ result }) => result !== 'satisfied' && result !== 'not_applicable')
  const items = gaps.map((one) => ({
    uuid: uuid4(kernel),
    title: `${one.ref} ${one.title}`,
    description: one.note === null || one.note === '' ? `The result is ${one.result}.` : one.note,
    props: [
      { name: 'control-id', ns, value: tokenOf(one.ref) },
      { name: 'result', ns, value: one.result },
      { name: 'weight', ns, value: String(one.weight) },
    ],
  }))
  const none = { uuid: uuid4(kernel), title: 'No open item', description: 'Every applicable control is satisfied.' }
  return {
    'plan-of-action-and-milestones': {
      uuid: uuid4(kernel),
      metadata: metadataOf(`Plan of action: ${snapshot.assessment.name}`, '1', snapshot.completed_at),
      'system-id': { 'identifier-type': 'https://ietf.org/rfc/rfc4122', id: snapshot.tenant_id },
      'poam-items': items.length === 0 ? [none] : items,
    },
  }
}
