import { isPermission } from '../access/permissions.ts'
import type { Route } from './route.ts'

const pathPattern = /^(?:\/(?:[a-z0-9][a-z0-9.-]*|\{[a-z][a-z0-9_]*\}))+$/
/** Standards write some of their segments with capitals, or a dot in front. */
const fixedPathPattern = /^(?:\/(?:\.?[A-Za-z0-9][A-Za-z0-9._-]*|\{[a-z][a-z0-9_]*\}))+$/

const withoutPermission: ReadonlySet<string> = new Set(['public', 'authenticated', 'agent'])

/** Each rule with the error of a declaration that breaks it; such a declaration does not start. */
const rules: readonly (readonly [holds: (route: Route) => boolean, wrong: (route: Route) => string])[] = [
  [
    ({ path, raw }) => (raw === null ? pathPattern : fixedPathPattern).test(path),
    () => 'is no path of lower-case segments and {parameters}',
  ],
  [({ path }) => new Set(namesIn(path)).size === namesIn(path).length, () => 'has a path with one name twice'],
  [
    ({ permission }) => withoutPermission.has(permission) || isPermission(permission),
    ({ permission }) => `asks for ${JSON.stringify(permission)}, which is no permission`,
  ],
  [
    ({ method, permission, audit }) => method === 'GET' || permission === 'public' || audit !== null,
    () => 'changes something and names no audit action',
  ],
  [
    ({ method, body }) => body === null || method === 'POST' || method === 'PUT' || method === 'PATCH',
    () => 'takes a body, which its method does not have',
  ],
  [({ method, raw }) => method !== 'PUT' || raw !== null, () => 'replaces a resource of ours, which are merge-patched'],
  [({ form, method, open }) => !form || (method === 'POST' && open), () => 'takes a form and is no open POST'],
  [
    ({ list }) => list === null || list.table.sorts.includes(list.default.replace(/^-/, '')),
    ({ list }) => `has a list whose default sort ${list?.default} is none of its table's`,
  ],
  [
    ({ path, params }) => Object.keys(params).every((name) => namesIn(path).includes(name)),
    () => 'describes a parameter that its path does not have',
  ],
  [({ ranges, files, method }) => !ranges || (files.length > 0 && method === 'GET'), () => 'serves ranges of no file'],
  [
    ({ upload, method, form, permission }) =>
      upload === null || ((method === 'POST' || method === 'PUT') && !form && permission !== 'public'),
    () => 'takes a file and is no POST of a known caller',
  ],
  [
    ({ upload, body }) => upload === null || upload.as === 'multipart' || body === null,
    () => 'takes a file as its body and describes a body beside it',
  ],
  [
    ({ alternatives, list }) => alternatives.length === 0 || list === null,
    () => 'is a list and has more than one success',
  ],
  [
    ({ alternatives, returns }) =>
      new Set([returns, ...alternatives].map(([status]) => status)).size === alternatives.length + 1,
    () => 'returns one status in two ways',
  ],
  [({ raw, list }) => raw === null || list === null, () => 'is a raw list: pages need the envelope'],
  [
    ({ raw, path }) => raw === null || path.startsWith(`${raw.under}/`),
    ({ raw }) => `answers in the form of ${raw?.under}, which it is not under`,
  ],
  [({ raw, body, open }) => raw === null || body === null || open, () => "has a vendor's body and is not open"],
]

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** @throws TypeError that names the route and its error */
export function refuseIncomplete(route: Route): void {
  for (const [holds, wrong] of rules) {
    if (!holds(route)) throw new TypeError(`${route.method} ${route.path} ${wrong(route)}`)
  }
}
