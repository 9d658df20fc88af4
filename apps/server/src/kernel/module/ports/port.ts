/**
 * Ports between modules: a question that one part of the program asks and another one answers, where an import would make
 * a circle or the asker must not know the answerer. A port is a typed key; manifests declare the modules that need it
 * (`needs`) and fill it (`fills`), and a mismatch refuses the start (ports.ts). Tested in ports.test.ts.
 */

/**
 * A typed key. `F` is the type of a filling, `R` the type its readers get: one filling, or the list of all.
 * The default holds for a port without a filling, and for everybody until all modules are made.
 */
export interface Port<F = unknown, R = unknown> {
  /** `<owner>.<name>`: a module, or `kernel`. */
  readonly name: string
  readonly cardinality: 'one' | 'many'
  /** Null where the program does not start without a filling. */
  readonly default: { readonly value: unknown } | null
  readonly types?: { readonly filling: F; readonly read: R }
}

const namePattern = /^[a-z][a-z-]*\.[a-z][a-z0-9_]*$/

/**
 * @example const seatLimitPort = definePort<SeatLimit>({ name: 'iam.seat_limit', cardinality: 'one', default: () => null })
 * @throws TypeError for a name of another form
 */
export function definePort<T>(input: {
  readonly name: string
  readonly cardinality: 'one'
  readonly default?: T
}): Port<T, T>
export function definePort<T>(input: { readonly name: string; readonly cardinality: 'many' }): Port<T, readonly T[]>
export function definePort<T>(input: {
  readonly name: string
  readonly cardinality: Port['cardinality']
  readonly default?: T
}): Port {
  const { name, cardinality } = input
  if (!namePattern.test(name)) throw new TypeError(`${name} is not the name of a port: write <owner>.<name>`)
  if (cardinality === 'many') return { name, cardinality, default: { value: [] } }
  return { name, cardinality, default: input.default === undefined ? null : { value: input.default } }
}

/** A port with the function that makes its filling from the services of the module that fills it. */
export interface PortFilling<S = never> {
  readonly port: Port
  readonly value: (services: S) => unknown
}

/** @example fills: [fill(seatLimitPort, ({ seats }: AdminServices) => seats.limit)] */
export function fill<S, F>(port: Port<F>, value: (services: S) => NoInfer<F>): PortFilling<S> {
  return { port, value }
}

/**
 * Gives the reader of a port that stands in the caller's `needs`. Call the reader when its answer is used and not before:
 * until every module is made it gives the port's default, and throws where there is none.
 * @throws TypeError for a port that the caller does not declare
 */
export type Need = <R>(port: Port<unknown, R>) => () => R
