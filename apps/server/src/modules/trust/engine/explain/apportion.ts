/**
 * Rounds parts to integers that add up to `total`, by largest remainder (Hamilton): each part is rounded down, and the
 * units that are missing go to the parts that lost most. A part of exactly 0 stays 0, so that what played no role is shown
 * with none. The parts add up to the total but for less than one unit each. Ties go to the part that stands first.
 * @throws RangeError where nothing but zeros would have to add up to something else
 */
export function apportion(parts: readonly number[], total: number): readonly number[] {
  const rounded = parts.map(Math.floor)
  const places = parts
    .map((part, place) => ({ place, remainder: part - Math.floor(part), counts: part !== 0 }))
    .filter(({ counts }) => counts)
    .sort((a, b) => b.remainder - a.remainder || a.place - b.place)
    .map(({ place }) => place)
  let missing = total - rounded.reduce((sum, part) => sum + part, 0)
  if (missing !== 0 && places.length === 0) throw new RangeError(`Nothing adds up to ${total}.`)
  const [step, order] = missing > 0 ? [1, places] : [-1, places.toReversed()]
  for (let turn = 0; missing !== 0; turn = (turn + 1) % order.length) {
    const place = order[turn] ?? 0
    rounded[place] = (rounded[place] ?? 0) + step
    missing -= step
  }
  // Rounding down gives -0 for values between -0 and 0; adding 0 makes it 0.
  return rounded.map((part) => part + 0)
}
