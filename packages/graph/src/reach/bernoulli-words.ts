import { philox4x32, type RandomStream, type SeedKey } from '@parapet/quant'

/** Bits of a probability that every edge draws; the few worlds that need more draw them from a counter of their own. */
const drawnBits = 12

/**
 * Draws for every edge a word whose 32 bits are 1 with its probability, one bit per simulated world (bit-sliced
 * comparison of uniform numbers with the probability). Every edge takes the same number of words from the stream, so a
 * changed probability leaves the draws of all other edges alone.
 *
 * @param words receives a word per edge
 * @param batch number of the batch of 32 worlds
 */
export function drawEdgeWords(
  probabilities: Float64Array,
  words: Int32Array,
  { stream, key, batch }: { readonly stream: RandomStream; readonly key: SeedKey; readonly batch: number },
): void {
  stream.seek(key, batch, 0)
  for (let edge = 0; edge < probabilities.length; edge++) {
    let rest = probabilities[edge] ?? 0
    let holds = 0
    let undecided = -1
    for (let bit = 0; bit < drawnBits; bit++) {
      const random = stream.next()
      rest *= 2
      // Bit of p is 1: worlds that drew 0 are below p. Bit of p is 0: worlds that drew 1 are above it.
      if (rest >= 1) {
        rest -= 1
        holds |= undecided & ~random
        undecided &= random
      } else undecided &= ~random
    }
    if (rest >= 1) holds |= undecided
    else if (undecided !== 0 && rest > 0) holds |= undecided & furtherBits(rest, undecided, edge, batch, key)
    words[edge] = (probabilities[edge] ?? 0) >= 1 ? -1 : holds
  }
}

/** Decides the worlds that agree with the probability in all drawn bits. */
function furtherBits(probability: number, open: number, edge: number, batch: number, key: SeedKey): number {
  let [rest, holds, undecided] = [probability, 0, open]
  for (let call = 1; undecided !== 0 && rest > 0; call++) {
    for (const random of philox4x32([batch >>> 0, edge, call, 1], key)) {
      rest *= 2
      if (rest >= 1) {
        rest -= 1
        holds |= undecided & ~random
        undecided &= random
      } else undecided &= ~random
    }
  }
  return holds
}
