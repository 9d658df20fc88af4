/** Numbers, times and words as people read them. Values are the API's; nothing is counted here. Tested in format.test.ts. */
const locale = 'en-US'

/** Thousands grouped. */
export const whole = (value: number): string => value.toLocaleString(locale)

/** Points of a score: two decimals, as the API has them, without needless zeros. */
export const points = (value: number): string => value.toLocaleString(locale, { maximumFractionDigits: 2 })

/** @param share 0 to 1 */
export const percent = (share: number): string =>
  share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 })

export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 })} s`
  return `${ms.toLocaleString(locale, { maximumFractionDigits: ms < 10 ? 2 : 0 })} ms`
}

/** @param currency ISO 4217, or null where there is none */
export function money(amount: number | string, currency: string | null): string {
  const value = Number(amount)
  if (currency === null) return value.toLocaleString(locale, { maximumFractionDigits: 6 })
  const maximumFractionDigits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) < 1 ? 6 : 2
  return value.toLocaleString(locale, { style: 'currency', currency, maximumFractionDigits })
}

export function compactMoney(amount: number, currency: string): string {
  return amount.toLocaleString(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumSignificantDigits: 3,
  })
}

const day: Intl.DateTimeFormatOptions = { day: '2-digit', month: 'short', year: 'numeric' }
const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }

/** In the reader's own time zone. */
export const moment = (iso: string): string => new Date(iso).toLocaleString(locale, { ...day, ...clock })
export const clockTime = (iso: string | number): string => new Date(iso).toLocaleTimeString(locale, clock)
export const date = (iso: string): string => new Date(iso).toLocaleDateString(locale, day)

const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

/** `3 min. ago`. @param now Unix milliseconds */
export function ago(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  const [size, unit] = steps.find(([least]) => Math.abs(seconds) >= least) ?? [1, 'second']
  return relative.format(Math.trunc(seconds / size), unit)
}

/** `in_progress` as `In progress`; abbreviations keep their capitals. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ').replaceAll('-', ' ')
  const shown = text.charAt(0).toUpperCase() + text.slice(1)
  return shown.replaceAll(/\b(?:ai|mcp|sla|rto|rpo|kri|slo|id|api|sso|mfa|pii)\b/gi, (short) => short.toUpperCase())
}
