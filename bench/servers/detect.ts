/** Detectors in one process, measured in turns so that a busy machine is busy for all of them. */
import { readFileSync } from 'node:fs'
import { createDetector, createVault, redact, restore } from '../../packages/detect/src/index.ts'
import { adversaries } from '../../packages/detect/test/adversarial.ts'
import { answerUsage } from '../usage.mjs'

const detector = createDetector()
const detectors: Readonly<Record<string, (text: string) => unknown>> = {
  injection: (text) => detector.scanPrompt(text),
  pii: (text) => detector.findPii(text),
  secrets: (text) => detector.findSecrets(text),
  output: (text) => detector.inspectOutput(text),
}
const together = (text: string): unknown => [
  detector.scanPrompt(text),
  detector.findPii(text),
  detector.findSecrets(text),
]
// Sanitizing is at most 13 scans and is not measured apart.
const inWorstCase: Readonly<Record<string, (text: string) => unknown>> = {
  ...detectors,
  'redact and restore': (text) => {
    const vault = createVault()
    return restore(redact(text, [...detector.findPii(text), ...detector.findSecrets(text)], vault).text, vault)
  },
}

// English prose in the public domain: two long texts, cut at another place every time.
const prose = ['moby-dick', 'state-of-the-union']
  .map((name) => readFileSync(`packages/detect/train/texts/${name}.txt`, 'utf8'))
  .join('\n')

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const sizes: Readonly<Record<string, { readonly characters: number; readonly times: number }>> = {
  '2 kB': { characters: 2_000, times: 40 },
  '10 kB': { characters: 10_000, times: 12 },
  '100 kB': { characters: 100_000, times: 3 },
}

function millisecondsOf(run: () => unknown): number {
  const began = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - began) / 1e6
}

const ordinary: Record<string, number[]> = {}
for (let round = -2; round < rounds; round += 1) {
  for (const [name, run] of Object.entries({ ...detectors, together })) {
    for (const [size, { characters, times }] of Object.entries(sizes)) {
      for (let time = 0; time < times; time += 1) {
        const start = ((time + 1) * 7_919 * (round + 3)) % (prose.length - characters)
        const text = prose.slice(start, start + characters)
        const took = millisecondsOf(() => run(text))
        // The first rounds warm the compiler and are not counted.
        if (round < 0) continue
        const key = `${name} of ${size}`
        ordinary[key] ??= []
        ordinary[key].push(took)
      }
    }
  }
}

const worst: Record<string, Record<string, number>> = {}
for (const { name: adversary, text } of adversaries) {
  const long = text(1_000_000)
  for (const [name, run] of Object.entries(inWorstCase)) {
    run(text(10_000))
    worst[name] ??= {}
    const first = millisecondsOf(() => run(long))
    // Only what takes long is worth a second look.
    worst[name][adversary] =
      first < 200
        ? first
        : Math.min(
            first,
            millisecondsOf(() => run(long)),
          )
  }
}
answerUsage({ ordinary, worst, adversaries: adversaries.length })
