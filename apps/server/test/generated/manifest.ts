/**
 * The declared routes as data, read from the manifests and not from a running program, so that a suite knows its cases
 * before anything is started. It promises one entry per declared route; each suite defines the answers it expects.
 * Tested by every suite of this folder: an address that is wrong here answers 404 there.
 */
import type { TObject, TSchema } from 'typebox'
import { fullPath } from '../../src/kernel/assembly/modules.ts'
import { listQuery } from '../../src/kernel/http/list.ts'
import type { Route } from '../../src/kernel/module/route.ts'
import { modules } from '../../src/modules.ts'

export interface DeclaredRoute {
  /** `POST /api/v1/iam/users` */
  readonly name: string
  readonly module: string
  /** Whole path, parameters in braces. */
  readonly path: string
  readonly params: readonly string[]
  readonly route: Route
}

export const declaredRoutes: readonly DeclaredRoute[] = modules.flatMap((module) =>
  module.routes.map(({ prefix, route }) => {
    const path = fullPath(prefix, route.path)
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    return { name: `${route.method} ${path}`, module: module.name, path, params, route }
  }),
)

/** SCIM: bodies, versions and deletions as RFC 7644 fixes them; examined beside its code. */
export const isScim = ({ path }: DeclaredRoute): boolean => path.startsWith('/scim/')

/** RFC 7644 section 3.11: declared, so that it answers 501 and not 404. */
export const isServed = ({ path }: DeclaredRoute): boolean => path !== '/scim/v2/Me'

/** Accepts JSON. Browser forms and files are examined beside their code. */
export const hasBody = ({ route }: DeclaredRoute): boolean =>
  (route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH') &&
  !route.form &&
  route.upload === null
export const isPublic = ({ route }: DeclaredRoute): boolean => route.permission === 'public'
export const isList = ({ route }: DeclaredRoute): boolean => route.list !== null

/** A GET of one resource by people: its path ends with that resource's id. */
export function isSingle({ route, path }: DeclaredRoute): boolean {
  return route.method === 'GET' && route.list === null && path.endsWith('}') && route.permission !== 'agent'
}

/** Lists take three parameters that they do not declare themselves. */
export function querySchema({ route }: DeclaredRoute): TObject | null {
  return route.list === null ? route.query : listQuery(route.list, route.query)
}

/** The path with its parameters filled in. @throws Error for a parameter without a value */
export function fill(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`no value for the parameter ${name} of ${path}`)
    return id
  })
}

/** The declared routes that answer at this address, for any method. */
export function routesAt(path: string): readonly DeclaredRoute[] {
  return declaredRoutes.filter((declared) =>
    new RegExp(`^${declared.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

/** The single-resource GET at this path. */
export function singleAt(path: string): DeclaredRoute | undefined {
  return declaredRoutes.find((declared) => declared.path === path && isSingle(declared))
}

/** Everything a caller may hand to a route, by where it stands. */
export function requestSchemas(declared: DeclaredRoute): readonly (readonly [where: string, schema: TSchema])[] {
  const query = querySchema(declared)
  return [
    ...(declared.route.body === null ? [] : [['body', declared.route.body] as const]),
    ...(query === null ? [] : [['query', query] as const]),
    ...Object.entries(declared.route.params).map(([name, schema]) => [`path ${name}`, schema] as const),
  ]
}
