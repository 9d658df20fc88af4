/**
 * Facts: data that a module publishes about itself for readers that it does not know, such as compliance checks, reports,
 * knowledge sources and models of attacks or outages. A fact is declared in the manifest of its owner and read by name
 * through `factsPort` (facts.ts). It holds counts, states and names of things, never contents. Tested in facts.test.ts.
 */
import type { Static, TObject } from 'typebox'
import type { Permission } from '../access/permissions.ts'
import type { Tx } from '../db/port.ts'
import { strictObject } from '../schema/types.ts'

/** Input of a fact's read function. */
export interface FactContext<S = unknown, Q = Readonly<Record<never, never>>> {
  readonly services: S
  /** Of the tenant that the fact is about; read one or two statements in it, on columns with an index. */
  readonly tx: Tx
  /** The moment of the reading, ISO 8601. */
  readonly at: string
  readonly query: Q
}

export interface FactDefinition<S = unknown, T extends TObject = TObject, Q extends TObject = TObject> {
  /** `<module>.<fact>`; hyphens of module names are underscores, as in channels. */
  readonly name: string
  readonly description: string
  /** A caller needs it; jobs of the system do not. */
  readonly permission: Permission
  /** Of the data. A reading that has another form is an error of the owner. */
  readonly schema: T
  /** The readers' choices; every member is optional. */
  readonly query: Q
  readonly read: (context: FactContext<S, Static<Q>>) => Promise<Static<T>>
}

type FactInput<S, T extends TObject, Q extends TObject> = Omit<FactDefinition<S, T, Q>, 'query'> & {
  readonly query?: Q
}

const namePattern = /^[a-z][a-z_]*\.[a-z][a-z0-9_]{0,59}$/

/**
 * Annotate the parameter of `read` as `FactContext<Services>` where it reads services.
 *
 * @example const providersFact = defineFact({ name: 'gateway.providers', …, read: async ({ tx }) => ({ providers: await … }) })
 * @throws TypeError for a name of another form, and for a query with a required member
 */
export function defineFact<S, T extends TObject, Q extends TObject = TObject<Record<never, never>>>(
  input: FactInput<S, T, Q>,
): FactDefinition<S, T, Q> {
  const { name, query = strictObject({}) as unknown as Q } = input
  if (!namePattern.test(name)) throw new TypeError(`${name} is not the name of a fact: write <module>.<fact>`)
  if ((query.required ?? []).length > 0) throw new TypeError(`the query of the fact ${name} has a required member`)
  return { ...input, query }
}

/** The module that a fact's name begins with. */
export const ownerIn = (name: string): string => (name.split('.')[0] ?? '').replaceAll('_', '-')
