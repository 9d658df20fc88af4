import { cosine, sine } from './trigonometry.ts'

/** Twiddle factors and bit-reversed order of one transform length. */
interface Plan {
  readonly cosines: Float64Array
  readonly sines: Float64Array
  readonly reversed: Uint32Array
}

const plans = new Map<number, Plan>()

function planOf(length: number): Plan {
  const known = plans.get(length)
  if (known !== undefined) return known
  const bits = 31 - Math.clz32(length)
  if (length !== 1 << bits) throw new RangeError('The length of a transform is a power of two.')
  const cosines = new Float64Array(length / 2)
  const sines = new Float64Array(length / 2)
  for (let i = 0; i < length / 2; i += 1) {
    cosines[i] = cosine((2 * Math.PI * i) / length)
    sines[i] = sine((2 * Math.PI * i) / length)
  }
  const reversed = new Uint32Array(length)
  for (let i = 1; i < length; i += 1) reversed[i] = ((reversed[i >> 1] ?? 0) >> 1) | ((i & 1) << (bits - 1))
  const plan = { cosines, sines, reversed }
  // One plan of 2^18 points holds 3 MB; few lengths are in use.
  if (plans.size >= 8) plans.clear()
  plans.set(length, plan)
  return plan
}

/** Discrete Fourier transform in place, Σ x_k e^(+2πijk/n), radix 2. The inverse needs the other sign and 1/n. */
export function transform(real: Float64Array, imaginary: Float64Array, sign: 1 | -1): void {
  const n = real.length
  const { cosines, sines, reversed } = planOf(n)
  for (let i = 0; i < n; i += 1) {
    const j = reversed[i] ?? 0
    if (j > i) {
      swap(real, i, j)
      swap(imaginary, i, j)
    }
  }
  for (let half = 1; half < n; half *= 2) butterflies(real, imaginary, { half, cosines, sines, sign })
}

function swap(values: Float64Array, i: number, j: number): void {
  const kept = values[i] ?? 0
  values[i] = values[j] ?? 0
  values[j] = kept
}

function butterflies(
  real: Float64Array,
  imaginary: Float64Array,
  { half, cosines, sines, sign }: Omit<Plan, 'reversed'> & { readonly half: number; readonly sign: number },
): void {
  const n = real.length
  const stride = n / (2 * half)
  for (let start = 0; start < n; start += 2 * half) {
    for (let k = 0; k < half; k += 1) {
      const c = cosines[k * stride] ?? 0
      const s = sign * (sines[k * stride] ?? 0)
      const i = start + k
      const j = i + half
      const x = real[j] ?? 0
      const y = imaginary[j] ?? 0
      const re = x * c - y * s
      const im = x * s + y * c
      real[j] = (real[i] ?? 0) - re
      imaginary[j] = (imaginary[i] ?? 0) - im
      real[i] = (real[i] ?? 0) + re
      imaginary[i] = (imaginary[i] ?? 0) + im
    }
  }
}
