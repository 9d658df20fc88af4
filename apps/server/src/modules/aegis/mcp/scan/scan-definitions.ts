/**
 * Looks for poison in definitions of tools: in every text of each by itself, and in all of them joined together, because a
 * payload split over several tools passes a scan of each. Pure apart from the detector it is given. Tested in
 * scan.test.ts on a corpus of its own, of which half was never looked at while the rules were written.
 */
import type { Detector } from '@parapet/detect'
import type { Finding } from '../declared/finding-schema.ts'
import type { Definition } from '../pins/pin.ts'
import { joinedFindings } from './joined.ts'
import { ownRules } from './own-rules.ts'
import { gather, type Hit, noisyOr } from './score.ts'
import { isDisguised } from './skeleton.ts'
import { type PlacedText, textsOf } from './strings.ts'

export interface ScannedDefinition {
  readonly name: string
  /** 0..1: `1 − Π(1 − s)` over the surest finding of each family. */
  readonly score: number
  readonly findings: Finding[]
}

export interface DefinitionsScan {
  readonly tools: readonly ScannedDefinition[]
  /** Of texts joined over tools, and of the server's own. */
  readonly joined: Finding[]
  /** 0..1, of everything together: the worst. */
  readonly score: number
}

export interface ScanInput {
  readonly definitions: readonly Definition[]
  /** The server's instructions; null where it has none. */
  readonly instructions: string | null
}

type Detecting = Pick<Detector, 'scanPrompt'>

export function scanDefinitions(detector: Detecting, { definitions, instructions }: ScanInput): DefinitionsScan {
  const tools = definitions.map((definition) => scanDefinition(detector, definition))
  const own =
    instructions === null ? [] : gather('', hitsOf(detector, { pointer: '/instructions', text: instructions }))
  const known = tools.flatMap(({ findings }) => findings)
  const joined = [...own, ...joinedFindings((text) => hitsOf(detector, text), { definitions, known })]
  const score = Math.max(0, noisyOr(joined), ...tools.map((tool) => tool.score))
  return { tools, joined, score: rounded(score) }
}

export function scanDefinition(detector: Detecting, definition: Definition): ScannedDefinition {
  const name = typeof definition.name === 'string' ? definition.name : ''
  const { texts, truncated } = textsOf(definition)
  const hits = texts.flatMap((text) => hitsOf(detector, text))
  if (truncated) hits.push({ family: 'context-flooding', score: 0.6, pointer: '', excerpt: '' })
  if (isDisguised(name)) hits.push({ family: 'homoglyph-name', score: 0.9, pointer: '/name', excerpt: name })
  for (const { pointer, name: member } of memberNames(definition))
    if (isDisguised(member)) hits.push({ family: 'homoglyph-name', score: 0.8, pointer, excerpt: member })
  const findings = gather(name, hits)
  return { name, score: rounded(noisyOr(findings)), findings }
}

/** Shorter texts are names and words, which hold no instruction. */
const leastText = 12
/** Shorter ones are labels, of which the detector knows too little to judge. */
const leastSentence = 24
/** Weight of a finding of the detection package, which knows definitions less than a rule made for them does. */
const believed = 0.8
const leastDetected = 0.85

/** Findings of one text. Invisible characters count whatever the scorer says. */
export function hitsOf(detector: Detecting, { pointer, text }: PlacedText): Hit[] {
  if (text.length < leastText) return []
  const own = ownRules.flatMap(({ family, weight, pattern }): Hit[] => {
    const found = pattern.exec(text)
    return found === null ? [] : [{ family, score: weight, pointer, excerpt: around(text, found.index) }]
  })
  if (text.length < leastSentence) return own
  const { score, findings } = detector.scanPrompt(text, { channel: 'tool_description' })
  const strong = findings.filter((finding) => score >= leastDetected || alwaysCounts.has(finding.type))
  const detected = strong.map(
    (finding): Hit => ({
      family: finding.type,
      score: alwaysCounts.has(finding.type)
        ? Math.max(0.6, finding.score * believed)
        : Math.min(finding.score, score) * believed,
      pointer,
      excerpt: around(text, finding.start),
    }),
  )
  return [...own, ...detected]
}

const alwaysCounts: ReadonlySet<string> = new Set(['invisible-text', 'encoding-overflow'])

const around = (text: string, at: number): string => text.slice(Math.max(0, at - 20), at + 160)
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000

function memberNames(definition: Definition): { readonly pointer: string; readonly name: string }[] {
  const schema = definition.inputSchema
  const properties = typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : null
  if (typeof properties !== 'object' || properties === null) return []
  return Object.keys(properties)
    .slice(0, 500)
    .map((name) => ({ pointer: '/inputSchema/properties', name }))
}
