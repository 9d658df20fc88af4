import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { daysAgo, NOW, scoreInput, scoreInputs, sha256 } from './score.arbitraries.ts'
import { type Snapshot, takeSnapshot, verifySnapshot } from './snapshot.ts'

const signals = [
  { id: 'mcp_posture', observed_at: daysAgo(3), good: 7, n: 9, source_ref: '/aegis/mcp-servers' },
  { id: 'anomaly_pressure', observed_at: NOW, events: [{ id: 'e', severity: 'high' as const, at: daysAgo(2) }] },
]
const snapshot = () => takeSnapshot(scoreInput({ signals }), sha256)

test('a snapshot can be recomputed from what a database stored of it', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const stored: Snapshot = JSON.parse(JSON.stringify(takeSnapshot(input, sha256)))
      expect(verifySnapshot(stored, sha256)).toMatchObject({ equal: true, inputs_sha256: stored.inputs_sha256 })
    }),
    // PARAPET_TEST_RUNS=10000 is the long run of the same test.
    { numRuns: Number(process.env.PARAPET_TEST_RUNS ?? 200) },
  )
})

test('the same evidence in another order has the same hash', () => {
  fc.assert(
    fc.property(scoreInputs, (input) => {
      const signals = input.signals.toReversed().map((signal) => {
        return signal.events === undefined ? signal : { ...signal, events: signal.events.toReversed() }
      })
      const turned = { ...input, signals, caps: input.caps.toReversed() }
      expect(takeSnapshot(turned, sha256)).toEqual(takeSnapshot(input, sha256))
    }),
  )
})

test('changed inputs are noticed, even when the score stays the same', () => {
  const taken = snapshot()
  const inputs = { ...taken.inputs, caps: [{ id: 'kill_switch_active', active: false }] }
  const verification = verifySnapshot({ ...taken, inputs }, sha256)
  expect(verification.recomputed).toEqual(taken.result)
  expect(verification.equal).toBe(false)
})

test('a changed result is noticed', () => {
  const taken = snapshot()
  const forged = { ...taken, result: { ...taken.result, composite_score: 99, grade: 'A+' as const } }
  expect(verifySnapshot(forged, sha256).equal).toBe(false)
})

test('a snapshot that names another version than that of its configuration is noticed', () => {
  expect(verifySnapshot({ ...snapshot(), config_version: 2 }, sha256).equal).toBe(false)
})

test('the hash is that of the canonical JSON of algorithm and inputs', () => {
  const { algorithm, inputs, inputs_sha256 } = snapshot()
  expect(algorithm).toBe('trust-1')
  expect(inputs_sha256).toBe(sha256(canonicalJson({ inputs, algorithm })))
})

test('an algorithm this code does not know is refused, not guessed', () => {
  expect(() => verifySnapshot({ ...snapshot(), algorithm: 'trust-0' }, sha256)).toThrow(/trust-0/)
  expect(() => verifySnapshot({ ...snapshot(), algorithm: 'toString' }, sha256)).toThrow(RangeError)
})

// Numbers of the example in RFC 8785, section 3.2.2, less the one that a double cannot hold as written.
test('canonical JSON sorts keys and writes numbers one way', () => {
  expect(canonicalJson({ b: [1e30, 4.5, 2e-3, 1e-27], a: null })).toBe('{"a":null,"b":[1e+30,4.5,0.002,1e-27]}')
})

// Fixed by this test: another machine, engine or release that scores it differently breaks stored snapshots.
test('a known snapshot keeps its numbers', () => {
  const { result, inputs_sha256 } = snapshot()
  expect({
    composite: result.composite_score,
    confidence: result.confidence,
    interval: result.interval,
    inputs_sha256,
  }).toMatchInlineSnapshot(`
    {
      "composite": 52.07,
      "confidence": 0.0632,
      "inputs_sha256": "6ad734e55f52d591e54e338b3f2ccb0e3748f459fa13fa20ed06fa601b929ef5",
      "interval": {
        "high": 98.18,
        "low": 5.97,
      },
    }
  `)
})
