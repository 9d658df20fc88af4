/** Half-open ranges that cover a sequence. */
export type Span = readonly [start: number, end: number]

/**
 * Covers `length` units with windows of at most `room` units. Neighbors share a quarter, so that whatever is shorter
 * than that lies whole in one of them; the last is moved back to be full, because models judge short rests badly.
 */
export function windowsOf(length: number, room: number): Span[] {
  if (length <= room) return [[0, length]]
  const step = room - Math.floor(room / 4)
  const spans: Span[] = []
  for (let start = 0; start + room < length; start += step) spans.push([start, start + room])
  spans.push([length - room, length])
  return spans
}

/** Windows of a text by estimated size: an ASCII character is one unit, any other `wide` units. */
export function textWindowsOf(text: string, room: number, wide: number): Span[] {
  const unitsBefore = new Float64Array(text.length + 1)
  for (let at = 0; at < text.length; at += 1)
    unitsBefore[at + 1] = (unitsBefore[at] ?? 0) + (text.charCodeAt(at) < 128 ? 1 : wide)
  const units = Math.ceil(unitsBefore[text.length] ?? 0)
  return windowsOf(units, room).map(([start, end]) => [
    positionOf(unitsBefore, start),
    end === units ? text.length : positionOf(unitsBefore, end),
  ])
}

/** The last character that begins at or before a unit, so that what a window shares with the next is never less. */
function positionOf(unitsBefore: Float64Array, unit: number): number {
  let [low, high] = [0, unitsBefore.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((unitsBefore[middle] ?? 0) <= unit) low = middle
    else high = middle - 1
  }
  return low
}
