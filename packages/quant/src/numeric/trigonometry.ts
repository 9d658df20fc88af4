/**
 * Sine and cosine with a fixed last bit; kernels of FreeBSD msun (k_sin.c, k_cos.c), error below 1 ulp of 1 on the
 * reduced argument.
 */
const halfPiHigh = 1.5707963267341256
const halfPiMiddle = 6.077100506303966e-11
const halfPiLow = 2.0222662487959506e-21

function sineKernel(x: number): number {
  const z = x * x
  const r =
    0.00833333333332249 +
    z * (-0.0001984126982985795 + z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)))
  return x + z * x * (-0.16666666666666632 + z * r)
}

function cosineKernel(x: number): number {
  const z = x * x
  const r =
    z *
    (0.0416666666666666 +
      z *
        (-0.001388888888887411 +
          z *
            (2.480158728947673e-5 +
              z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 - z * 1.1359647557788195e-11)))))
  const half = 0.5 * z
  const w = 1 - half
  return w + (1 - w - half + z * r)
}

/** Sine of x radians, |x| below 10^6. */
export function sine(x: number): number {
  const quadrant = Math.floor(x * 0.6366197723675814 + 0.5)
  const reduced = x - quadrant * halfPiHigh - quadrant * halfPiMiddle - quadrant * halfPiLow
  const value = (quadrant & 1) === 0 ? sineKernel(reduced) : cosineKernel(reduced)
  return (quadrant & 2) === 0 ? value : -value
}

/** Cosine of x radians, |x| below 10^6. */
export function cosine(x: number): number {
  const quadrant = Math.floor(x * 0.6366197723675814 + 0.5)
  const reduced = x - quadrant * halfPiHigh - quadrant * halfPiMiddle - quadrant * halfPiLow
  const value = (quadrant & 1) === 0 ? cosineKernel(reduced) : sineKernel(reduced)
  return ((quadrant + 1) & 2) === 0 ? value : -value
}

/** Writes cosine and sine of x radians, |x| below 10^6, into `out[0]` and `out[1]`. */
export function rotation(x: number, out: Float64Array): void {
  const quadrant = Math.floor(x * 0.6366197723675814 + 0.5)
  const reduced = x - quadrant * halfPiHigh - quadrant * halfPiMiddle - quadrant * halfPiLow
  const s = sineKernel(reduced)
  const c = cosineKernel(reduced)
  const odd = (quadrant & 1) !== 0
  const re = odd ? s : c
  const im = odd ? c : s
  out[0] = ((quadrant + 1) & 2) === 0 ? re : -re
  out[1] = (quadrant & 2) === 0 ? im : -im
}
