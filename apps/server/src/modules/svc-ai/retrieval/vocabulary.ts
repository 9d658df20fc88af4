/**
 * Terms by number, each text held once for all segments of a source: the words of a language come again in every segment,
 * and their texts took more memory than the postings. Pure. Tested in segment.test.ts.
 */

/** A term's text, its entry in the map and its place in the list, roughly. */
const bytesOfTerm = 96

export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []

  /** The number of a term, a new one where it is not known yet. */
  add(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#names.length
    this.#numbers.set(term, number)
    this.#names.push(term)
    return number
  }

  numberOf(term: string): number | undefined {
    return this.#numbers.get(term)
  }

  nameOf(number: number): string {
    return this.#names[number] ?? ''
  }

  /** Memory, roughly. */
  get bytes(): number {
    return this.#names.length * bytesOfTerm
  }
}

/** Place of a value in an ascending list between two places; -1 where it is not there. */
export function placeIn(list: ArrayLike<number>, value: number, from = 0, to = list.length): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low < to && list[low] === value ? low : -1
}
