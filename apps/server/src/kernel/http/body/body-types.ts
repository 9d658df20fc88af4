import type { Route } from '../../module/route.ts'

export const multipartType = 'multipart/form-data'
export const formType = 'application/x-www-form-urlencoded'
export const defaultTypes: readonly string[] = ['application/json', 'application/merge-patch+json']

/** Media types of the bodies that a route reads. */
export function bodyTypes({ form, raw, upload }: Pick<Route, 'form' | 'raw' | 'upload'>): readonly string[] {
  if (upload !== null) return upload.as === 'multipart' ? [multipartType] : upload.mediaTypes
  if (form) return [formType]
  return raw?.mediaType === undefined ? defaultTypes : [raw.mediaType, ...defaultTypes]
}
