import type { TSchema } from 'typebox'
import { isUuid } from '../base/uuid.ts'
import { apiErrors } from '../errors/errors.ts'
import { lazyCheck } from './validators.ts'

/** @throws API-001 for percent-encoding that is not UTF-8, which the query parser would hand on as it is */
export function assertDecodable(url: string): void {
  const begin = url.indexOf('?')
  if (begin === -1 || !url.includes('%', begin)) return
  try {
    decodeURIComponent(url.slice(begin + 1))
  } catch (error) {
    throw apiErrors.validation({ what: 'The query is not valid percent-encoded UTF-8.' }).causedBy(error)
  }
}

/** An id that cannot exist is an id that does not exist: 404, like any other. */
export function paramChecks(
  path: string,
  schemas: Readonly<Record<string, TSchema>>,
): (params: Readonly<Record<string, string>>) => void {
  const checks = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = schemas[name]
    const check = schema === undefined ? null : lazyCheck(schema)
    const accepts = (value: string): boolean => (check === null ? isUuid(value) : check(value).length === 0)
    return { name, accepts }
  })
  return (params) => {
    for (const { name, accepts } of checks) {
      if (!accepts(params[name] ?? ''))
        throw apiErrors.notFound({ what: name.replace(/_id$/, '').replaceAll('_', ' ') })
    }
  }
}
