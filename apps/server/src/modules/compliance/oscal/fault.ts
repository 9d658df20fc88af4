/** A fault of a document, told to its sender. */
export interface Fault {
  /** JSON pointer into the document. */
  readonly pointer: string
  readonly detail: string
}

export type FaultKind = 'unknown' | 'invalid' | 'unresolved' | 'relation'

/** A document that cannot be taken. */
export class DocumentFault extends Error {
  readonly kind: FaultKind
  readonly faults: readonly Fault[]

  constructor(kind: FaultKind, message: string, faults: readonly Fault[] = []) {
    super(message)
    this.name = 'DocumentFault'
    this.kind = kind
    this.faults = faults
  }
}
