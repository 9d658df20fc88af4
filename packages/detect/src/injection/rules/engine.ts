/**
 * Runs rules over normalized text: one automaton for all words of all rules, slot grammars directly on its hits,
 * patterns only in a window around a trigger. Promises time linear in the text and a bounded number of windows and
 * hits; text beyond a bound goes unread and is reported. Tested in engine.test.ts.
 */
import type { Channel } from '../../base/finding.ts'
import { createAutomaton } from '../../text/automaton/automaton.ts'
import { type Chains, createChains, type Word } from './chains.ts'
import { guardFactor } from './guards.ts'
import { continuesWord, wordEnd, wordStart, wordUnits } from './letters.ts'
import { createLiveRules, type LiveRules } from './live-rules.ts'
import { isSlotRule, type Rule } from './rule-kinds.ts'
import { createWindows } from './windows.ts'
import { createBlocks } from './word-blocks.ts'
import { indexWords, side, useKind, type WordIndex } from './word-index.ts'

export interface RuleHit {
  readonly rule: Rule
  /** Range in the normalized text (UTF-16). */
  readonly start: number
  readonly end: number
  /** The rule's weight after guards, 0..1. */
  readonly weight: number
}

export interface RuleMatches {
  readonly hits: RuleHit[]
  /** False when a bound was reached and part of the text went unread. */
  readonly complete: boolean
}

export interface RuleEngine {
  readonly rules: readonly Rule[]
  /** Every place where a rule holds; places of one rule that overlap are one. */
  match(text: string, channel: Channel): RuleMatches
}

const hitsPerScan = 4096

/** Compiles rules; their own examples are not run here, see `ruleFaults`. Its working memory serves one text at a time. */
export function createRuleEngine(rules: readonly Rule[]): RuleEngine {
  const index = indexWords(rules)
  const lengths = Int32Array.from(index.words, (word) => word.length)
  const automaton = createAutomaton(index.words, { continues: wordUnits, needs: index.edgesOf })
  const live = createLiveRules(index)
  const chains = createChains(index)
  return {
    rules,
    match: (text, channel) => {
      const found = createFound(rules, channel)
      chains.open(text)
      live.begin()
      const taker = createTaker({ rules, index, text, found, live, chains })
      const blocks = createBlocks(live, (word, end) => {
        taker.take(word, end - (lengths[word] ?? 0), end)
        return found.size() < hitsPerScan && !taker.isSpent()
      })
      automaton.scan(text, blocks.add)
      blocks.end()
      return found.weighed(text)
    },
  }
}

interface Scan {
  readonly rules: readonly Rule[]
  readonly index: WordIndex
  readonly text: string
  readonly found: Found
  readonly live: LiveRules
  readonly chains: Chains
}

// Prose has one use of a live word in thirty characters.
const usesPerScan = 1_000_000

interface Taker {
  take(spelled: number, start: number, end: number): void
  /** Whether the text makes more work than honest text does. */
  isSpent(): boolean
}

/** Gives each word found to the rules that use it. */
function createTaker(scan: Scan): Taker {
  const { usesFrom, ruleOf, kindOf, sidesOf, cellOf, gapOf } = scan.index
  const { chains, live } = scan
  const tryPattern = createPatternTrial(scan)
  // Reused for every use: a scan sees too many words to allocate for each.
  const word: Word = { start: 0, end: 0 }
  let uses = usesPerScan

  const advance = (use: number, rule: number): number => {
    const cell = cellOf[use] ?? 0
    if (kindOf[use] === useKind.first) return chains.begin(rule, cell, word)
    return kindOf[use] === useKind.later ? chains.follow(rule, cell, word) : chains.gather(rule, cell, word)
  }

  const takeUse = (use: number, start: number, end: number): void => {
    const rule = ruleOf[use] ?? 0
    const sides = sidesOf[use] ?? 0
    if (kindOf[use] === useKind.later && !chains.mayFollow(cellOf[use] ?? 0, start, gapOf[rule] ?? 0)) return
    word.start = (sides & side.openLeft) !== 0 ? wordStart(scan.text, start) : start
    word.end = (sides & side.openRight) !== 0 ? wordEnd(scan.text, end) : end
    const from = advance(use, rule)
    if (from >= 0) scan.found.add(rule, Math.min(from, word.start), word.end)
  }

  return {
    take: (spelled, start, end) => {
      if (!live.hasLiveUse(spelled)) return
      const free = freeSides(scan.text, start, end)
      for (let use = usesFrom[spelled] ?? 0; use < (usesFrom[spelled + 1] ?? 0); use += 1) {
        const rule = ruleOf[use] ?? 0
        if (!live.isLive(rule)) continue
        uses -= 1
        if (kindOf[use] === useKind.trigger) tryPattern(rule, start)
        else if (((sidesOf[use] ?? 0) & (side.edgeLeft | side.edgeRight) & ~free) === 0) takeUse(use, start, end)
      }
    },
    isSpent: () => {
      if (uses < 0) scan.found.giveUp()
      return uses < 0
    },
  }
}

function createPatternTrial({ rules, text, found }: Scan): (index: number, start: number) => void {
  const windows = createWindows(text)
  return (index, start) => {
    const rule = rules[index]
    if (!rule || isSlotRule(rule) || start < found.endOf(index)) return
    const range = windows.tryAt(rule, start)
    if (range === 'over') found.giveUp()
    else if (range) found.add(index, range.start, range.end)
  }
}

/** The edges at which no word goes on, as bits of `side`. */
function freeSides(text: string, start: number, end: number): number {
  const left = start === 0 || !continuesWord(text.charCodeAt(start - 1)) ? side.edgeLeft : 0
  const right = end === text.length || !continuesWord(text.charCodeAt(end)) ? side.edgeRight : 0
  return left | right
}

interface Found {
  add(rule: number, start: number, end: number): void
  /** End of the rule's last place, 0 before the first. */
  endOf(rule: number): number
  size(): number
  giveUp(): void
  weighed(text: string): RuleMatches
}

/** Collects places; a place that overlaps the rule's last one is joined to it. */
function createFound(rules: readonly Rule[], channel: Channel): Found {
  const places: { rule: number; start: number; end: number }[] = []
  const last = new Map<number, { start: number; end: number }>()
  let complete = true
  return {
    add: (rule, start, end) => {
      const channels = rules[rule]?.channels
      if (channels && !channels.includes(channel)) return
      const before = last.get(rule)
      if (before && start < before.end) {
        before.start = Math.min(before.start, start)
        before.end = Math.max(before.end, end)
        return
      }
      const place = { rule, start, end }
      last.set(rule, place)
      places.push(place)
    },
    endOf: (rule) => last.get(rule)?.end ?? 0,
    size: () => places.length,
    giveUp: () => {
      complete = false
    },
    weighed: (text) => ({
      hits: places.flatMap(({ rule: index, start, end }) => {
        const rule = rules[index]
        if (!rule) return []
        const factor = rule.guarded ? guardFactor({ text, start, end }, channel) : 1
        return [{ rule, start, end, weight: rule.weight * factor }]
      }),
      complete: complete && places.length < hitsPerScan,
    }),
  }
}
