/**
 * Merge patches (RFC 7396) of documents within a resource. Promises that what a patch does not name stays, that lists
 * are replaced, and that null takes a member back, save where the document's own schema takes null: there it is a value
 * like any other, which no patch could set otherwise. Tested in merge-patch.test.ts.
 */

import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import { isRecord } from '../../base/is-record.ts'
import { nullable, strictObject } from '../../schema/types.ts'

/** A patch of a document all of whose members may be left out. */
export type MergePatchOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatchOf<Exclude<T[K], undefined>> | null }
    : T

/** The relevant part of a schema; both forms of an object, with members of its own or with any, are merged. */
interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: TSchema | boolean
  readonly anyOf?: readonly { readonly type?: string }[]
}

/** The schema of merge patches for another schema. */
export function mergePatchOf<S extends TSchema>(schema: S): TUnsafe<MergePatchOf<Static<S>>> {
  return Type.Unsafe<MergePatchOf<Static<S>>>(patchSchema(schema))
}

function patchSchema(schema: TSchema): TSchema {
  const { properties, additionalProperties: others } = schema as Shape
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, member]) => [name, Type.Optional(memberSchema(member))])
    return strictObject(Object.fromEntries(members))
  }
  return isRecord(others) ? Type.Unsafe({ ...schema, additionalProperties: memberSchema(others) }) : schema
}

function memberSchema(schema: TSchema): TSchema {
  return takesNull(schema) ? schema : nullable(patchSchema(schema))
}

const takesNull = (schema: TSchema | undefined): boolean =>
  (schema as Shape | undefined)?.anyOf?.some(({ type }) => type === 'null') === true

/** The document with the patch laid over it; neither is changed. */
export function applyMergePatch<S extends TSchema>(
  schema: S,
  document: Static<S>,
  patch: MergePatchOf<Static<S>>,
): Static<S> {
  return merged(schema, document, patch) as Static<S>
}

function merged(schema: TSchema | undefined, before: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const after: Record<string, unknown> = isRecord(before) ? { ...before } : {}
  for (const [name, value] of Object.entries(patch)) {
    const member = memberOf(schema, name)
    if (value === null && !takesNull(member)) delete after[name]
    else after[name] = merged(member, after[name], value)
  }
  return after
}

function memberOf(schema: TSchema | undefined, name: string): TSchema | undefined {
  const { properties, additionalProperties: others } = (schema ?? {}) as Shape
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  return isRecord(others) ? (others as TSchema) : undefined
}
