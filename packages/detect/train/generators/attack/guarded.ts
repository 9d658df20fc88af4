import { guardedLines } from '../lines/guarded.ts'
import { patternGenerator } from '../lines/pattern-rows.ts'

/** Mixed ways around a guarding prompt: persuasion, splitting, forged examples, format tricks, leaving the topic. */
export const generator = patternGenerator('guarded', 0x0a15, [
  { kind: 'direct-override', label: 1, patterns: guardedLines, count: 900, join: 2, company: 0.12 },
])
