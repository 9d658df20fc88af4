import Type, { type TNull, type TObject, type TOptional, type TProperties, type TSchema, type TUnion } from 'typebox'

/** Shapes every module uses, so that one fact (bounds of an id, form of a time) is written once. */
export const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
/**
 * Stricter than the format: no offsets, the year 0 and seconds of 60, which the database refuses or
 * `Date.parse` cannot read, so that a comparison with it would be false both ways.
 */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d{1,9})?Z$',
  maxLength: 30,
  description: 'ISO 8601, UTC, years 1000 to 2999',
})
export const Email = Type.String({ format: 'email', minLength: 3, maxLength: 254 })
export const Slug = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', maxLength: 63 })

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** One of the listed words. */
export function oneOf<const W extends readonly string[]>(...words: W) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words] })
}

/** An object that takes no other members. */
export function strictObject<P extends TProperties>(
  properties: P,
  options: { readonly description?: string } = {},
): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** A merge patch (RFC 7396) of members that may be left out: null takes one back. */
export function mergePatch<P extends TProperties>(properties: P) {
  const members = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(nullable(schema))] as const)
  return strictObject(Object.fromEntries(members) as { [K in keyof P]: TOptional<TUnion<[P[K], TNull]>> })
}

/** A resource: its own fields after the four every resource has. */
export function resource<P extends TProperties>(properties: P) {
  return strictObject({
    id: Uuid,
    tenant_id: Uuid,
    created_at: Timestamp,
    updated_at: Timestamp,
    ...properties,
  })
}

/** The item of a list of resources that can be changed right from it: with its entity tag, which the kernel adds. */
export function listed<P extends TProperties>(resource: TObject<P>) {
  return strictObject({ ...resource.properties, etag: Type.String({ maxLength: 64 }) })
}

/** Body of a deletion's answer. */
export const Deleted = strictObject({ id: Uuid, deleted: Type.Boolean() })
