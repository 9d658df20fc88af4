/**
 * Which addresses answer in a vendor's form. By the address alone, so that it is known for every error, wherever a
 * request ended. Tested in test/kernel/raw-routes.test.ts.
 */
import type { RawForm } from '../module/raw-form.ts'
import type { PlacedRoute } from './parts.ts'

export type FormOf = (path: string) => RawForm | null

export function rawForms(routes: readonly PlacedRoute[]): FormOf {
  const forms = new Map<string, RawForm>()
  for (const { path, route } of routes) {
    if (route.raw === null) continue
    const above = path.slice(0, path.length - route.path.length)
    forms.set(above + route.raw.under, route.raw)
  }
  const prefixes = [...forms]
    .map(([prefix, form]) => ({ prefix, inside: `${prefix}/`, form }))
    // Of two that hold the one further down counts.
    .toSorted((one, other) => other.prefix.length - one.prefix.length)
  refuseMixed(routes, prefixes)
  return (path) => prefixes.find(({ prefix, inside }) => path === prefix || path.startsWith(inside))?.form ?? null
}

/** @throws TypeError for a route that wears the envelope where a vendor's form holds */
function refuseMixed(routes: readonly PlacedRoute[], prefixes: readonly { readonly inside: string }[]): void {
  const mixed = routes.find(
    ({ path, route }) => route.raw === null && prefixes.some(({ inside }) => path.startsWith(inside)),
  )
  if (mixed !== undefined) throw new TypeError(`${mixed.path} wears the envelope below a vendor's form`)
}
