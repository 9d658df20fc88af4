import { customGptLines } from '../lines/custom-gpt.ts'
import { promptLeakLines, secretLeakLines } from '../lines/leak.ts'
import { patternGenerator } from '../lines/pattern-rows.ts'

/** Extraction of hidden prompts, guarded secrets, knowledge files and tool definitions. */
export const generator = patternGenerator('leak', 0x0a13, [
  { kind: 'system-prompt-leak', label: 1, patterns: promptLeakLines, count: 850, join: 3, company: 0.15 },
  { kind: 'system-prompt-leak', label: 1, patterns: secretLeakLines, count: 600, join: 3, company: 0.15 },
  { kind: 'system-prompt-leak', label: 1, patterns: customGptLines, count: 350, join: 2, company: 0.1 },
])
