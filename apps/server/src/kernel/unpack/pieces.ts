import type { Budget } from './limits.ts'
import type { TextPiece, TextPosition } from './port.ts'

/** Gathers text: white space runs become one space, and empty pieces are left out. */
export class Pieces {
  readonly all: TextPiece[] = []
  readonly #budget: Budget

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** @throws UnpackError `too_large` */
  add(position: TextPosition, text: string): void {
    const clean = text
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .trim()
    if (clean === '') return
    this.#budget.text(clean)
    this.all.push({ position, text: clean.toWellFormed() })
  }
}
