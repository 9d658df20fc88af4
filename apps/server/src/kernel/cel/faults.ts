/** Why an expression cannot be used, for its author. */
export class CelRefusal extends Error {
  /** Of the part of the tree that is meant; null for the whole. */
  readonly part: bigint | null

  /** It would take too much work, or its pattern is not safe. */
  readonly isCostly: boolean

  constructor(message: string, part: bigint | null = null, isCostly = false) {
    super(message)
    this.part = part
    this.isCostly = isCostly
  }
}

/** An expression that could not be decided for the values it was given. */
export class CelFault extends Error {}
