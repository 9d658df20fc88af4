/** Member states as of 2026-01-01: EU per europa.eu, EEA is the EU with Iceland, Liechtenstein and Norway. */
const eu = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const eea = [...eu, 'IS', 'LI', 'NO']

const unions: Readonly<Record<string, ReadonlySet<string>>> = {
  EU: new Set(eu),
  EEA: new Set([...eea, 'EU']),
}

/** Whether all regions a provider works in are among the allowed ones. One that does not say where fits no list. */
export function worksWithin(regions: readonly string[], allowed: readonly string[]): boolean {
  return (
    regions.length > 0 && regions.every((region) => allowed.some((one) => one === region || unions[one]?.has(region)))
  )
}
