/**
 * Whether something from outside has a declared form. Promises the compiled answer: a schema is compiled when it is first
 * asked about, because reading one anew for every value costs a call more than the rest of decoding it. Tested in
 * fits.test.ts.
 */
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

const compiled = new WeakMap<TSchema, Validator>()

/** The checker of a schema, made when it is first asked for. */
export function compiledOf(schema: TSchema): Validator {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validator: Validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** True when the value is as the schema says; nothing is coerced. */
export function fits<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return compiledOf(schema).Check(value)
}
