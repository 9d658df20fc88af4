/**
 * In which order the routes are fuzzed, how often, and which of them would end the run for all others: those come last
 * and are aimed at a tenant or a person of their own. Every route has a place here; none is left out.
 */
import Type from 'typebox'
import { type Route, routesOf } from '../../src/kernel/module/route.ts'
import { type DeclaredRoute, declaredRoutes, isPublic } from '../generated/manifest.ts'
import { sampled } from '../support/sampled.ts'

export type Who = 'tenant' | 'spare' | 'person'

interface Apart {
  readonly why: string
  /** `spare`: a tenant without other users; `person`: a user with no other calls. */
  readonly who: Who
}

/** In the order they are run in, after all others. */
export const apart: Readonly<Record<string, Apart>> = {
  'POST /api/v1/auth/bootstrap': { why: 'would make a second platform if it worked twice', who: 'tenant' },
  'PATCH /api/v1/iam/access-reviews/{review_id}': { why: 'takes roles away from people', who: 'tenant' },
  'POST /api/v1/admin/licenses': { why: 'a license may leave no seat for new people', who: 'tenant' },
  'DELETE /api/v1/admin/licenses/{license_id}': { why: 'needs those that were installed', who: 'tenant' },
  'POST /api/v1/gateway/kill-switches': { why: 'stops the model calls of everybody', who: 'tenant' },
  'POST /api/v1/gateway/kill-switches/{kill_switch_id}/deactivate': { why: 'needs what was stopped', who: 'tenant' },
  'POST /api/v1/admin/backups': { why: 'takes seconds, and one runs at a time', who: 'tenant' },
  'POST /api/v1/admin/backups/{backup_id}/restore': { why: 'needs a backup that is complete', who: 'tenant' },
  'POST /api/v1/auth/logout': { why: 'ends the session that calls it', who: 'person' },
  'POST /api/v1/auth/step-up': { why: 'wrong passwords lock the account', who: 'person' },
  'POST /api/v1/auth/password': { why: 'wrong passwords lock the account, right ones end sessions', who: 'person' },
  'PATCH /api/v1/iam/tenants/{tenant_id}': { why: 'suspends the tenant', who: 'spare' },
  'DELETE /api/v1/iam/tenants/{tenant_id}': { why: 'schedules the end of the tenant', who: 'spare' },
  'PATCH /api/v1/admin/config': { why: 'closes the installation for maintenance', who: 'spare' },
  'POST /api/v1/admin/keys/rotate': { why: 'an emergency ends every session', who: 'spare' },
}

const surface = routesOf<never>()
const aside = { permission: 'public', summary: '', returns: [200, Type.Unknown()], handler: async () => null } as const
const word = Type.String({ minLength: 1, maxLength: 200 })

/** Routes beside the declared ones. */
const surfaces: readonly DeclaredRoute[] = [
  ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/asyncapi.json', '/asyncapi.yaml'].map((path) =>
    beside(surface.get(path, aside)),
  ),
  beside(surface.get('/jwks.json', aside), '/.well-known'),
  beside(surface.get('/errors/{code}', { ...aside, params: { code: word } })),
  beside(surface.get('/schemas/events/{type}/1', { ...aside, params: { type: word } })),
  beside(surface.get('/{nothing}', { ...aside, params: { nothing: word } }), '/api/v1'),
  beside(surface.get('/{nothing}', { ...aside, params: { nothing: word } })),
]

function beside(route: Route, under = ''): DeclaredRoute {
  const path = `${under}${route.path}`
  return { name: `GET ${path}`, module: '', path, params: Object.keys(route.params), route }
}

export interface Stage {
  readonly name: string
  readonly routes: readonly DeclaredRoute[]
}

const usual = declaredRoutes.filter(({ name }) => !(name in apart))
const by = (...methods: readonly string[]): readonly DeclaredRoute[] =>
  usual.filter(({ route }) => methods.includes(route.method))

/** Reads come after creations, so that they read the data that hostile requests have left behind. */
export const stages: readonly Stage[] = [
  { name: 'that make something', routes: by('POST') },
  { name: 'that read', routes: by('GET') },
  { name: 'that change something', routes: by('PATCH', 'PUT') },
  { name: 'that end something', routes: by('DELETE') },
  { name: 'beside the declared ones', routes: surfaces },
  {
    name: 'that would end the run for others',
    routes: Object.keys(apart).flatMap((wanted) => declaredRoutes.filter(({ name }) => name === wanted)),
  },
]

/** Routes that leave work behind, or hash a password, which takes a twentieth of a second. */
const dear: Readonly<Record<string, number>> = {
  'POST /api/v1/admin/backups': 12,
  'POST /api/v1/admin/backups/{backup_id}/restore': 25,
  'POST /api/v1/admin/keys/rotate': 60,
  'POST /api/v1/iam/tenants': 40,
  'PATCH /api/v1/iam/tenants/{tenant_id}': 70,
  'PATCH /api/v1/admin/config': 100,
  'POST /api/v1/iam/tenants/{tenant_id}/export': 40,
  'POST /api/v1/gateway/requests/export': 40,
  'POST /api/v1/gateway/policies/{policy_id}/simulate': 120,
  'POST /api/v1/auth/login': 60,
  'POST /api/v1/auth/logout': 40,
  'POST /api/v1/auth/step-up': 40,
  'POST /api/v1/auth/password': 40,
}

/**
 * Routes with more input are asked more often; most hostile requests are refused before they cost anything. Of a change
 * every part may be left out, so more of them come through, and a change costs the most.
 */
export function runsOf(declared: DeclaredRoute): number {
  return sampled(wholeRunsOf(declared))
}

function wholeRunsOf({ name, route, params }: DeclaredRoute): number {
  if (name in dear) return dear[name] ?? 0
  if (route.body !== null) return route.method === 'POST' ? 250 : 120
  return route.query !== null || route.list !== null ? 110 : params.length > 0 ? 60 : 30
}

/** Whose credential a route is asked with first; a few requests come from others. */
export function whoAsks(declared: DeclaredRoute): Who | 'stranger' {
  if (isPublic(declared)) return 'stranger'
  const { who } = apart[declared.name] ?? { who: declared.path.startsWith('/api/v1/auth/') ? 'person' : 'tenant' }
  return who
}

/**
 * Failures that are the right answer: a system outside the program, or an operator, has to act first. Everything else
 * of 500 and above is a fault.
 */
export const allowed: Readonly<Record<string, string>> = {
  'POST /api/v1/gateway/providers 502 GW-011': 'asked to test a provider that does not answer',
  'GET /scim/v2/Me 501 IAM-019': 'not served, as RFC 7644 section 3.11 has it said',
  'POST /scim/v2/Me 501 IAM-019': 'not served, as RFC 7644 section 3.11 has it said',
  'PUT /scim/v2/Me 501 IAM-019': 'not served, as RFC 7644 section 3.11 has it said',
  'PATCH /scim/v2/Me 501 IAM-019': 'not served, as RFC 7644 section 3.11 has it said',
  'DELETE /scim/v2/Me 501 IAM-019': 'not served, as RFC 7644 section 3.11 has it said',
}
