/**
 * Searches published manuals for the harmless passages that look most like attacks to the model as it is, and writes them
 * to train/texts/mined.jsonl with others taken at random: `tsx scripts/mine-texts.ts --packages <folder of .deb and .tgz>`.
 * Run by hand when the model has changed much; which packages train/texts/README.md says. Training only reads the file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createScratch } from '../src/injection/model/prefix-sums.ts'
import { readShippedModel } from '../src/injection/model/shipped.ts'
import { scoringHeads } from '../src/injection/model/weights.ts'
import { scoreText } from '../src/injection/model/windows.ts'
import { allRules } from '../src/injection/packs/packs.ts'
import { createRuleEngine } from '../src/injection/rules/engine.ts'
import { normalize } from '../src/text/normalize/normalize.ts'
import { createRandom } from '../train/rows/random.ts'
import { packageTexts } from './package-texts.ts'

interface Passage {
  /** Name and version of the package. */
  readonly from: string
  readonly text: string
  readonly logit: number
  /** The most suspect part, to leave out passages that repeat it. */
  readonly worst: string
}

const most = { hard: 2_000, hardPerPackage: 24, random: 500 }
const file = 'train/texts/mined.jsonl'
const shortest = 300
const longest = 900

const scratch = createScratch()
const heads = scoringHeads(readShippedModel().heads)
const rules = createRuleEngine(allRules)

const { values: options } = parseArgs({ options: { packages: { type: 'string' } } })

/** Paragraphs put together to passages. */
function passages(text: string): string[] {
  const cut: string[] = []
  let passage = ''
  for (const paragraph of text.split(/\n\s*\n/)) {
    const kept = paragraph.trim().slice(0, longest)
    if (kept === '') continue
    passage = passage === '' ? kept : `${passage}\n\n${kept}`
    if (passage.length < shortest) continue
    cut.push(passage.slice(0, longest + shortest))
    passage = ''
  }
  return cut
}

function judge(from: string, text: string): Passage | undefined {
  const normalized = normalize(text).text
  // A text that quotes an attack is no example of harmless words.
  if (rules.match(normalized, 'document').hits.some(({ weight }) => weight >= 0.5)) return undefined
  const { start, end, heads: logits } = scoreText(normalized, heads, scratch).sentence
  return { from, text, logit: logits[0] ?? 0, worst: normalized.slice(start, end).replace(/\W+/g, ' ') }
}

function mine(folder: string): Passage[] {
  return [...packageTexts(folder)].flatMap(({ from, texts }) =>
    choose(texts.flatMap((text) => passages(text).flatMap((one) => judge(from, one) ?? []))),
  )
}

/** The hardest of a package, more from a large one, and as many at random. */
function choose(found: readonly Passage[]): Passage[] {
  const random = createRandom(20261122)
  const seen = new Set<string>()
  const hard = [...found]
    .sort((a, b) => b.logit - a.logit)
    .filter(({ worst }) => !seen.has(worst) && seen.add(worst))
    .slice(0, Math.min(most.hardPerPackage * 8, Math.max(most.hardPerPackage, found.length / 25)))
  return [...new Set([...hard, ...random.sample(found, Math.min(found.length, Math.ceil(found.length / 200)))])]
}

function write(found: readonly Passage[]): void {
  const random = createRandom(20261123)
  const hard = [...found].sort((a, b) => b.logit - a.logit).slice(0, most.hard)
  const others = random.sample(
    found.filter((one) => !hard.includes(one)),
    most.random,
  )
  const row =
    (source: string) =>
    ({ from, text }: Passage): string => {
      const group = /_/.test(from) ? 'reference' : 'readme'
      return JSON.stringify({ source: `${source}-${group}`, lang: 'en', from, text })
    }
  const known = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const rows = new Set([...known, ...hard.map(row('hard')), ...others.map(row('plain'))].filter((line) => line !== ''))
  writeFileSync(file, `${[...rows].join('\n')}\n`)
  process.stderr.write(`${hard.length} hard ones from logit ${hard[hard.length - 1]?.logit}, ${others.length} others\n`)
}

if (options.packages === undefined) {
  process.stderr.write('usage: tsx scripts/mine-texts.ts --packages <folder>\n')
  process.exitCode = 2
} else write(mine(options.packages))
