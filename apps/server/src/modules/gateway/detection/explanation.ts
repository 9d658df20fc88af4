import type { ExplainedText, Explanation } from '../schemas/explanation.ts'
import type { Finding } from './detectors.ts'
import type { ScannedText } from './looked-at.ts'

/** Maximum bytes of an explanation as JSON: a log row is about 1.2 kB, and a flood of findings must not multiply it. */
export const largestExplanation = 2048

/** Numbers of texts, and of rules per text, to show; the largest that fits is used. */
const sizes = [
  { texts: 4, rules: 8 },
  { texts: 4, rules: 4 },
  { texts: 3, rules: 2 },
  { texts: 2, rules: 1 },
  { texts: 1, rules: 1 },
  { texts: 1, rules: 0 },
] as const

/** Explains to a person why texts were flagged or blocked: rules and places, never words. Null if none was. */
export function explain(scanned: readonly ScannedText[]): Explanation | null {
  const suspect = scanned
    .filter(({ result }) => result.verdict !== 'allow')
    .sort((a, b) => b.result.score - a.result.score)
  const [worst] = suspect
  if (worst === undefined) return null
  for (const size of sizes) {
    const explanation = {
      pack: worst.result.pack.slice(0, 64),
      texts: suspect.slice(0, size.texts).map((text) => explainText(text, size.rules)),
      texts_total: suspect.length,
    }
    if (Buffer.byteLength(JSON.stringify(explanation)) <= largestExplanation) return explanation
  }
  return null
}

function explainText({ piece, result }: ScannedText, mostRules: number): ExplainedText {
  const strongest = [...result.findings].sort((a, b) => b.score - a.score)
  return {
    location: piece.location.slice(0, 256),
    provenance: piece.provenance,
    score: result.score,
    verdict: result.verdict === 'block' ? 'block' : 'flag',
    families: result.families.slice(0, 20).map((family) => family.slice(0, 64)),
    rules: strongest.slice(0, mostRules).map(explainRule),
    rules_total: strongest.length,
    truncated: result.truncated,
  }
}

function explainRule({ rule, type, score, start, end, via = [] }: Finding): ExplainedText['rules'][number] {
  return {
    id: (rule ?? type).slice(0, 128),
    family: type.slice(0, 64),
    score,
    start,
    end,
    via: via.slice(0, 8).map((step) => step.slice(0, 32)),
  }
}
