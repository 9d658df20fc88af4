import type { Route } from '../../module/route.ts'

export const formType = 'application/x-www-form-urlencoded'
export const defaultTypes: readonly string[] = ['application/json', 'application/merge-patch+json']

/** Media types of the bodies that a route reads. */
export function bodyTypes({ form, raw }: Pick<Route, 'form' | 'raw'>): readonly string[] {
  if (form) return [formType]
  return raw?.mediaType === undefined ? defaultTypes : [raw.mediaType, ...defaultTypes]
}
