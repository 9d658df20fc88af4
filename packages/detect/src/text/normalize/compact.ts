import { isSpace, isWordUnit, joinsBit, unitKinds } from '../alphabet/characters.ts'
import { type Tape, unitAt } from '../view/tape.ts'
import { gapUnit, type SpacedRun, spacedRun } from './spaced.ts'

/** Turns runs of whitespace into one space or line end and joins spaced-out letters. Returns the number of joined runs. */
export function compact(tape: Tape): number {
  let to = 0
  let joined = 0
  let tried = -1
  for (let i = 0; i < tape.length; ) {
    const unit = tape.units[i] ?? 0
    if (isSpace(unit)) {
      const end = spaceEnd(tape, i)
      writeGap(tape, i, end, to)
      to += 1
      i = end
      continue
    }
    if (to > 0 && isStray(unit, tape.units[to - 1] ?? 0)) {
      i += 1
      continue
    }
    const run = i > tried && isWordUnit(unit) ? spacedRun(tape, i) : i
    if (typeof run === 'number') {
      // The last letter read may begin a run with another separator; those before it cannot.
      tried = run > i ? run - 1 : i
      move(tape, i, to++)
      i += 1
      continue
    }
    joined += 1
    to = writeRun(tape, run, to)
    i = (run.at.at(-1) ?? i) + 1
  }
  tape.length = to
  return joined
}

/** A mark whose letter turned out to be a Latin one in disguise. */
const isStray = (unit: number, before: number): boolean =>
  unit >= 0x300 && before < 0x250 && ((unitKinds[unit] ?? 0) & joinsBit) > 0

function spaceEnd(tape: Tape, from: number): number {
  let end = from + 1
  while (end < tape.length && isSpace(tape.units[end] ?? 0)) end += 1
  return end
}

/** Writes what stands for the gap; `to` never passes `from`, so nothing unread is overwritten. */
function writeGap(tape: Tape, from: number, end: number, to: number): void {
  const unit = gapUnit(tape, from, end)
  const start = tape.starts[from] ?? 0
  const last = tape.ends[end - 1] ?? 0
  tape.units[to] = unit
  tape.starts[to] = start
  tape.ends[to] = last
}

function writeRun(tape: Tape, { at, gaps, narrow }: SpacedRun, from: number): number {
  const last = at.length - 1
  let to = from
  for (let index = 0; index <= last; index += 1) {
    const position = at[index] ?? 0
    move(tape, position, to)
    if (narrow === 1 && index > 0 && index < last && isWordDivider(unitAt(tape, to))) tape.units[to] = 32
    to += 1
    if ((gaps[index] ?? 0) <= narrow) continue
    writeGap(tape, position + 1, at[index + 1] ?? position + 1, to)
    to += 1
  }
  return to
}

/** `i g n o r e / a l l`: a slash or bar between spaced letters parts words. */
const isWordDivider = (unit: number): boolean => unit === 47 || unit === 124 || unit === 95 || unit === 0x2022

function move({ units, starts, ends }: Tape, from: number, to: number): void {
  if (from === to) return
  units[to] = units[from] ?? 0
  starts[to] = starts[from] ?? 0
  ends[to] = ends[from] ?? 0
}
