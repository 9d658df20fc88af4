import type { PatternRule } from './rule.ts'

const windowsPerRule = 512
const windowsPerScan = 4096
const longestWindow = 256

export interface Windows {
  /** Range of the rule's pattern in a window around a trigger; `over` when no more windows are looked at. */
  tryAt(rule: PatternRule, trigger: number): { start: number; end: number } | 'over' | undefined
}

/** Tries patterns in windows of one text, at most so many per rule and in all: honest text needs far fewer. */
export function createWindows(text: string): Windows {
  const tried = new Map<PatternRule, number>()
  let windows = 0
  return {
    tryAt: (rule, trigger) => {
      const ofRule = (tried.get(rule) ?? 0) + 1
      windows += 1
      if (ofRule > windowsPerRule || windows > windowsPerScan) return 'over'
      tried.set(rule, ofRule)
      const size = Math.min(longestWindow, rule.window)
      const before = trigger - (size >> 1)
      const from = Math.max(0, before)
      const match = rule.pattern.exec(text.slice(from, before + size))
      return match ? { start: from + match.index, end: from + match.index + match[0].length } : undefined
    },
  }
}
