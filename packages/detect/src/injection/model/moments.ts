/** Mean, standard deviation and greatest of numbers as they come; 0 of none. */
export interface Moments {
  add(value: number): void
  mean(): number
  deviation(): number
  most(): number
}

export function createMoments(): Moments {
  let [count, sum, squares, greatest] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  return {
    add: (value) => {
      count += 1
      sum += value
      squares += value * value
      greatest = Math.max(greatest, value)
    },
    mean: () => (count === 0 ? 0 : sum / count),
    deviation: () => (count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))),
    most: () => (count === 0 ? 0 : greatest),
  }
}
