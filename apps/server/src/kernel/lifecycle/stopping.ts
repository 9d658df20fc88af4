/**
 * Work that still runs at shutdown. Promises that work which began before has its grace, that longer work is told to
 * break off and has a moment for its last words, and that nothing is waited for beyond that. Callers that admit new
 * work must stop admitting it. Tested in stopping.test.ts.
 */
import type { Clock } from '../base/clock.ts'

export interface Stopping {
  /** The process was told to stop. */
  readonly begun: boolean
  /** Safe to call twice. */
  begin(): void
  /** Marks work as running until the returned function is called; `breakOff` ends long work after the grace. */
  hold(breakOff?: () => void): () => void
  /** Resolves when no work runs any more, or the rest was given up. */
  readonly settled: Promise<void>
  /** Resolves when no work runs, or a moment later: abandoned work still has to be recorded. */
  idle(): Promise<void>
}

interface StoppingParts {
  readonly clock: Pick<Clock, 'after'>
  readonly graceMs: number
}

/** Milliseconds in which who was broken off says so to its client and in its records. */
const lastWordsMs = 5_000

export function createStopping({ clock, graceMs }: StoppingParts): Stopping {
  let running = 0
  let begun = false
  let isGraceOver = false
  let limit: { stop(): void } | null = null
  const breakOffs = new Set<() => void>()
  const waiting: (() => void)[] = []
  let settle: () => void = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = () => {
      limit?.stop()
      resolve()
    }
  })
  const endGrace = (): void => {
    isGraceOver = true
    if (breakOffs.size > 0) limit = clock.after(lastWordsMs, settle)
    else settle()
    for (const breakOff of breakOffs) breakOff()
  }
  const left = (): void => {
    running -= 1
    if (running > 0) return
    if (begun) settle()
    for (const tell of waiting.splice(0)) tell()
  }
  return {
    get begun() {
      return begun
    },
    begin: () => {
      if (begun) return
      begun = true
      if (running === 0) settle()
      else limit = clock.after(graceMs, endGrace)
    },
    hold: (breakOff) => {
      running += 1
      if (breakOff !== undefined) breakOffs.add(breakOff)
      // It came in before and got here only now.
      if (isGraceOver) breakOff?.()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        if (breakOff !== undefined) breakOffs.delete(breakOff)
        left()
      }
    },
    settled,
    idle: () => {
      if (running === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const last = clock.after(lastWordsMs, resolve)
        waiting.push(() => {
          last.stop()
          resolve()
        })
      })
    },
  }
}
