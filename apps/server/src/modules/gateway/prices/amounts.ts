/**
 * Money in nano-units, billionths of a currency's unit, as whole numbers. Promises that no amount passes through a
 * floating-point number: texts are read digit by digit and written back exactly. Tested in amounts.test.ts.
 */
export type Nano = bigint

const decimals = 9
export const nanoPerUnit: Nano = 1_000_000_000n

/** A decimal without an exponent; at most nine digits after the point. */
export const amountPattern = '^\\d{1,12}(?:\\.\\d{1,9})?$'
export const signedAmountPattern = '^-?\\d{1,12}(?:\\.\\d{1,9})?$'

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?$/

/** @throws RangeError for a text that is no decimal or finer than a nano-unit */
export function parseAmount(text: string): Nano {
  const [, sign, whole = '', fraction = ''] = decimalForm.exec(text) ?? []
  if (sign === undefined || fraction.length > decimals) throw new RangeError(`Not an amount: ${text}`)
  const nano = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '-' ? -nano : nano
}

/** The shortest decimal that says the same. */
export function formatAmount(nano: Nano): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/(?<!0)0+$/, '')
  const text = `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
  return nano < 0n ? `-${text}` : text
}

/** Rounded up: a fraction of a nano-unit that was used is owed. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend > 0n && dividend % divisor !== 0n ? quotient + 1n : quotient
}

const numberForm = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/**
 * Moves the point of a number as JSON writes it: `1.5e-7` by 6 is `0.15`. The digits stay as they are, so a price
 * written as a float means its digits and not the nearest double.
 * @throws RangeError for a text that is not a number of 0 or more, or needs more than nine decimal places
 */
export function shiftDecimal(text: string, places: number): string {
  const [, whole = '', fraction = '', exponent = '0'] = numberForm.exec(text) ?? []
  if (whole === '') throw new RangeError(`Not a price: ${text}`)
  const shift = Number(exponent) + places - fraction.length + decimals
  if (Math.abs(shift) > 60) throw new RangeError(`Not a price: ${text}`)
  const mantissa = BigInt(whole + fraction)
  if (shift >= 0) return formatAmount(mantissa * 10n ** BigInt(shift))
  const divisor = 10n ** BigInt(-shift)
  if (mantissa % divisor !== 0n) throw new RangeError(`Finer than a billionth: ${text}`)
  return formatAmount(mantissa / divisor)
}
