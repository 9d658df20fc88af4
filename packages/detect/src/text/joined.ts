/**
 * Text handed over in parts: string literals that a program would join, and words cut by marks (`ig-nore`, `pre|vious`).
 * Works on normalized text.
 */

import type { LineRange } from './decode/lines.ts'
import { joinFragments } from './fragments.ts'
import { joinLiterals } from './literals.ts'
import type { Budget } from './view/budget.ts'
import { type Patchwork, patch } from './view/view.ts'

/** The joined text, or undefined when nothing is in parts. */
export function joinParts(text: string, lines: readonly LineRange[], budget: Budget): Patchwork | undefined {
  const pieces = [...joinLiterals(text, budget), ...joinFragments(text, lines, budget)]
  return pieces.length === 0 ? undefined : patch(pieces.sort((a, b) => a.start - b.start))
}
