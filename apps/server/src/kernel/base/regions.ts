/** Where data is dealt with: countries, and the unions that stand for theirs. Tested in regions.test.ts. */
import Type from 'typebox'

/** ISO 3166-1 alpha-2, EU or EEA. */
export const Region = Type.String({ pattern: '^(?:[A-Z]{2}|EEA)$', maxLength: 3 })

/** Member states as of 2026-01-01: EU per europa.eu, EEA is the EU with Iceland, Liechtenstein and Norway. */
const eu = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const eea = [...eu, 'IS', 'LI', 'NO']

const unions: Readonly<Record<string, ReadonlySet<string>>> = {
  EU: new Set(eu),
  EEA: new Set([...eea, 'EU']),
}

/** Whether all regions a provider works in are among the allowed ones. One that does not say where fits no list. */
export function worksWithin(regions: readonly string[], allowed: readonly string[]): boolean {
  return regions.length > 0 && regions.every((region) => isIn(region, allowed))
}

/** The regions that both lists allow; none where they do not meet. */
export function commonRegions(one: readonly string[], other: readonly string[]): readonly string[] {
  const common = [...one.filter((region) => isIn(region, other)), ...other.filter((region) => isIn(region, one))]
  return [...new Set(common)]
}

function isIn(region: string, allowed: readonly string[]): boolean {
  return allowed.some((one) => one === region || unions[one]?.has(region))
}
