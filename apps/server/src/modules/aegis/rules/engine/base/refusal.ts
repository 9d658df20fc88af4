/** A rule that cannot be compiled: which construct, and where. */
export class RuleRefusal extends Error {
  readonly construct: string
  /** JSON pointer from the root of the rule. */
  readonly pointer: string
  /** `unsafe` where the pattern or expression would cost too much, `expression` where CEL refuses it. */
  readonly kind: 'unsupported' | 'unsafe' | 'expression'

  constructor(construct: string, pointer: string, detail: string, kind: RuleRefusal['kind'] = 'unsupported') {
    super(detail)
    this.name = 'RuleRefusal'
    this.construct = construct
    this.pointer = pointer
    this.kind = kind
  }
}

/** A segment of a JSON pointer (RFC 6901). */
export const segment = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
