import type { Finding } from '../../base/finding.ts'
import { type Budget, isSpent, spend } from '../../text/view/budget.ts'
import { cost } from '../base/effort.ts'
import { type Left, leftOf } from './context.ts'
import { role } from './lexicon.ts'
import { scoreOf } from './score.ts'
import {
  Capitals,
  isCasedLetter,
  isUpperCase,
  longestRun,
  nextCapital,
  nextStart,
  runFrom,
  type Token,
  wordEnd,
} from './tokens.ts'

/** Below this a candidate is not worth reporting to anybody. */
export const reportable = 0.3

/** Names in scripts with capitals (Latin, Cyrillic, Greek, Armenian) that begin at or after `from`. */
export function collectCased(text: string, sink: Sink): void {
  const capitals = new Capitals(text)
  for (let at = nextCapital(text, runStartBefore(text, sink.from)); at < text.length; at = nextCapital(text, at)) {
    if (isCasedLetter(text.charCodeAt(at - 1))) {
      at += 1
      continue
    }
    if (isSpent(sink.effort)) return
    at = collectRun(capitals, at, sink)
  }
}

/** A place before `from` where no run can be under way, or the farthest look-behind. */
function runStartBefore(text: string, from: number): number {
  const floor = Math.max(0, from - longestRun - 4)
  let at = from
  while (at > floor) {
    const code = text.charCodeAt(at - 1)
    if (
      !isCasedLetter(code) &&
      code !== 32 &&
      code !== 0xa0 &&
      code !== 46 &&
      code !== 39 &&
      code !== 0x2019 &&
      code !== 45
    )
      break
    at -= 1
  }
  if (at === floor) while (at < from && isCasedLetter(text.charCodeAt(at - 1))) at += 1
  return at
}

/** Where names go, and the work that may be done for them. */
export interface Sink {
  readonly from: number
  readonly found: Finding[]
  readonly effort: Budget
}

function collectRun(capitals: Capitals, at: number, { from, found, effort }: Sink): number {
  const { text } = capitals
  const first = capitals.at(at)
  if (!first) return Math.max(at + 1, wordEnd(text, at))
  const run = runFrom(capitals, first)
  spend(effort, run.length * cost.capital + (followsLabel(text, at) ? cost.label : 0))
  const reversed = reversedName(capitals, run)
  if (reversed) {
    if (reversed.start >= from) found.push(reversed)
    return reversed.end
  }
  for (let index = 0; index < run.length && spend(effort, cost.name); ) {
    const best = chosenFrom(text, run, index)
    if (best && best.finding.start >= from) found.push(best.finding)
    index = best ? best.next : index + 1
  }
  return afterRun(capitals, run)
}

/** Whether a colon or the like stands before a place, with a blank or a quote between at most. */
const followsLabel = (text: string, at: number): boolean =>
  labelMarks.has(text.charCodeAt(at - 1)) || labelMarks.has(text.charCodeAt(at - 2))

const labelMarks = new Set([...':=：|'].map((char) => char.charCodeAt(0)))

/** Past the run and, where it was cut for its length, past the rest of the capitals. */
function afterRun(capitals: Capitals, run: readonly Token[]): number {
  const { text } = capitals
  let last = run.at(-1)
  if (!last) return text.length
  for (let token: Token | undefined = last; token; ) {
    last = token
    const next = nextStart(text, token)
    token = next < 0 ? undefined : capitals.at(next)
  }
  return Math.max(last.end, (run[0]?.start ?? 0) + 1)
}

interface Best {
  readonly finding: Finding
  readonly next: number
}

// Keeps all that is read for a name inside the 48 characters after it.
const widest = 40

/** A doubtful name gives way to a better one that begins a word later (a verb before a name: Call John Smith). */
function chosenFrom(text: string, run: readonly Token[], index: number): Best | undefined {
  const first = run[index]
  const best = first && bestFrom(text, run, { index, limit: first.end + 48 })
  if (!best || best.finding.score >= 0.5) return best
  const later = bestFrom(text, run, { index: index + 1, limit: first.end + 48 })
  return later && later.finding.score > best.finding.score ? undefined : best
}

interface From {
  readonly index: number
  /** Nothing is read from here on. */
  readonly limit: number
}

/** The likeliest name that begins with token `index`. */
function bestFrom(text: string, run: readonly Token[], { index, limit }: From): Best | undefined {
  const first = run[index]
  if (!first || first.form === 'particle' || (first.roles & role.stop) !== 0) return undefined
  const left = leftIn(text, run, index)
  if (!left) return undefined
  let best: Best | undefined
  for (let size = Math.min(7, run.length - index); size > 0; size -= 1) {
    const tokens = run.slice(index, index + size)
    const end = tokens.at(-1)?.end ?? 0
    if (end > Math.min(first.end + widest, limit)) continue
    const score = scoreOf({ text, tokens, next: run[index + size], left, limit })
    // A longer name must not lose to its own beginning over a small difference.
    if (score >= reportable && (!best || score > best.finding.score + 0.12)) {
      best = { finding: person(first.start, withoutDot(text, end), score), next: index + size }
    }
  }
  return best && withSuffix(text, run, best)
}

const withoutDot = (text: string, end: number): number => (text[end - 1] === '.' ? end - 1 : end)

export function person(start: number, end: number, score: number, rule = 'name'): Finding {
  return { detector: 'pii', type: 'PERSON', start, end, score: Math.round(Math.min(score, 0.99) * 100) / 100, rule }
}

/** Evidence before token `index`: the words of the run count like any others; a place word before it forbids a name. */
function leftIn(text: string, run: readonly Token[], index: number): Left | undefined {
  const first = run[index]
  const previous = run.slice(0, index).findLast(({ form }) => form !== 'particle')
  if (!first) return undefined
  const left = leftOf(text, first.start)
  if (!previous) return left
  if ((previous.roles & role.title) !== 0) return left
  if ((previous.roles & (role.place | role.organization)) !== 0) return { ...left, weight: left.weight - 3 }
  return left
}

/** `Jr.` and `III` belong to the name. */
function withSuffix(text: string, run: readonly Token[], best: Best): Best {
  const next = run[best.next]
  if (next && (next.roles & role.suffix) !== 0 && next.key !== 'i') {
    const end = text[next.end] === '.' ? next.end + 1 : next.end
    return { finding: { ...best.finding, end }, next: best.next + 1 }
  }
  const comma = /^, (?:Jr|Sr)\.?/.exec(text.slice(best.finding.end, best.finding.end + 6))?.[0]
  return comma ? { ...best, finding: { ...best.finding, end: best.finding.end + comma.length } } : best
}

/** `Doe, Jane`: one family name, a comma and one to three given names or initials, not in a longer list. */
function reversedName(capitals: Capitals, run: readonly Token[]): Finding | undefined {
  const { text } = capitals
  const family = run.at(-1)
  if (!family || run.length > 2 || run.some(({ roles }) => (roles & (role.stop | role.title)) !== 0)) return undefined
  if (text[family.end] !== ',' || text[family.end + 1] !== ' ' || family.form === 'initial') return undefined
  const given = capitals.at(family.end + 2)
  const start = run[0]?.start ?? family.start
  if (!given || given.end > family.end + 24 || (given.roles & role.given) === 0) return undefined
  const left = leftOf(text, start)
  if ((given.roles & role.stop) !== 0) return undefined
  const plain = (family.roles & (role.ambiguous | role.organization | role.place)) === 0
  if ((given.roles & role.ambiguous) !== 0 && !plain && !left.strong) return undefined
  const listed = (family.roles & (role.family | role.shaped)) !== 0
  const unknown = (family.roles & (role.given | role.organization | role.place)) === 0 && !left.sentenceStart
  if (!listed && !(unknown && left.weight > 0)) return undefined
  const end = givenEnd(capitals, given)
  if (!left.strong && continuesList(text, start, end)) return undefined
  const odds = 0.9 + left.weight + ((given.roles & role.ambiguous) !== 0 ? -0.6 : 0) + (listed ? 0 : -0.6)
  return person(start, end, 1 / (1 + Math.exp(-odds)), 'name-reversed')
}

/** Middle initials and one more given name: `Doe, Jane Q.` and `Doe, Mary Ann`. */
function givenEnd(capitals: Capitals, given: Token): number {
  const at = nextStart(capitals.text, given)
  const next = at < 0 ? undefined : capitals.at(at)
  if (!next || next.end > given.end + 14) return given.end
  if (next.form === 'initial') return next.end
  return (next.roles & role.given) !== 0 && (next.roles & (role.ambiguous | role.family)) === 0 ? next.end : given.end
}

/** `Anna, Peter, Maria and Paul` is a list of people, not one name. */
function continuesList(text: string, start: number, end: number): boolean {
  const after = text.slice(end, end + 8)
  return (
    (text[start - 2] === ',' && isUpperCase(text.charCodeAt(start))) ||
    /^(?:, [A-Z]| and | und | & | et | y | e | or )/.test(after)
  )
}
