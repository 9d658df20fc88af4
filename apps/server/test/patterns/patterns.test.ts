import { beforeAll, describe, expect, test } from 'vitest'
import { held } from '../support/matrices.ts'
import { openWorld } from '../support/world.ts'
import { builtPatterns, literalPatterns, type Pattern, patternsIn, schemaPatterns } from './collect.ts'
import { type Node, parsePattern } from './parse.ts'
import { pumpsOf, textOf } from './pumps.ts'
import { search } from './steps.ts'

let patterns: readonly Pattern[] = []

beforeAll(async () => {
  const world = await openWorld({ own: true })
  const document: unknown = (await world.program.app.inject('/openapi.json')).json()
  await world.close()
  const every = [...literalPatterns(), ...(await builtPatterns()), ...schemaPatterns(document)]
  patterns = [...new Map(every.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()]
})

/** Characters; the longer text is four times the shorter one. */
const [short, long] = [80, 320]
/** Work in proportion grows four times, work by the square sixteen times. */
const growthLimit = 8
/** Below this there is nothing to tell apart. */
const little = 10_000
const mostSteps = 2_000_000
/** A bounded repeat is in proportion once its bound is passed, so bounds beyond the texts' length are brought nearer. */
const bound = 16

function nearer(node: Node): Node {
  if (node.kind === 'all') return { ...node, parts: node.parts.map(nearer) }
  if (node.kind === 'any') return { ...node, branches: node.branches.map(nearer) }
  if (node.kind === 'group' || node.kind === 'look') return { ...node, body: nearer(node.body) }
  if (node.kind !== 'repeat') return node
  const max = Number.isFinite(node.max) ? Math.min(node.max, bound) : node.max
  return { ...node, body: nearer(node.body), min: Math.min(node.min, bound), max }
}

/** Patterns that see short texts only, and why no longer one comes to them. */
const shortTexts: readonly (readonly [begins: string, why: string])[] = [
  ['(?<placeholder>', 'the guard of the cache reads no text over 4,000 characters, nor one with 200 and no space'],
]

/** The first text on which the work outgrows the text. */
function slowOn({ source, flags }: Pattern): string | null {
  const node = nearer(parsePattern(source, flags))
  for (const pump of pumpsOf(node, flags)) {
    const large = search(node, textOf(pump, long), { flags, most: mostSteps })
    if (large.steps < little) continue
    const small = search(node, textOf(pump, short), { flags, most: mostSteps })
    if (large.found === 'gave up' || large.steps > growthLimit * small.steps)
      return `${JSON.stringify(pump)}: ${small.steps} to ${large.steps} steps`
  }
  return null
}

describe('C24 the patterns of the product', () => {
  test('are found in the sources, in what is put together and in the OpenAPI document', () => {
    const from = (part: string): number => patterns.filter(({ where }) => where.includes(part)).length
    held('patterns of the product', patterns.length)
    expect(from('apps/server/src')).toBeGreaterThan(100)
    expect(from('packages/detect/src')).toBeGreaterThan(100)
    expect(from('packages/sdk/src')).toBeGreaterThan(0)
    expect(from('put together')).toBeGreaterThan(10)
    expect(from('#/')).toBeGreaterThan(20)
  })

  test('take work in proportion to the text that is worst for each', { timeout: 300_000 }, () => {
    const unknown = shortTexts.filter(([begins]) => !patterns.some(({ source }) => source.startsWith(begins)))
    expect(unknown).toEqual([])
    const slow = patterns.flatMap((pattern) => {
      if (shortTexts.some(([begins]) => pattern.source.startsWith(begins))) return []
      const on = slowOn(pattern)
      return on === null ? [] : [`/${pattern.source}/${pattern.flags} in ${pattern.where} on ${on}`]
    })
    expect(slow).toEqual([])
  })

  test('match the same when their steps are counted as in the engine', () => {
    const different = patterns.flatMap(({ source, flags }) => {
      const node = parsePattern(source, flags)
      return pumpsOf(node, flags).flatMap((pump) => {
        const text = textOf(pump, 30)
        const { found } = search(node, text, { flags, most: mostSteps })
        const match = new RegExp(source, flags.replaceAll('g', '')).exec(text)
        const wanted = match === null ? null : [match.index, match.index + match[0].length]
        return JSON.stringify(found) === JSON.stringify(wanted)
          ? []
          : [`/${source}/${flags} on ${JSON.stringify(text)}: ${found}, not ${wanted}`]
      })
    })
    expect(different.slice(0, 10)).toEqual([])
  })
})

describe('C24 the guard', () => {
  test.each([
    '(a+)+$',
    '(?:a|a)*b',
    '^(?:\\w+\\s?)+$',
    '\\s+$',
    '(x+x+)+y',
    '<!--.*-->',
    '^a*a*b',
    '(.*)\\1x',
    '[a-z]+@',
    '(?:a?){16}a{16}b',
    '"(?:[^"\\\\]|\\\\.)*"',
  ])('knows /%s/ as slow', (source) => {
    expect(slowOn({ source, flags: '', where: '' })).not.toBeNull()
  })

  test.each([
    '^[a-z0-9][a-z0-9-]{0,62}$',
    '^(?:[a-z]+\\.)*[a-z]+$',
    '[a-z]{1,20}@',
    '"(?:[^"\\\\]|\\\\.)*"?',
    '"[^"\\\\]*"',
    '^\\d+(?:,\\d+)*$',
  ])('knows /%s/ as fast', (source) => {
    expect(slowOn({ source, flags: '', where: '' })).toBeNull()
  })

  test('reads patterns out of a source text, and no divisions, comments or texts', () => {
    const text = [
      'const a = b / c / d; // not /this/',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source text.
      'const e = /x[/]y\\/z/gi.test(`${f(/in/u) + `${/deep/}`} /not/ ${1}`)',
      "return '/no/' + (g) / 2 /* /no/ */",
    ].join('\n')
    expect(patternsIn(text)).toEqual([
      { source: 'x[/]y\\/z', flags: 'gi' },
      { source: 'in', flags: 'u' },
      { source: 'deep', flags: '' },
    ])
  })
})
