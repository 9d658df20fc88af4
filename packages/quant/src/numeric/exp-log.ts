/**
 * Exponential and logarithm from additions, multiplications and divisions only, which IEEE 754 fixes to the last bit:
 * an engine that changes its own `Math.exp` cannot change a result. Algorithms and coefficients of FreeBSD msun
 * (e_exp.c, e_log.c, Sun Microsystems 1993), error below 1 ulp.
 */
const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)
const high = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0
const low = 1 - high

const ln2High = 0.6931471803691238
const ln2Low = 1.9082149292705877e-10

/** 2^k for -1022 <= k <= 1023. */
function powerOfTwo(k: number): number {
  halves[low] = 0
  halves[high] = (1023 + k) << 20
  return float[0] ?? 0
}

/** e^x. NaN for NaN, 0 below -745.14, Infinity above 709.78. */
export function exp(x: number): number {
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY
  if (x < -745.1332191019412) return 0
  if (!(x > -800)) return Number.NaN
  const k = Math.floor(x * Math.LOG2E + 0.5)
  const upper = x - k * ln2High
  const lower = k * ln2Low
  const r = upper - lower
  const t = r * r
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (6.613756321437934e-5 + t * (-1.6533902205465252e-6 + t * 4.1381367970572385e-8))))
  const y = 1 - (lower - (r * c) / (2 - c) - upper)
  if (k >= -1021 && k <= 1023) return y * powerOfTwo(k)
  if (k > 1023) return y * 2 * powerOfTwo(k - 1)
  return y * powerOfTwo(k + 1000) * 9.332636185032189e-302
}

/** Natural logarithm. NaN below 0, -Infinity at 0. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  let k = -1023
  float[0] = x
  if (x < 2.2250738585072014e-308) {
    float[0] = x * 18014398509481984
    k -= 54
  }
  const word = halves[high] ?? 0
  const mantissa = word & 0xfffff
  // Brings the mantissa into [sqrt(2)/2, sqrt(2)).
  const shift = (mantissa + 0x95f64) & 0x100000
  halves[high] = mantissa | (shift ^ 0x3ff00000)
  k += (word >> 20) + (shift >> 20)
  return logOfReduced((float[0] ?? 0) - 1, k)
}

function logOfReduced(f: number, k: number): number {
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const t1 = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373))
  const t2 = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)))
  const half = 0.5 * f * f
  return k * ln2High - (half - (s * (half + t1 + t2) + k * ln2Low) - f)
}

/** log(1 + x), accurate near 0 (Kahan). */
export function log1p(x: number): number {
  const u = 1 + x
  if (u === 1) return x
  return u === Number.POSITIVE_INFINITY ? u : (log(u) * x) / (u - 1)
}

/** e^x - 1, accurate near 0 (Kahan). */
export function expm1(x: number): number {
  if (x > 40 || x < -40) return exp(x) - 1
  const u = exp(x)
  if (u === 1) return x
  const difference = u - 1
  return difference === -1 ? -1 : (difference * x) / log(u)
}

/** x^y for x >= 0. Relative error about |y log x| ulp. */
export function power(x: number, y: number): number {
  if (y === 0) return 1
  return x === 0 ? (y > 0 ? 0 : Number.POSITIVE_INFINITY) : exp(y * log(x))
}
