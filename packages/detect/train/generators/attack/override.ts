import { overrideLines } from '../lines/override.ts'
import { patternGenerator } from '../lines/pattern-rows.ts'

/** Direct override of the instructions: one sentence, several, alone or beside a harmless request. */
export const generator = patternGenerator('override', 0x0a11, [
  { kind: 'direct-override', label: 1, patterns: overrideLines, count: 950, join: 3, company: 0.25 },
])
