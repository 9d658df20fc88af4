/** National telephone numbers as printed inside their country, as identifiers of the topic `phone`. */
import { dayExists, numberAt } from '../base/calendar.ts'
import { isOneDigit } from '../base/check-digits.ts'
import type { Identifier } from '../base/identifier.ts'
import { type Plan, plans } from './phone-plans.ts'

export const nationalPhones: readonly Identifier[] = plans.flatMap(identifiersOf)

/** Printed forms whose punctuation says telephone by itself, and forms that only context makes one. */
function identifiersOf(plan: Plan): Identifier[] {
  const tellTale = plan.national?.filter(isTellTale) ?? []
  const plain = plan.national?.filter((layout) => !isTellTale(layout)) ?? []
  return [identifierOf(plan, tellTale, 0.6), identifierOf(plan, plain, 0)].filter(({ layouts }) => layouts.length > 0)
}

/** Area code in parentheses, a leading 0 with at least three groups, or the North American 3-3-4 with marks. */
function isTellTale(layout: string): boolean {
  if (/^(?:1[-. ]?)?\(|^07xxx x{6}$/.test(layout)) return true
  const pieces = layout.split(/[^0-9x]/).length
  return (
    (/^[08]/.test(layout) && pieces >= 4) ||
    /^0\d{0,2}x{1,3}-x{3,4}-x{4}$/.test(layout) ||
    /^(?:1[-.])?xxx[-.]xxx[-.]xxxx$/.test(layout)
  )
}

function identifierOf(plan: Plan, layouts: readonly string[], chance: number): Identifier {
  const starts = plan.starts ?? /^/
  const patterns = layouts.map(literalPattern)
  return {
    id: `phone-${plan.country.toLowerCase()}`,
    type: 'PHONE',
    country: plan.country,
    layouts: layouts.map((layout) => layout.replace(/[x\d]/g, '0')),
    valid: (id, printed) =>
      starts.test(id) && !isOneDigit(id) && !isDate(id, printed) && patterns.some((pattern) => pattern.test(id)),
    context: [],
    topic: 'phone',
    chance,
    unchecked: true,
  }
}

function literalPattern(layout: string): RegExp {
  return new RegExp(`^${layout.replace(/[^x\d]/g, '').replace(/x/g, '\\d')}$`)
}

/** `12.05.2024`, `2024-05-17` and `20240517` are days. */
const isDate = (id: string, printed: string): boolean =>
  id.length === 8 &&
  (/^(?:19|20)\d\d\D?\d\d\D?\d\d$/.test(printed) || /^\d\d\D\d\d\D(?:19|20)\d\d$/.test(printed)) &&
  (dayExists(numberAt(id, 4, 2), numberAt(id, 6, 2)) || dayExists(numberAt(id, 2, 2), numberAt(id, 0, 2)))
