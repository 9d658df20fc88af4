/** String literals that a program would put together, in any language. Works on normalized text. Tested in views.test.ts. */

import { commonShare } from './language/language.ts'
import { type Budget, spend } from './view/budget.ts'
import type { Piece } from './view/view.ts'

interface Literal {
  readonly value: string
  readonly start: number
  readonly end: number
  /** Variable it is assigned to. */
  readonly name: string | undefined
}

const minLiterals = 2

/** Whether a quotation mark has program text behind it (`" + a`, `', "`) or follows an equals sign. */
function hasSign(text: string): boolean {
  for (const quote of ['"', "'", '`'])
    for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
      const mark = pastBlank(text, at + 1)
      if (isIn('+,;.&)', text, mark) && isOperand(text.charCodeAt(pastBlank(text, mark + 1)))) return true
    }
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1))
    if (isQuote(text.charCodeAt(pastBlank(text, at + 1)))) return true
  return false
}

const pastBlank = (text: string, at: number): number => (text.charCodeAt(at) === 32 ? at + 1 : at)

const isIn = (marks: string, text: string, at: number): boolean => at < text.length && marks.includes(text.charAt(at))

const isOperand = (code: number): boolean => (code >= 97 && code <= 122) || code === 36 || code === 64 || isQuote(code)

/** One piece for each chain of literals. */
export function joinLiterals(text: string, budget: Budget): Piece[] {
  if (!hasSign(text)) return []
  const literals = literalsOf(text, budget)
  if (literals.length < minLiterals) return []
  return chainsOf(text, literals).flatMap((chain) => (spend(budget, 64) ? joinChain(text, chain) : []))
}

const maxLiteral = 200
const assigned = /([a-z_$][\w$]{0,30})\s?(?::=|=|:)\s?$/

function literalsOf(text: string, budget: Budget): Literal[] {
  const found: Literal[] = []
  for (let i = 0; i < text.length; i += 1) {
    const quote = text.charCodeAt(i)
    if (!isQuote(quote) || !opensAfter(text, i)) continue
    const end = literalEnd(text, i, quote)
    if (!spend(budget, end < 0 ? 16 : 4)) break
    if (end < 0) continue
    const name = isAssigned(text, i) ? assigned.exec(text.slice(Math.max(0, i - 36), i))?.[1] : undefined
    found.push({ value: text.slice(i + 1, end - 1), start: i, end, name })
    i = end - 1
  }
  return found
}

function isAssigned(text: string, at: number): boolean {
  const before = text.charCodeAt(at - (text.charCodeAt(at - 1) === 32 ? 2 : 1))
  return before === 61 || before === 58
}

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96

/** An apostrophe follows a letter; an opening quote does not. */
const opensAfter = (text: string, at: number): boolean => at === 0 || !/[\w"'`]/.test(text.charAt(at - 1))

/** End of the literal: the first matching quote with program text behind it, on the same line. -1 when there is none. */
function literalEnd(text: string, start: number, quote: number): number {
  const most = Math.min(text.length, start + maxLiteral)
  for (let i = start + 1; i < most; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 10) return -1
    if (code === 92) i += 1
    else if (code === quote && closesBefore(text, i + 1)) return i + 1
  }
  return -1
}

function closesBefore(text: string, at: number): boolean {
  const next = text.charAt(at) === ' ' ? text.charAt(at + 1) : text.charAt(at)
  return next === '' || '+;,.)]&|}\n'.includes(next) || (text.charAt(at) === ' ' && /[\w"'`]/.test(next))
}

const maxBetween = 48

/** Literals that stand close together, with nothing but program text between them. */
function chainsOf(text: string, literals: readonly Literal[]): Literal[][] {
  const chains: Literal[][] = []
  for (const item of literals) {
    const chain = chains.at(-1)
    const last = chain?.at(-1)
    const between = last ? text.slice(last.end, item.start) : ''
    const isNear = last !== undefined && between.length <= maxBetween && isGlue(between)
    if (chain && isNear) chain.push(item)
    else chains.push([item])
  }
  const isCall = text.includes('join') || text.includes('concat')
  return chains.filter(
    (chain) => chain.length >= minLiterals && (isCall || !isMereList(text, chain) || isCutAnywhere(chain)),
  )
}

/** A mere comma makes a list; only a call makes one text of it, or that its items are no words. */
const isMereList = (text: string, chain: readonly Literal[]): boolean =>
  chain.every(({ start }, i) => i === 0 || text.slice(chain[i - 1]?.end ?? 0, start).trim() === ',')

const minGain = 0.1

/** Whether the pieces hold more everyday words put together than each for itself: a text cut without regard to its words. */
function isCutAnywhere(chain: readonly Literal[]): boolean {
  const values = chain.map(({ value }) => value)
  return values.some(isBlankEnded) && commonShare(values.join('')) >= commonShare(values.join(' ')) + minGain
}

const isBlankEnded = (value: string): boolean => value.startsWith(' ') || value.endsWith(' ')

const isGlue = (between: string): boolean =>
  /^\s{0,3}(?:[+.&|,]{1,2}|<<)?\s{0,3}$/.test(between) ||
  /^[\s;,.&]{0,4}(?:(?:let|var|const|set|and|string)\s)?[$@]?[a-z_]\w{0,30}(?:\[\w{0,8}\])?\s?(?::=|\+=|\.=|=|:)\s?(?:\w{0,20}\s?\+\s?)?$/.test(
    between,
  )

function joinChain(text: string, chain: readonly Literal[]): Piece[] {
  const ordered = chain.some(({ name }) => name !== undefined) ? inUseOrder(text, chain) : chain
  const values = ordered.map(({ value }) => unescaped(value))
  const tight = values.join('')
  const loose = values.join(' ')
  // Half words want nothing between them, whole words a blank: the reading with more everyday words is meant.
  const joined = commonShare(loose) > commonShare(tight) ? loose : tight
  const start = chain[0]?.start ?? 0
  return [{ text: `${joined}\n`, start, end: chain.at(-1)?.end ?? start, literal: false }]
}

/** Line ends and quotation marks as programs write them inside a literal. */
const unescaped = (value: string): string =>
  value.includes('\\')
    ? value.replace(/\\(?:([nt])|(["'`\\]))/g, (_, blank, mark) => mark ?? (blank === 'n' ? '\n' : ' '))
    : value

const maxTail = 2000
const sum = /[$@]?\b[a-z_]\w{0,30}(?:\s?[+.&,]\s?[$@]?[a-z_]\w{0,30}){1,200}/g

/** `print(b + a)`: the order in which the variables are added up, when the text says it; else the order they stand in. */
function inUseOrder(text: string, chain: readonly Literal[]): readonly Literal[] {
  const byName = new Map(chain.flatMap((item) => (item.name === undefined ? [] : [[item.name, item] as const])))
  const from = chain.at(-1)?.end ?? 0
  let best: readonly Literal[] = chain
  let most = 1
  for (const [expression] of text.slice(from, from + maxTail).matchAll(sum)) {
    const used = expression.split(/\W+/).flatMap((name) => byName.get(name) ?? [])
    if (used.length <= most || used.length * 2 < byName.size) continue
    best = used
    most = used.length
  }
  return best
}
