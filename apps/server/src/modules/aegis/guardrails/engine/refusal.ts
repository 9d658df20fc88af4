/** A guardrail that cannot be used, and the place in it that is meant. */
export class GuardrailRefusal extends Error {
  readonly kind: 'expression' | 'cost' | 'schema' | 'form'
  /** JSON Pointer in the guardrail. */
  readonly pointer: string

  constructor(kind: GuardrailRefusal['kind'], pointer: string, message: string) {
    super(message)
    this.kind = kind
    this.pointer = pointer
  }
}

/** A check that could not be decided for a call. */
export class CheckFault extends Error {}
