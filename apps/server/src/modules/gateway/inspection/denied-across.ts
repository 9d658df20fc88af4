/**
 * Denied content of a policy that spans the border of two texts that a model reads as one, such as the parts of a
 * message. It cannot be replaced there, so content that would be redacted is refused instead. The work is proportional
 * to the number of borders. Tested in denied-redaction.test.ts.
 */
import type { CanonicalCall } from '../call/call.ts'
import { type JoinedRun, joinedRuns, textRuns } from '../call/texts/text-runs.ts'
import type { PatternFinder } from '../detection/finders.ts'
import { type TextRule, viewsOf } from '../policy/compile.ts'

/** Characters on each side of a border. */
const leastAround = 512

/** Inspected text: pieces of the joined texts around their borders. */
export function runsAcross(call: CanonicalCall, rules: readonly TextRule[]): readonly JoinedRun[] {
  if (rules.length === 0) return []
  const around = Math.max(leastAround, ...rules.map(({ reach }) => reach))
  return textRuns(call).flatMap((run) => joinedRuns(run, around))
}

export interface DeniedAcross {
  readonly rule: TextRule
  /** Location of the text in which the match begins. */
  readonly location: string
}

/** Each rule once for each text in which a match begins that continues in the next text. */
export function deniedAcross(
  runs: readonly JoinedRun[],
  rules: readonly TextRule[],
  find: PatternFinder,
): readonly DeniedAcross[] {
  const found = new Map<string, DeniedAcross>()
  for (const joined of runs)
    for (const { start, text } of joined.windows) {
      const views = viewsOf(text)
      for (const rule of rules)
        for (const span of rule.find(views, find)) {
          const location = crossedAt(joined, start + span.start, start + span.end)
          if (location !== null) found.set(`${rule.id} ${location}`, { rule, location })
        }
    }
  return [...found.values()]
}

/** Location of the text in which the span begins; null for a span within one text. */
function crossedAt({ run, starts, glue }: JoinedRun, from: number, to: number): string | null {
  const border = starts.findIndex((start, index) => index > 0 && from < start - glue.length && to > start)
  return border < 0 ? null : (run[border - 1]?.location ?? null)
}
