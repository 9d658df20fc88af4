import { beforeAll, expect, test } from 'vitest'
import type { Detector } from '../src/index.ts'
import { createDetector, createInspectStream, createRedactStream, createVault, redact, restore } from '../src/index.ts'
import { readShippedModel } from '../src/injection/model/shipped.ts'
import { allRules } from '../src/injection/packs/packs.ts'
import { sanitizeWith } from '../src/injection/sanitize.ts'
import { createScanner, type Scanner } from '../src/injection/scanner.ts'
import { adversaries } from './adversarial.ts'

let detector: Detector
let scanner: Scanner
let scans = 0

beforeAll(() => {
  detector = createDetector()
  const plain = createScanner(readShippedModel(), allRules)
  scanner = {
    ...plain,
    scan: (text, options) => {
      scans += 1
      return plain.scan(text, options)
    },
  }
})

type Task = (text: string) => unknown

/** In pieces as a model writes them. */
function inPieces(text: string, stream: { push(piece: string): unknown; end(): unknown }): void {
  for (let at = 0; at < text.length; at += 40) stream.push(text.slice(at, at + 40))
  stream.end()
}

const tasks: Readonly<Record<string, Task>> = {
  scanPrompt: (text) => detector.scanPrompt(text),
  findPii: (text) => detector.findPii(text),
  findSecrets: (text) => detector.findSecrets(text),
  inspectOutput: (text) => detector.inspectOutput(text),
  'redact and restore': (text) => {
    const vault = createVault()
    return restore(redact(text, [...detector.findPii(text), ...detector.findSecrets(text)], vault).text, vault)
  },
  'a stream of redacted text': (text) => inPieces(text, createRedactStream()),
  'a stream without names and addresses': (text) =>
    inPieces(
      text,
      createInspectStream({ detectors: ['pii', 'secret'], types: ['EMAIL', 'PHONE'], onMatch: () => 'redact' }),
    ),
}

// Quadratic work grows 8 times a character from the shorter text to the longer, and 3 times with 150 ms to spare is more
// than a busy machine adds. A pair that seems quadratic is confirmed with the second pair: a stream holds a good
// part of 12,500 characters back and looks at them once, so that its shorter text costs less than its share. Sizes up to
// 1 MB are measured by bench/detect.mjs.
const pairs = [
  { short: 12_500, long: 100_000 },
  { short: 100_000, long: 800_000 },
] as const
const growthLimit = 3
const noise = 150
const attempts = 3

/** Milliseconds of this process's CPU: waiting for other processes is not in it. */
function spent(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

type Cost = (text: string) => number

/** Whether time stays in proportion; further looks are taken only at what seems not to. */
const isLinear = (cost: Cost, text: (length: number) => string): boolean =>
  pairs.some(({ short, long }) => growsWithLength(cost, { small: text(short), large: text(long), times: long / short }))

function growsWithLength(
  cost: Cost,
  { small, large, times }: { small: string; large: string; times: number },
): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    most = Math.min(most, cost(large))
    if (most <= noise) return true
    least = Math.min(least, cost(small))
    if (most <= growthLimit * times * least) return true
  }
  return false
}

const costOf =
  (run: Task): Cost =>
  (text) =>
    spent(() => run(text))

/** Continuous integration takes every other text, and the others with another commit. */
const round = process.env.PARAPET_TEST_ROUND
const dealt = adversaries.filter((_, index) => round === undefined || index % 2 === Number(round))

const slowWith = (cost: Cost): string[] => dealt.filter(({ text }) => !isLinear(cost, text)).map(({ name }) => name)

for (const [name, run] of Object.entries(tasks)) {
  test(`C24 ${name} takes time in proportion to the length of every adversarial text`, { timeout: 300_000 }, () => {
    expect(slowWith(costOf(run))).toEqual([])
  })
}

test('each scan of sanitize takes time in proportion to the length, and there are at most 13', {
  timeout: 300_000,
}, () => {
  const perScan = (text: string): number => {
    scans = 0
    const all = spent(() => sanitizeWith(scanner, text))
    expect(scans).toBeLessThanOrEqual(13)
    return all / scans
  }
  expect(slowWith(perScan)).toEqual([])
})

test('the guard tells quadratic work from linear work', () => {
  const text = (length: number): string => 'a'.repeat(length)
  const share = (length: number): number => length / 100_000
  // Milliseconds that such work would take: 1 s for 100,000 characters in each case.
  expect(isLinear(({ length }) => 1000 * share(length), text)).toBe(true)
  expect(isLinear(({ length }) => 1000 * share(length) ** 1.2, text)).toBe(true)
  expect(isLinear(({ length }) => 1000 * share(Math.max(0, length - 10_000)), text)).toBe(true)
  expect(isLinear(({ length }) => 1000 * share(length) ** 2, text)).toBe(false)
})
