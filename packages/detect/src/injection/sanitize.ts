import type { Scanner, ScanOptions, ScanResult } from './scanner.ts'
import type { Range } from './sentences.ts'
import { wholeSentences } from './sentences.ts'

export interface SanitizeOptions extends ScanOptions {
  /** `remove` puts `replacement` in the place of a suspicious span; `fence` keeps it, marked as quoted data. */
  readonly mode?: 'remove' | 'fence'
  readonly replacement?: string
}

export interface Sanitized {
  readonly text: string
  /** Removed or fenced parts: ranges of the original text, in text order. */
  readonly removed: readonly (Range & { readonly families: readonly string[]; readonly score: number })[]
  /** Of the whole text before anything was removed. */
  readonly before: ScanResult
  /** False when the rest still looks like an attack: do not use it. */
  readonly clean: boolean
}

const mostRounds = 12

/**
 * Takes the offending sentences out of an untrusted text and leaves the rest. It scans, removes the sentences around
 * the deciding places, and scans again until nothing is flagged, at most twelve times. `clean` is false when the text
 * as a whole still looks wrong.
 */
export function sanitizeWith(scanner: Scanner, text: string, options: SanitizeOptions = {}): Sanitized {
  const {
    mode = 'remove',
    replacement = '[removed: instructions in untrusted text]',
    channel = 'document',
    ...rest
  } = options
  const before = scanner.scan(text, { ...rest, channel })
  const removed: (Range & { families: readonly string[]; score: number })[] = []
  let current = before
  for (let round = 0; round < mostRounds && current.verdict !== 'allow'; round += 1) {
    const span = offending(text, current)
    if (span === undefined) break
    removed.push({ ...span, families: current.families, score: current.score })
    current = scanner.scan(blanked(text, removed), { ...rest, channel })
  }
  const spans = merged(removed)
  return {
    text: rewritten(text, spans, { mode, replacement }),
    removed: spans,
    before,
    clean: current.verdict === 'allow',
  }
}

/** The sentences around the surest finding that has a place of its own. */
function offending(text: string, { findings }: ScanResult): Range | undefined {
  const placed = findings.filter(({ start, end, rule }) => end > start && !rule?.startsWith('limit-'))
  const ruled = placed.filter(({ rule }) => rule !== 'model')
  const surest = [...(ruled.length > 0 ? ruled : placed)].sort((a, b) => b.score - a.score || a.start - b.start)[0]
  return surest === undefined ? undefined : wholeSentences(text, surest)
}

/** The text with removed spans overwritten by blanks, so that positions stay. */
function blanked(text: string, spans: readonly Range[]): string {
  return spans.reduce((left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end), text)
}

function merged<T extends Range>(spans: readonly T[]): T[] {
  const kept: T[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = kept[kept.length - 1]
    if (last !== undefined && span.start <= last.end)
      kept[kept.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else kept.push(span)
  }
  return kept
}

function rewritten(
  text: string,
  spans: readonly Range[],
  { mode, replacement }: { mode: 'remove' | 'fence'; replacement: string },
): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end } of spans) {
    const kept = text.slice(start, end).replaceAll('```', "'''")
    parts.push(text.slice(done, start), mode === 'remove' ? replacement : `\n\`\`\`untrusted\n${kept}\n\`\`\`\n`)
    done = end
  }
  return [...parts, text.slice(done)].join('')
}
