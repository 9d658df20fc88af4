import Type, { type Static } from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'

/** Whole units of up to 13 digits and two decimals: every such amount is a number without rounding. */
export const Money = Type.String({ pattern: '^(0|[1-9]\\d{0,12})(\\.\\d{1,2})?$', maxLength: 16 })
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'ISO 4217' })

/** How much annual loss is sought, borne and bearable at all; compared with the 95 % value at risk. */
export const Appetite = strictObject({
  appetite: Money,
  tolerance: Money,
  capacity: Money,
  currency: Currency,
})
export type Appetite = Static<typeof Appetite>

export const isOrdered = ({ appetite, tolerance, capacity }: Appetite): boolean =>
  Number(appetite) < Number(tolerance) && Number(tolerance) < Number(capacity)

/**
 * Share of 100 that an exposure leaves: 100 up to the appetite, linear down to 60 at the tolerance and to 0 at the
 * capacity.
 */
export function exposureScore(var95: number, appetite: Appetite): number {
  const [a, t, c] = [Number(appetite.appetite), Number(appetite.tolerance), Number(appetite.capacity)]
  if (var95 <= a) return 100
  if (var95 <= t) return 100 - (40 * (var95 - a)) / (t - a)
  return var95 >= c ? 0 : 60 - (60 * (var95 - t)) / (c - t)
}
