import { channelOfKind } from '../eval/channel-of-kind.ts'
import type { Channel } from '../src/base/finding.ts'
import type { Range } from '../src/injection/sentences.ts'
import { fnv1a } from '../src/text/bytes/fnv.ts'
import { normalize } from '../src/text/normalize/normalize.ts'
import { textViews, type Views } from '../src/text/views.ts'
import { featuresOf } from './instances.ts'
import { labelsOf } from './labels.ts'
import type { Example } from './linear.ts'
import { isWritten, type Row } from './rows/row.ts'

export interface Prepared {
  readonly row: Row
  readonly views: Views
  readonly example: Example
}

/** Longest part of a text that is learned from; what follows is more of the same. */
const longest = 16_000

/** Reads a row as the scanner will and collects its features. */
export function prepare(row: Row): Prepared {
  const views = textViews(row.text.slice(0, longest))
  const learned = row.kind.startsWith('obfuscated') ? views.views : views.views.filter(({ kind }) => kind !== 'leet')
  return {
    row,
    views,
    example: {
      views: learned.map((view) => featuresOf(view.text)),
      labels: labelsOf(row),
      weight: weightOf(row),
      quotes: row.kind === 'hard-negative',
      ...(row.kind.startsWith('indirect') && { planted: plantOf(row) }),
    },
  }
}

/** The planted range in normalized text, which may be a little shorter than the text as written. */
function plantOf({ text, planted }: Row): 'somewhere' | Range {
  if (planted === undefined) return 'somewhere'
  const [start, end] = planted.map((position) => normalize(text.slice(0, position)).text.length)
  return { start: start ?? 0, end: end ?? 0 }
}

// One author's templates fill a third of the attacks; at full weight they would set the tone. No two written texts are alike.
function weightOf({ source, label }: Row): number {
  if (source === 'synthetic-injection') return label === 1 ? 0.5 : 0.7
  return isWritten(source) ? 2 : 1
}

/**
 * Channel a row would have come through. People paste documents into their prompts as often as tools fetch them, so
 * documents and attacks inside them are spread over both; a plain task is only out of place where nobody asks.
 */
export function channelOf({ kind, text }: Row): Channel {
  if (kind === 'indirect-task') return 'document'
  return channelOfKind(kind) === 'document' && fnv1a(text) % 2 === 0 ? 'document' : 'user'
}
