/**
 * Asks guards about a call or an answer. All are asked at the same time, each reads only the parts it declares, and a
 * guard that throws, is late or names a nonexistent span counts as failed. Tested in ask.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import type { Guard, GuardedCall, GuardText, Verdict } from '../ports/call-guards.ts'

/** Result of one guard; a failure is not a verdict. */
export type Judged = { readonly guard: string } & (
  | { readonly verdicts: readonly Verdict[] }
  | { readonly failure: unknown }
)

interface Question<Parts> {
  readonly call: GuardedCall
  /** Built when a guard reads them. */
  readonly parts: Parts
  readonly clock: Pick<Clock, 'after'>
}

interface WithTexts {
  readonly texts: readonly GuardText[]
}

/** The guards that judge the call, in the order of their names. */
export function judging<Parts>(guards: readonly Guard<Parts>[], call: GuardedCall): readonly Guard<Parts>[] {
  return guards.filter((guard) => guard.judges(call)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** @returns the result of each, in the order of the guards */
export function askAll<Parts extends WithTexts>(
  guards: readonly Guard<Parts>[],
  question: Question<Parts>,
): Promise<readonly Judged[]> {
  return Promise.all(guards.map((guard) => askOne(guard, question)))
}

async function askOne<Parts extends WithTexts>(
  guard: Guard<Parts>,
  { call, parts, clock }: Question<Parts>,
): Promise<Judged> {
  const part = <K extends keyof Parts>(name: K): Parts[K] => {
    if (guard.needs.includes(name)) return parts[name]
    throw new TypeError(`${guard.name} reads ${String(name)}, which it does not declare`)
  }
  try {
    const verdicts = await withinLimit(guard, clock, async () => guard.judge(call, part))
    checkSpans(guard.name, verdicts, parts)
    return { guard: guard.name, verdicts }
  } catch (failure) {
    call.signal.throwIfAborted()
    return { guard: guard.name, failure }
  }
}

function withinLimit<T>(
  { name, limitMs }: { readonly name: string; readonly limitMs: number },
  clock: Pick<Clock, 'after'>,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => reject(new Error(`${name} took longer than ${limitMs} ms`)))
    work()
      .then(resolve, reject)
      .finally(() => timer.stop())
  })
}

/** @throws RangeError for a span outside its text */
function checkSpans(guard: string, verdicts: readonly Verdict[], parts: WithTexts): void {
  const redactions = verdicts.flatMap((verdict) => verdict.redactions ?? [])
  if (redactions.length === 0) return
  const lengths = new Map(parts.texts.map(({ location, text }) => [location, text.length]))
  for (const { location, start, end } of redactions) {
    const isSpan = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end
    if (!isSpan || end > (lengths.get(location) ?? -1))
      throw new RangeError(`${guard} redacts ${start}–${end} of ${location}, where there is no such text`)
  }
}
