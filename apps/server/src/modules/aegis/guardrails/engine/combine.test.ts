import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardrailActions } from '../declared/words.ts'
import { applyChanges } from './apply.ts'
import { combine, type Matched } from './combine.ts'

let made = 0
function hit(over: Partial<Matched> = {}): Matched {
  made += 1
  return {
    ...{
      guardrailId: `g${String(made).padStart(4, '0')}`,
      name: `rail ${made}`,
      kind: 'tool',
      version: 1,
      action: 'deny',
    },
    ...{ mode: 'enforce', enforced: true, failed: false, reason: `reason ${made}`, tags: [], config: {}, spans: [] },
    ...over,
  }
}

test.each<[string, readonly Partial<Matched>[], string]>([
  ['nothing', [], 'none'],
  ['what is only watched', [{ enforced: false }], 'none'],
  ['the action monitor', [{ action: 'monitor' }], 'none'],
  ['allow', [{ action: 'allow' }], 'allow'],
  ['a change beside allow', [{ action: 'allow' }, { action: 'redact' }], 'modify'],
  ['a hold beside a change', [{ action: 'transform' }, { action: 'hold' }], 'hold'],
  ['the end of the session beside a hold', [{ action: 'hold' }, { action: 'kill_session' }], 'kill_session'],
  [
    'quarantine beside the end of the session',
    [{ action: 'kill_session' }, { action: 'quarantine_agent' }],
    'quarantine_agent',
  ],
  ['deny beside everything', guardrailActions.map((action) => ({ action })), 'deny'],
])('the strictest counts: %s', (_name, hits, decision) => {
  expect(combine(hits.map(hit)).decision).toBe(decision)
})

test('a denial leaves the effects on agent and session as they are', () => {
  const combined = combine([
    hit(),
    hit({ action: 'quarantine_agent' }),
    hit({ action: 'kill_session', enforced: false }),
  ])
  expect(combined).toMatchObject({ decision: 'deny', quarantinesAgent: true, killsSession: false })
})

const configs: readonly Matched['config'][] = [
  {},
  { pointer: '/a', value: 1 },
  { pointer: '/a', value: 2 },
  { hold: { approver_roles: ['x', 'y'], min_approvers: 2 } },
  { hold: { approver_roles: ['z'], timeout_seconds: 60 } },
]
const spans: readonly Matched['spans'][] = [
  [],
  [{ location: '/to', start: 0, end: 2 }],
  [{ location: '/to', start: 1, end: 3 }],
]

const anyHit = fc.record({
  guardrailId: fc.constantFrom('g1', 'g2', 'g3', 'g4', 'g5', 'g6'),
  action: fc.constantFrom(...guardrailActions),
  enforced: fc.boolean(),
  config: fc.constantFrom(...configs),
  spans: fc.constantFrom(...spans),
})

test('the decision, its terms and the changed arguments do not depend on the order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyHit, { maxLength: 6, selector: ({ guardrailId }) => guardrailId }),
      fc.nat(),
      (given, seed) => {
        const hits = given.map((one) => hit({ ...one, name: one.guardrailId, reason: one.guardrailId }))
        const shuffled = hits.toSorted(
          (a, b) => ((Number(a.guardrailId[1]) * seed) % 7) - ((Number(b.guardrailId[1]) * seed) % 7),
        )
        const [one, other] = [combine(hits), combine(shuffled)]
        expect(other).toEqual(one)
        const args = { a: 0, to: 'abcdef' }
        expect(applyChanges(args, other)).toEqual(applyChanges(args, one))
      },
    ),
  )
})

test('holds are met by the strictest terms of all, and one that nobody could meet is a denial', () => {
  const holds = (...roles: string[][]) =>
    combine(
      roles.map((approver_roles, n) =>
        hit({ action: 'hold', config: { hold: { approver_roles, min_approvers: n + 1, timeout_seconds: 600 - n } } }),
      ),
    )
  expect(holds(['a', 'b'], ['b', 'c']).hold).toMatchObject({
    approverRoles: ['b'],
    minApprovers: 2,
    timeoutSeconds: 599,
  })
  expect(holds([], ['c']).hold).toMatchObject({ approverRoles: ['c'] })
  expect(holds(['a'], ['b'])).toMatchObject({ decision: 'deny', hold: null })
})

test('arguments are changed where they are, and stay as they were given', () => {
  const args = { to: 'mail anna@example.com now', list: [{ n: 1 }], 'a/b': 1 }
  const combined = combine([
    hit({ action: 'redact', name: 'pii', spans: [{ location: '/to', start: 5, end: 21 }] }),
    hit({ action: 'transform', config: { pointer: '/list/0/n', value: 0 } }),
    hit({ action: 'transform', config: { pointer: '/a~1b', value: null } }),
    hit({ action: 'transform', config: { pointer: '/absent', value: 1 } }),
  ])
  expect(applyChanges(args, combined)).toEqual({ to: 'mail [removed: pii] now', list: [{ n: 0 }], 'a/b': null })
  expect(args.list).toEqual([{ n: 1 }])
})
