/**
 * A valid body for every declared route: made from its schema, and by hand where meaning asks for more than form.
 * It promises a body that the route accepts when its caller may do the thing; it does not call anything. Tested by
 * idempotency.test.ts, which sends every sample that creates something.
 */
import type { UploadDeclaration } from '../../src/kernel/module/route.ts'
import { UploadBody } from '../support/upload-body.ts'
import { type DeclaredRoute, hasBody } from './manifest.ts'
import { casesOf, type Ids } from './module-cases.ts'
import { type Json, valueFor } from './schema-values.ts'

/** Which kind of resource a member names, where the name alone does not say it. */
const memberKinds = casesOf('memberKinds')

/** The path parameter that addresses what a member of this name refers to. */
export function kindOf(member: string): string {
  return memberKinds[member] ?? member
}

const byHand = casesOf('bodies')
const filesByHand = casesOf('files')

let made = 0

/** A number that no sample of this process had. */
export function nextSample(): number {
  made += 1
  return made
}

/** Undefined for routes without a body. @throws Error when the schema's form is not known */
export function sampleBody(declared: DeclaredRoute, ids: Ids, n = nextSample()): Json | UploadBody | undefined {
  const { upload } = declared.route
  if (upload !== null) return sampleUpload(declared, upload, { ids, n })
  if (!hasBody(declared)) return undefined
  const byName = byHand[declared.name]
  if (byName !== undefined) return byName(n, ids)
  return declared.route.body === null ? {} : bodyOf(declared, ids, { n, full: false })
}

interface SampleFor {
  readonly ids: Ids
  readonly n: number
}

function sampleUpload(declared: DeclaredRoute, upload: UploadDeclaration, { ids, n }: SampleFor): UploadBody {
  const [mediaType = 'application/octet-stream'] = upload.mediaTypes
  const content = filesByHand[declared.name]?.(n) ?? Buffer.from(`sample ${n}\n`)
  if (upload.as !== 'multipart') return UploadBody.stream(mediaType, content)
  const fields = byHand[declared.name]?.(n, ids) ?? bodyOf(declared, ids, { n, full: false })
  return UploadBody.multipart(fields, { mediaType, name: `sample-${n}`, content })
}

/** From the schema alone, with every optional member: right in form, not always in meaning. */
export function fullBody(declared: DeclaredRoute, ids: Ids): Json {
  return bodyOf(declared, ids, { n: nextSample(), full: true })
}

function bodyOf(declared: DeclaredRoute, ids: Ids, how: { readonly n: number; readonly full: boolean }): Json {
  if (declared.route.body === null) return {}
  const idFor = (member: string): string => ids[kindOf(member)] ?? missing(declared, member)
  return valueFor(declared.route.body, { ...how, idFor }) as Json
}

function missing(declared: DeclaredRoute, member: string): never {
  throw new Error(
    `${declared.name} needs an id for ${member}: name its kind in memberKinds of its module’s testing/cases.ts`,
  )
}

/** Samples by hand whose route is gone. */
export function unusedSamples(names: ReadonlySet<string>): readonly string[] {
  return [...Object.keys(byHand), ...Object.keys(filesByHand)].filter((name) => !names.has(name))
}
