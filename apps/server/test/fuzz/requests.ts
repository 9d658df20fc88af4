/**
 * Requests for one declared route: valid ones, its bounds, one invalid part, and hostile input in body, query, path
 * and headers. It promises that the route is reached at its own address; oracles.ts judges the answers.
 */
import fc from 'fast-check'
import { type DeclaredRoute, querySchema } from '../generated/manifest.ts'
import type { Ids } from '../generated/module-cases.ts'
import { mutationsOf } from '../generated/mutations.ts'
import { fullBody, kindOf, sampleBody } from '../generated/samples.ts'
import { isJson, valueFor } from '../generated/schema-values.ts'
import { UploadBody } from '../support/upload-body.ts'
import { bodies, junk, texts } from './hostile.ts'
import { contentTypes, credentials, headers as hostileHeaders, queryPieces } from './hostile-parts.ts'
import { edgesOf, idOf, replaced, spotsIn, validValue } from './values.ts'

export interface FuzzRequest {
  /** Index into the callers of the route. */
  readonly caller: number
  readonly method: string
  /** Path and query; kinds of resources stand for ids. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | Buffer | undefined
  /** Which of the known ids of each kind are meant. */
  readonly pick: number
}

/** Each kind of resource in the place of an id of it. */
const kinds: Ids = new Proxy({}, { get: (_ids, kind) => idOf(String(kind)) })

export function requestsFor(declared: DeclaredRoute): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      caller: fc.nat(99),
      path: pathOf(declared),
      query: queryOf(declared),
      sent: sentTo(declared),
      headers: headersOf(),
      pick: fc.nat(1_000),
    })
    .map(({ caller, path, query, sent, headers, pick }) => ({
      caller,
      method: declared.route.method,
      url: query === '' ? path : `${path}?${query}`,
      headers: { ...sent.headers, ...headers },
      payload: sent.payload,
      pick,
    }))
}

/** URL parsers remove a segment of dots alone, so the address would be another route's. */
const segments = texts
  .filter((text) => text !== '' && !/^\.{1,2}$/.test(text) && isEncodable(text))
  .map((text) => text.slice(0, 2_000))

function isEncodable(text: string): boolean {
  try {
    encodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function pathOf({ path, params, route }: DeclaredRoute): fc.Arbitrary<string> {
  const values = params.map((name) => {
    const schema = route.params[name]
    const form = schema === undefined ? fc.uuid() : validValue(schema, name).map(String)
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(idOf(name)) },
      { weight: 1, arbitrary: form.filter((text) => isEncodable(text)).map(encodeURIComponent) },
      { weight: 1, arbitrary: fc.constantFrom(...segments).map(encodeURIComponent) },
    )
  })
  return fc.tuple(...values).map((chosen) => {
    const byName = new Map(params.map((name, at) => [name, chosen[at] ?? '']))
    return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => byName.get(name) ?? '')
  })
}

function queryOf(declared: DeclaredRoute): fc.Arbitrary<string> {
  const schema = querySchema(declared)
  const required = new Set<string>(schema?.required ?? [])
  const pairs = Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const valid = { weight: 4, arbitrary: validValue(property, name) }
    const edge = { weight: 1, arbitrary: fc.constantFrom(...edgesOf(isJson(property) ? property : {})) }
    const value = fc
      .oneof(valid, edge, { weight: 1, arbitrary: fc.constantFrom(...texts) })
      .map((given) => pair(name, given))
    const without = { weight: required.has(name) ? 1 : 60, arbitrary: fc.constant('') }
    return fc.oneof({ weight: 20, arbitrary: value }, without)
  })
  const declaredOnes = fc.tuple(...pairs).map((given) => given.filter((text) => text !== '').join('&'))
  const odd = fc
    .tuple(declaredOnes, fc.constantFrom(...queryPieces))
    .map((parts) => parts.filter((part) => part !== '').join('&'))
  return fc.oneof({ weight: 4, arbitrary: declaredOnes }, { weight: 1, arbitrary: odd })
}

function pair(name: string, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `${name}=${isEncodable(text) ? encodeURIComponent(text.slice(0, 3_000)) : '%ed%a0%80'}`
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | Buffer | undefined
}

/** A file with its fields, whole, cut or with bytes in its middle that are not its own. */
function uploadTo(declared: DeclaredRoute): fc.Arbitrary<Sent> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: 5_000 }),
      fc.constantFrom('whole', 'cut', 'changed'),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(([n, how, place]) => {
      const body = sampleBody(declared, kinds, n)
      if (!(body instanceof UploadBody)) return { headers: {}, payload: undefined }
      const at = Math.floor(place * body.payload.length)
      const payload = Buffer.from(how === 'cut' ? body.payload.subarray(0, at) : body.payload)
      if (how === 'changed') payload.fill(0xff, at, at + 3)
      return { headers: { 'content-type': body.contentType }, payload }
    })
}

function sentTo(declared: DeclaredRoute): fc.Arbitrary<Sent> {
  const type = mediaTypeOf(declared)
  const raw = fc
    .tuple(
      fc.constantFrom(...bodies),
      fc.oneof({ weight: 2, arbitrary: fc.constant(type) }, fc.constantFrom(...contentTypes)),
    )
    .map(([payload, contentType]) => ({ headers: { 'content-type': contentType }, payload }))
  const { method } = declared.route
  if (method === 'GET' || method === 'DELETE') {
    const none = fc.constant({ headers: {}, payload: undefined })
    return fc.oneof({ weight: 19, arbitrary: none }, { weight: 1, arbitrary: raw })
  }
  if (declared.route.upload !== null)
    return fc.oneof({ weight: 3, arbitrary: uploadTo(declared) }, { weight: 1, arbitrary: raw })
  const made = bodyOf(declared).map((body) => ({ headers: { 'content-type': type }, payload: written(declared, body) }))
  const mislabeled = fc
    .tuple(bodyOf(declared), fc.constantFrom(...contentTypes))
    .map(([body, contentType]) => ({ headers: { 'content-type': contentType }, payload: written(declared, body) }))
  return fc.oneof({ weight: 12, arbitrary: made }, { weight: 4, arbitrary: raw }, { weight: 1, arbitrary: mislabeled })
}

function mediaTypeOf({ route }: DeclaredRoute): string {
  if (route.form) return 'application/x-www-form-urlencoded'
  return route.raw?.mediaType ?? 'application/json'
}

function written({ route }: DeclaredRoute, body: unknown): string {
  if (!route.form || !isJson(body)) return JSON.stringify(body) ?? ''
  return Object.entries(body)
    .map(([name, value]) => pair(name, value))
    .join('&')
}

/** Made by hand where meaning asks for it, from the schema, and both with one part replaced. */
function bodyOf(declared: DeclaredRoute): fc.Arbitrary<unknown> {
  const schema = declared.route.body ?? { type: 'object' }
  const sample = fc
    .integer({ min: 1, max: 5_000 })
    .map((n) => sampleBody(declared, kinds, n) ?? formSample(declared, n))
  const full = fullBody(declared, kinds)
  const fromSchema = validValue(schema)
  const grown = fc.tuple(sample, fromSchema).map(([base, more]) => ({ ...asMembers(more), ...base }))
  const changed = fc.tuple(sample, fromSchema).map(([base, more]) => ({ ...base, ...asMembers(more) }))
  const base = fc.oneof(sample, fc.constant(full), grown)
  const broken = (others: (schema: unknown) => readonly unknown[]) =>
    base.chain((value) =>
      fc
        .constantFrom(...spotsIn(schema, value))
        .chain(({ path, schema: at }) => fc.constantFrom(...others(at)).map((other) => replaced(value, path, other))),
    )
  const mutated = mutationsOf(full)
  return fc.oneof(
    { weight: 1, arbitrary: sample },
    { weight: 2, arbitrary: grown },
    { weight: 1, arbitrary: changed },
    { weight: 1, arbitrary: fromSchema },
    { weight: 3, arbitrary: broken((at) => edgesOf(isJson(at) ? at : {})) },
    { weight: 6, arbitrary: broken(() => junk) },
    { weight: 4, arbitrary: fc.nat(mutated.length - 1).map((at) => mutated[at]?.value) },
  )
}

const asMembers = (value: unknown): object => (isJson(value) ? value : {})

function formSample({ route }: DeclaredRoute, n: number): object {
  return asMembers(
    valueFor(route.body ?? { type: 'object' }, { n, full: true, idFor: (member) => idOf(kindOf(member)) }),
  )
}

function headersOf(): fc.Arbitrary<Readonly<Record<string, string>>> {
  const one = fc
    .constantFrom(...Object.keys(hostileHeaders))
    .chain((name) => fc.constantFrom(...(hostileHeaders[name] ?? [''])).map((value) => ({ [name]: value })))
  const some = fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => Object.assign({}, ...all))
  const credential = fc.constantFrom(...credentials).map((authorization) => ({ authorization }))
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: some },
    { weight: 1, arbitrary: credential },
  )
}
