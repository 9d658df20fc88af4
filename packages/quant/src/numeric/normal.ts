import { exp, log } from './exp-log.ts'
import { gammaQ } from './gamma.ts'

const logGammaOfHalf = 0.5723649429247001

/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return 0.3989422804014327 * exp(-0.5 * z * z)
}

/** Distribution function of the standard normal distribution, relative error about 1e-14 also in the lower tail. */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return z
  const tail = Math.abs(z) < 7 ? rationalTail(Math.abs(z)) : 0.5 * gammaQ(0.5, 0.5 * z * z, logGammaOfHalf)
  return z > 0 ? 1 - tail : tail
}

/** P(Z > z) for 0 <= z < 7: Hart 1968, algorithm 5666, as given by West 2005. */
function rationalTail(z: number): number {
  const numerator =
    (((((3.52624965998911e-2 * z + 0.700383064443688) * z + 6.37396220353165) * z + 33.912866078383) * z +
      112.079291497871) *
      z +
      221.213596169931) *
      z +
    220.206867912376
  const denominator =
    ((((((8.83883476483184e-2 * z + 1.75566716318264) * z + 16.064177579207) * z + 86.7807322029461) * z +
      296.564248779674) *
      z +
      637.333633378831) *
      z +
      793.826512519948) *
      z +
    440.413735824752
  return (exp(-0.5 * z * z) * numerator) / denominator
}

/** Quantile of the standard normal distribution: Wichura, algorithm AS 241 (PPND16), relative error about 1e-16. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * central(0.180625 - q * q)
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p))
  const z = r <= 5 ? intermediate(r - 1.6) : far(r - 5)
  return q < 0 ? -z : z
}

function central(r: number): number {
  return (
    (((((((r * 2509.0809287301227 + 33430.57558358813) * r + 67265.7709270087) * r + 45921.95393154987) * r +
      13731.69376550946) *
      r +
      1971.5909503065513) *
      r +
      133.14166789178438) *
      r +
      3.3871328727963665) /
    (((((((r * 5226.495278852854 + 28729.085735721943) * r + 39307.89580009271) * r + 21213.794301586597) * r +
      5394.196021424751) *
      r +
      687.1870074920579) *
      r +
      42.31333070160091) *
      r +
      1)
  )
}

function intermediate(r: number): number {
  return (
    (((((((r * 0.0007745450142783414 + 0.022723844989269184) * r + 0.2417807251774506) * r + 1.2704582524523684) * r +
      3.6478483247632045) *
      r +
      5.769497221460691) *
      r +
      4.630337846156546) *
      r +
      1.4234371107496835) /
    (((((((r * 1.0507500716444169e-9 + 0.0005475938084995345) * r + 0.015198666563616457) * r + 0.14810397642748008) *
      r +
      0.6897673349851) *
      r +
      1.6763848301838038) *
      r +
      2.053191626637759) *
      r +
      1)
  )
}

function far(r: number): number {
  return (
    (((((((r * 2.0103343992922881e-7 + 2.7115555687434876e-5) * r + 0.0012426609473880784) * r + 0.026532189526576124) *
      r +
      0.29656057182850487) *
      r +
      1.7848265399172913) *
      r +
      5.463784911164114) *
      r +
      6.657904643501103) /
    (((((((r * 2.0442631033899397e-15 + 1.421511758316446e-7) * r + 1.8463183175100548e-5) * r +
      0.0007868691311456133) *
      r +
      0.014875361290850615) *
      r +
      0.1369298809227358) *
      r +
      0.599832206555888) *
      r +
      1)
  )
}
