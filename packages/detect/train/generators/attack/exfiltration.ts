import { exfiltrationLines } from '../lines/exfiltration.ts'
import { patternGenerator } from '../lines/pattern-rows.ts'

/** Orders to send data away or to misuse tools. */
export const generator = patternGenerator('exfiltration', 0x0a17, [
  { kind: 'exfiltration', label: 1, patterns: exfiltrationLines, count: 550, join: 3, company: 0.3 },
])
